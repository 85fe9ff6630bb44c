// expect: bad-mask
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: deadlock
// hw: may-hang
// row: K6
// why: lanes that have found their number leave the loop, and the others go on voting with the full mask
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

template <class Predicate>
__device__ int first_where(Predicate is, int from) {
  int i = from;
  while (!is(i)) {
    if (__all_sync(0xffffffffu, i > 1000)) break;  // @A
    ++i;
  }
  return i;
}
__global__ void search(int* out) {
  const int lane = int(threadIdx.x);
  const int found = first_where([](int i) { return i % 5 == 0 || i > 99; }, lane + 1);
  __syncwarp();  // @B
  out[lane] = found;
}

int main() {
  int h[32], *out;
  CK(cudaMalloc(&out, sizeof h));
  search<<<1, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("%d\n", h[5]);
  CK(cudaFree(out));
  return 0;
}

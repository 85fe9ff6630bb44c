// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M13
// why: every thread leaves the address of a local array in shared memory and takes its own back
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ __noinline__ int total(const int* p) { return p[0] + p[1]; }
__global__ void keep(int* out) {
  __shared__ int* slots[64];
  int mine[2] = {int(threadIdx.x), 50};
  slots[threadIdx.x] = mine;
  __syncthreads();
  slots[threadIdx.x][0] += 1;
  out[threadIdx.x] = total(slots[threadIdx.x]);
}

int main() {
  int h[64], *out, bad = 0;
  CK(cudaMalloc(&out, sizeof h));
  keep<<<1, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) bad += h[i] != i + 51;
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

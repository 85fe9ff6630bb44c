// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: S5
// why: a ballot makes the lanes meet, and orders none of their accesses
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void compact(int* out) {
  __shared__ int kept[32];
  const unsigned lane = threadIdx.x;
  const bool keeps = lane % 3 == 0;
  const unsigned all = __ballot_sync(0xffffffffU, keeps);
  if (keeps) kept[__popc(all & ((1U << lane) - 1))] = static_cast<int>(lane);  // @A
  const int count = __reduce_add_sync(0xffffffffU, keeps ? 1 : 0);
  if (static_cast<int>(lane) < count) out[lane] = kept[lane];  // @B
}

int main() {
  int *d, h[32];
  CK(cudaMalloc(&d, sizeof h));
  CK(cudaMemset(d, 0, sizeof h));
  compact<<<1, 32>>>(d);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  CK(cudaFree(d));
  std::printf("got %d\n", h[0]);
}

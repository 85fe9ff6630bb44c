// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: S5
// why: the barrier of the warp lies between the accesses, the shuffle only moves a count
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void compact(int* out) {
  __shared__ int kept[32];
  const unsigned lane = threadIdx.x;
  const bool keeps = lane % 3 == 0;
  const unsigned all = __ballot_sync(0xffffffffU, keeps);
  if (keeps) kept[__popc(all & ((1U << lane) - 1))] = static_cast<int>(lane);
  const int count = __shfl_sync(0xffffffffU, __popc(all), 0);
  __syncwarp();
  if (static_cast<int>(lane) < count) out[lane] = kept[lane];
}

int main() {
  int *d, h[32];
  CK(cudaMalloc(&d, sizeof h));
  CK(cudaMemset(d, 0, sizeof h));
  compact<<<1, 32>>>(d);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  CK(cudaFree(d));
  std::printf("%s\n", h[0] == 0 && h[10] == 30 && h[11] == 0 ? "PASS" : "FAIL");
  return !(h[0] == 0 && h[10] == 30 && h[11] == 0);
}

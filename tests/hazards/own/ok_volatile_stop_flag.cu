// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R4
// why: whoever finds the key raises one flag; a thread that sees it late only searches longer
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void search(int* words) {
  __shared__ volatile int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < 1024; i += static_cast<int>(blockDim.x)) {
    if (found != 0) break;
    if (i == 700) {
      words[0] = i;
      found = 1;
    }
  }
}

int main() {
  int *d, h[1];
  CK(cudaMalloc(&d, sizeof h));
  CK(cudaMemset(d, 0, sizeof h));
  search<<<1, 64>>>(d);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  CK(cudaFree(d));
  std::printf("%s\n", h[0] == 700 ? "PASS" : "FAIL");
  return !(h[0] == 700);
}

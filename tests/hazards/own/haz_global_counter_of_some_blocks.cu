// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R8
// why: the writer waits for blocks that count themselves, and three do not
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

// All blocks read the parameters; the last one replaces them once others have counted themselves.
__global__ void replace(int* parameters, unsigned* done, int* out) {
  const int value = parameters[threadIdx.x % 4];  // @A
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
  __syncthreads();
  if (threadIdx.x == 0 && (blockIdx.x < 2 || blockIdx.x > 4)) {
    __threadfence();
    atomicAdd(done, 1);
  }
  if (blockIdx.x == gridDim.x - 1) {
    if (threadIdx.x == 0) {
      while (atomicAdd(done, 0) < gridDim.x - 3) {
      }
      __threadfence();
    }
    __syncthreads();
    if (threadIdx.x < 4) parameters[threadIdx.x] = 7;  // @B
  }
}

int main() {
  int *parameters, *out;
  unsigned* done;
  CK(cudaMalloc(&parameters, 16));
  CK(cudaMalloc(&out, 8 * 64 * 4));
  CK(cudaMalloc(&done, 4));
  CK(cudaMemset(parameters, 0, 16));
  CK(cudaMemset(done, 0, 4));
  replace<<<8, 64>>>(parameters, done, out);
  CK(cudaDeviceSynchronize());
  int h;
  CK(cudaMemcpy(&h, parameters, 4, cudaMemcpyDeviceToHost));
  std::puts(h == 7 ? "PASS" : "FAIL");
  CK(cudaFree(parameters));
  CK(cudaFree(out));
  CK(cudaFree(done));
}

// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: M13
// why: each thread stores the address of its own variable in each launch, and uses it itself in that launch
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Counter {
  int value;
};

__global__ void count(Counter** slots, int* out) {
  Counter mine = {0};
  slots[blockIdx.x * blockDim.x + threadIdx.x] = &mine;
  __syncthreads();
  for (int i = 0; i < 3; ++i) {
    ++slots[blockIdx.x * blockDim.x + threadIdx.x]->value;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] += mine.value;
}

int main() {
  Counter** slots;
  int *out, h[128];
  CK(cudaMalloc(&slots, 128 * sizeof(Counter*)));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemset(out, 0, sizeof h));
  for (int i = 0; i < 50; ++i) count<<<4, 32>>>(slots, out);
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  bool good = true;
  for (int value : h) good = good && value == 150;
  std::printf(good ? "PASS\n" : "FAIL\n");
  return good ? 0 : 1;
}

// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M2
// why: each block stores the address of its shared array in global memory and uses it itself, many blocks and launches
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void turn(int** slots, int n, int* out) {
  __shared__ int mine[32];
  extern __shared__ int more[];
  if (threadIdx.x == 0) {
    slots[2 * blockIdx.x] = mine;
    slots[2 * blockIdx.x + 1] = more;
  }
  __syncthreads();
  int* first = slots[2 * blockIdx.x];
  int* second = slots[2 * blockIdx.x + 1];
  first[threadIdx.x] = threadIdx.x;
  second[threadIdx.x] = n;
  __syncthreads();
  out[blockIdx.x * 32 + threadIdx.x] = first[31 - threadIdx.x] + second[threadIdx.x ^ 1];
}

int main() {
  int **slots, *out, h[40 * 32];
  CK(cudaMalloc(&slots, 80 * sizeof(int*)));
  CK(cudaMalloc(&out, sizeof h));
  for (int n = 0; n < 12; ++n) turn<<<40, 32, (32 + n) * sizeof(int)>>>(slots, n, out);
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  bool good = true;
  for (int i = 0; i < 40 * 32; ++i) good = good && h[i] == 31 - i % 32 + 11;
  std::printf(good ? "PASS\n" : "FAIL\n");
  return good ? 0 : 1;
}

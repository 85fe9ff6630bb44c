// expect: misaligned
// SPDX-License-Identifier: Apache-2.0
// needs: sm_75
// tier: extra
// hw: fault
// row: M1
// why: a row that ldmatrix loads is not aligned to 16 bytes
#include <mma.h>

#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void rows(const half* a, float* c) {
  __shared__ __align__(16) half tile[256];
  const int lane = threadIdx.x;
  for (int i = lane; i < 256; i += 32) tile[i] = a[i];
  __syncwarp();
  unsigned words[4];
  const half* row = tile + lane % 16 * 16 + lane / 16 * 7;
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"  // @A
               : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
               : "r"(address));
  c[lane] = words[0] + words[1] + words[2] + words[3];
}

int main() {
  half* a;
  float* c;
  CK(cudaMalloc(&a, 512 * sizeof(half)));
  CK(cudaMemset(a, 0, 512 * sizeof(half)));
  CK(cudaMalloc(&c, 512 * sizeof(float)));
  rows<<<1, 32>>>(a, c);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  CK(cudaFree(a));
  CK(cudaFree(c));
  std::puts("PASS");
}

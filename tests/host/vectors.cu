// SPDX-License-Identifier: Apache-2.0
// Threads that hold values in vector and mask registers while they poll memory: ticks switch between them in the midst
// of the loop, and the last thread ends it.
#include <cuda_runtime.h>
#include <immintrin.h>

#include <cstdio>

__attribute__((target("avx2"))) int polls_with_avx2(volatile int* flag, int number) {
  __m256i values = _mm256_set1_epi32(number);
  asm volatile("" : "+x"(values));
  while (*flag == 0) asm volatile("" : "+x"(values));
  const __m256i same = _mm256_cmpeq_epi32(values, _mm256_set1_epi32(number));
  return _mm256_movemask_epi8(same) == -1;
}

__attribute__((target("avx512f,avx512bw"))) int polls_with_avx512(volatile int* flag, int number) {
  __m512i values = _mm512_set1_epi32(number);
  __mmask64 mask = 0x123456789abcdef0ULL + static_cast<unsigned>(number);
  asm volatile("" : "+v"(values), "+k"(mask));
  while (*flag == 0) asm volatile("" : "+v"(values), "+k"(mask));
  const bool same_mask = mask == 0x123456789abcdef0ULL + static_cast<unsigned>(number);
  return same_mask && _mm512_cmpeq_epi32_mask(values, _mm512_set1_epi32(number)) == 0xffff;
}

__global__ void polls(volatile int* flag, int* kept, bool wide) {
  if (threadIdx.x + 1 == blockDim.x) {
    *flag = 1;
    return;
  }
  const int number = static_cast<int>(threadIdx.x);
  atomicAdd(kept, wide ? polls_with_avx512(flag, number) : polls_with_avx2(flag, number));
}

int main() {
  int* memory;
  cudaMallocManaged(&memory, 2 * sizeof *memory);
  for (const bool wide : {false, true}) {
    if (!(wide ? __builtin_cpu_supports("avx512bw") : __builtin_cpu_supports("avx2"))) continue;
    memory[0] = memory[1] = 0;
    polls<<<1, 64>>>(memory, memory + 1, wide);
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess || memory[1] != 63) std::printf("%s, %d\n", cudaGetErrorName(error), memory[1]);
  }
  std::printf("done\n");
}

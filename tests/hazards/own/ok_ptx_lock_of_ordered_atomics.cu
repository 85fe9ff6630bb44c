// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R8
// why: the orders of the atomics in inline PTX publish what the lock guards and what the last block adds up
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void guarded(unsigned* lock, int* sum) {
  unsigned before;
  do
    asm volatile("atom.cas.acquire.gpu.b32 %0, [%1], 0, 1;" : "=r"(before) : "l"(lock) : "memory");
  while (before != 0);
  *sum += blockIdx.x + 1;
  asm volatile("atom.exch.release.gpu.b32 %0, [%1], 0;" : "=r"(before) : "l"(lock) : "memory");
}

__global__ void added(int* parts, unsigned* done, int* total) {
  unsigned before;
  parts[blockIdx.x] = blockIdx.x + 1;
  asm volatile("atom.add.acq_rel.gpu.u32 %0, [%1], 1;" : "=r"(before) : "l"(done) : "memory");
  if (before == gridDim.x - 1)
    for (unsigned i = 0; i < gridDim.x; ++i) *total += parts[i];
}

int main() {
  unsigned* words;
  int *parts, r[2];
  CK(cudaMalloc(&words, 4 * sizeof *words));
  CK(cudaMalloc(&parts, 16 * sizeof *parts));
  CK(cudaMemset(words, 0, 4 * sizeof *words));
  int* sums = reinterpret_cast<int*>(words + 2);
  guarded<<<16, 1>>>(words, sums);
  added<<<16, 1>>>(parts, words + 1, sums + 1);
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, sums, sizeof r, cudaMemcpyDeviceToHost));
  std::printf("%s\n", r[0] == 136 && r[1] == 136 ? "PASS" : "FAIL");
  CK(cudaFree(words));
  CK(cudaFree(parts));
}

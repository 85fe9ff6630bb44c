// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R7
// why: threads of all blocks append to one list; an atomic counter gives every element a slot of its own
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void squares(int* list, int* used) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 3) return;
  const int slot = atomicAdd(used, 2);
  list[slot] = i;
  list[slot + 1] = i * i;
}

int main() {
  int h[256], n = 0, *list, *used, bad = 0;
  CK(cudaMalloc(&list, sizeof h));
  CK(cudaMalloc(&used, sizeof(int)));
  CK(cudaMemset(used, 0, sizeof(int)));
  squares<<<6, 50>>>(list, used);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&n, used, sizeof(int), cudaMemcpyDeviceToHost));
  CK(cudaMemcpy(h, list, 200 * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 200; i += 2) bad += h[i + 1] != h[i] * h[i];
  CK(cudaFree(list));
  CK(cudaFree(used));
  bad += n != 200;
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: L1
// why: the program tries larger blocks until one is refused, looks at the error each time, and uses the largest
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void count(int* total) {
  atomicAdd(total, 1);
}

int main() {
  int* total;
  CK(cudaMalloc(&total, sizeof(int)));
  CK(cudaMemset(total, 0, sizeof(int)));
  int largest = 0;
  for (int threads = 256; threads <= 4096; threads *= 2) {
    count<<<1, threads>>>(total);
    if (cudaGetLastError() != cudaSuccess) break;
    largest = threads;
  }
  CK(cudaMemset(total, 0, sizeof(int)));
  void* arguments[] = {&total};
  if (cudaLaunchKernel(count, dim3(1), dim3(2 * largest), arguments, 0, nullptr) == cudaSuccess) return 1;
  (void)cudaGetLastError();
  count<<<1, largest>>>(total);
  CK(cudaGetLastError());
  int threads = 0;
  CK(cudaMemcpy(&threads, total, sizeof threads, cudaMemcpyDeviceToHost));
  std::printf("%s\n", threads == largest && largest == 1024 ? "PASS" : "FAIL");
  CK(cudaFree(total));
}

// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: R12
// why: host and running kernel hand pinned data to each other by volatile flags and fences, without a synchronisation
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void answer(int* data, volatile int* asked, volatile int* answered) {
  while (*asked == 0) {
  }
  __threadfence_system();
  data[1] = data[0] + 1;
  __threadfence_system();
  *answered = 1;
}

int main() {
  int* pinned;
  CK(cudaMallocHost(&pinned, 64 * sizeof(int)));
  for (int i = 0; i < 64; ++i) pinned[i] = 0;
  volatile int* asked = pinned + 32;
  volatile int* answered = pinned + 48;
  answer<<<1, 1>>>(pinned, asked, answered);
  CK(cudaGetLastError());
  pinned[0] = 41;
  __sync_synchronize();
  *asked = 1;
  while (*answered == 0) {
  }
  __sync_synchronize();
  const bool bad = pinned[1] != 42;
  CK(cudaDeviceSynchronize());
  CK(cudaFreeHost(pinned));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad;
}

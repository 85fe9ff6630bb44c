// SPDX-License-Identifier: Apache-2.0
//
// One block passes a value to another one by a volatile flag, without fences and with them.
#include <cstdio>

__global__ void pass(int* payload, volatile int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *payload = 42;
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    *out = *payload;
  }
}

__global__ void pass_with_fences(int* payload, volatile int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *payload = 42;
    __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    *out = *payload;
  }
}

int main() {
  int* p;
  cudaMalloc(&p, 3 * sizeof(int));
  cudaMemset(p, 0, 3 * sizeof(int));
  pass_with_fences<<<2, 32>>>(p, p + 1, p + 2);
  cudaMemset(p, 0, 3 * sizeof(int));
  pass<<<2, 32>>>(p, p + 1, p + 2);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}

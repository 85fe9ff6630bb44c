// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: fault
// row: M14
// why: the counter that the threads increment atomically is a local variable of the host
#include <cstdio>
#include <cstdlib>

__global__ void count(const int* in, int* found) {
  if (in[threadIdx.x] > 3) atomicAdd(found, 1);  // @A
}

int main() {
  int host[32];
  int found = 0;
  int* in;
  for (int i = 0; i < 32; ++i) host[i] = i;
  if (cudaMalloc(&in, sizeof host) != cudaSuccess) return 3;
  if (cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice) != cudaSuccess) return 3;
  count<<<1, 32>>>(in, &found);  // @B
  std::printf("%s, %d found\n", cudaGetErrorName(cudaDeviceSynchronize()), found);
}

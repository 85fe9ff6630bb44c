// SPDX-License-Identifier: Apache-2.0
// Lanes of a warp take two ways and meet again.
#include <cstdio>
#include <cstring>

__device__ int twice(int value) {
  return 2 * value;
}

__global__ void branch(int* out) {
  const int i = threadIdx.x;
  int value = 0;
  if (i % 2 == 0) {
    value = twice(i);
  } else {
    for (int k = 0; k < i; ++k)
      value += k;
  }
  __syncwarp();
  out[i] = value;
}

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "--nothing") == 0) return 4;
  int *out = nullptr, host[32] = {};
  cudaMalloc(&out, sizeof host);
  branch<<<1, 32>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s %d\n", argc > 1 ? argv[1] : "no argument", host[5]);
}

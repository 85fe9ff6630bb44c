// SPDX-License-Identifier: Apache-2.0
// A processor fault near an allocation names it, in a program without access hooks too.
#include <cstdio>
#include <cstring>

__global__ void fill(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) out[i] = i;
}

__global__ void call(int* data) {
  data[0] = reinterpret_cast<int (*)(int)>(data + 4)(1);
}

int main(int argc, char** argv) {
  constexpr int kCount = 1024;  // whole pages, behind which nothing is mapped
  int* d_out = nullptr;
  cudaMalloc(&d_out, kCount * sizeof(int));
  if (argc > 1 && std::strcmp(argv[1], "call") == 0) call<<<1, 1>>>(d_out);
  fill<<<kCount / 64 + 1, 64>>>(d_out, kCount);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(d_out);
}

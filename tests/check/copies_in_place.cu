// SPDX-License-Identifier: Apache-2.0
// Copies and fills of constant sizes that no single instruction does: two threads write one place, by every name.
#include <cstdio>
#include <cstring>

struct Part {
  char bytes[12];
};

__global__ void by_name(Part* out, const Part* in) {
  memcpy(out, in + threadIdx.x, sizeof(Part));
}
__global__ void by_std(Part* out, const Part* in) {
  std::memcpy(out, in + threadIdx.x, 11);
}
__global__ void by_compiler(Part* out, const Part* in) {
  __builtin_memcpy(out, in + threadIdx.x, 9);
}
__global__ void moved(Part* out, const Part* in) {
  memmove(out, in + threadIdx.x, sizeof(Part));
}
__global__ void filled(Part* out) {
  memset(out, int(threadIdx.x), sizeof(Part));
}
__global__ void apart(Part* out, const Part* in) {
  __shared__ Part parts[2];
  memset(&parts[threadIdx.x], 0, sizeof(Part));
  memcpy(&parts[threadIdx.x], &in[threadIdx.x], 7);
  __syncthreads();
  memcpy(&out[threadIdx.x], &parts[1 - threadIdx.x], sizeof(Part));
}
__global__ void beyond(Part* out, const Part* in) {
  memcpy(reinterpret_cast<char*>(out + 1) + 1, in, sizeof(Part));
}

int main(int argc, char**) {
  Part* parts;
  cudaMallocManaged(&parts, 2 * sizeof(Part));
  Part* in;
  cudaMallocManaged(&in, 2 * sizeof(Part));
  for (int i = 0; i < 24; ++i) reinterpret_cast<char*>(in)[i] = char(i);
  apart<<<1, 2>>>(parts, in);
  if (argc > 1) {
    by_name<<<1, 2>>>(parts, in);
    by_std<<<1, 2>>>(parts, in);
    by_compiler<<<1, 2>>>(parts, in);
    moved<<<1, 2>>>(parts, in);
    filled<<<1, 2>>>(parts);
    beyond<<<1, 1>>>(parts, in);
  }
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

// SPDX-License-Identifier: Apache-2.0
//
// A load of 16 bytes from an address that is a multiple of 4 only; corrected, four loads of 4 bytes.
#include <cstdio>

__global__ void load4(const int* in, int4* out) {
  *out = *reinterpret_cast<const int4*>(in + 1);  // 4 bytes past an aligned address
}

__global__ void load4_by_value(const int* in, int4* out) {
  *out = make_int4(in[1], in[2], in[3], in[4]);
}

int main() {
  int* in;
  int4* out;
  cudaMalloc(&in, 5 * sizeof(int));
  cudaMalloc(&out, sizeof(int4));
  cudaMemset(in, 0, 5 * sizeof(int));
  load4_by_value<<<1, 1>>>(in, out);
  load4<<<1, 1>>>(in, out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}

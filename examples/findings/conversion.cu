// SPDX-License-Identifier: Apache-2.0
//
// Floating-point numbers that an unsigned int cannot hold, converted by assignment and by an intrinsic that clamps.
#include <cstdio>

__global__ void to_whole(const float* in, unsigned* out) {
  out[threadIdx.x] = in[threadIdx.x];  // -0.5f is fine (0), -1.0f and 5e9f are not
}

__global__ void to_whole_clamped(const float* in, unsigned* out) {
  out[threadIdx.x] = __float2uint_rz(in[threadIdx.x]);  // clamps, and gives 0 for a NaN, on devices and here
}

int main() {
  const float values[] = {-0.5f, 1.5f, -1.0f, 5e9f};
  float* in;
  unsigned* out;
  cudaMalloc(&in, sizeof values);
  cudaMalloc(&out, sizeof values);
  cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
  to_whole_clamped<<<1, 4>>>(in, out);
  to_whole<<<1, 4>>>(in, out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}

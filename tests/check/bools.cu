// SPDX-License-Identifier: Apache-2.0
// Bytes of flags that are neither 0 nor 1, and those that are.
__global__ void invert(const bool* flags, int* out) {
  const bool flag = flags[threadIdx.x];
  out[threadIdx.x] = !flag;
}

int main(int count, char**) {
  bool* flags = nullptr;
  int* out = nullptr;
  cudaMalloc(&flags, 32);
  cudaMalloc(&out, 32 * sizeof *out);
  cudaMemset(flags, count > 1 ? 1 : 0xff, 32);
  invert<<<1, 32>>>(flags, out);
  return cudaDeviceSynchronize() != cudaSuccess;
}

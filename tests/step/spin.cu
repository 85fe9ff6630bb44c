// SPDX-License-Identifier: Apache-2.0
// Thread 0 computes for ever.
__global__ void spin(unsigned* out) {
  unsigned count = 0;
  if (threadIdx.x == 0) {
    while (count != 1)
      count += 2;
  }
  out[threadIdx.x] = count;
}

int main() {
  unsigned* out = nullptr;
  cudaMalloc(&out, 32 * sizeof(unsigned));
  spin<<<1, 32>>>(out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 3;
}

// SPDX-License-Identifier: Apache-2.0
// A kernel that has the name of functions of the library.
__global__ void release(int* out) {
  out[threadIdx.x] = 1;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 32 * sizeof(int));
  release<<<1, 32>>>(out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}

// SPDX-License-Identifier: Apache-2.0
// Thread 3 writes to nowhere.
__global__ void fault(int* out) {
  int* place = out + threadIdx.x;
  if (threadIdx.x == 3) {
    place = nullptr;
  }
  *place = 1;
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 8 * sizeof(int));
  fault<<<1, 8>>>(out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 3;
}

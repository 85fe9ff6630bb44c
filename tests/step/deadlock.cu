// SPDX-License-Identifier: Apache-2.0
// One lane comes to the barrier of its warp, the others to that of the block.
__global__ void wait(int* out) {
  int value = threadIdx.x;
  if (threadIdx.x == 5) {
    __syncwarp();
  }
  __syncthreads();
  out[threadIdx.x] = value;
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 32 * sizeof(int));
  wait<<<1, 32>>>(out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 3;
}

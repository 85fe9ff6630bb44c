// SPDX-License-Identifier: Apache-2.0
// Kernels in two streams, which could run at the same time.
__global__ void add(int* out, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i)
    sum += i;
  __syncthreads();
  out[threadIdx.x] = sum;
}

int main() {
  cudaStream_t streams[2];
  int* out = nullptr;
  cudaMalloc(&out, 2 * 64 * sizeof(int));
  for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);
  for (int launch = 0; launch < 4; ++launch) add<<<1, 64, 0, streams[launch % 2]>>>(out + launch % 2 * 64, 20 + launch);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 3;
}

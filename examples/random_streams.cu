// SPDX-License-Identifier: Apache-2.0
// Numbers that a generator makes in one stream, and a kernel that uses them in another. -DORDERED: with an event.
#include <curand.h>

__global__ void scale(float* x, float factor) {
  x[blockIdx.x * blockDim.x + threadIdx.x] *= factor;
}

int main() {
  const unsigned n = 1 << 16;
  float* x;
  cudaStream_t making, using_them;
  cudaEvent_t made;
  curandGenerator_t generator;
  cudaMalloc(&x, n * sizeof *x);
  cudaStreamCreate(&making);
  cudaStreamCreate(&using_them);
  cudaEventCreate(&made);
  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10);
  curandSetStream(generator, making);
  curandGenerateUniform(generator, x, n);
#ifdef ORDERED
  cudaEventRecord(made, making);
  cudaStreamWaitEvent(using_them, made);
#endif
  scale<<<n / 256, 256, 0, using_them>>>(x, 2);
  cudaDeviceSynchronize();
  curandDestroyGenerator(generator);
  cudaEventDestroy(made);
  cudaStreamDestroy(using_them);
  cudaStreamDestroy(making);
  cudaFree(x);
}

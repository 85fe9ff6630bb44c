// SPDX-License-Identifier: Apache-2.0
//
// Pool memory that one stream frees while a kernel in another stream may still use it, and a free that waits for it.
#include <cstdio>

__global__ void fill(int* p) {
  p[threadIdx.x] = threadIdx.x;
}

void freed_too_early(cudaStream_t a, cudaStream_t b) {
  int* p;
  cudaMallocAsync(&p, 64 * sizeof(int), a);
  cudaStreamSynchronize(a);
  fill<<<1, 64, 0, b>>>(p);
  cudaFreeAsync(p, a);  // nothing orders stream a after the kernel in b
}

void freed_after_use(cudaStream_t a, cudaStream_t b, cudaEvent_t done) {
  int* p;
  cudaMallocAsync(&p, 64 * sizeof(int), a);
  cudaStreamSynchronize(a);
  fill<<<1, 64, 0, b>>>(p);
  cudaEventRecord(done, b);
  cudaStreamWaitEvent(a, done, 0);
  cudaFreeAsync(p, a);
}

int main() {
  cudaStream_t a, b;
  cudaEvent_t done;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  cudaEventCreate(&done);
  freed_after_use(a, b, done);
  freed_too_early(a, b);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}

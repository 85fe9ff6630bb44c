// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: R12
// why: a copy in one stream fills the input, the kernel that reads it is launched in another, and no event orders them
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void consume(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x] * 2;  // @A
}

int main() {
  int *in, *out, *pinned, h[64];
  cudaStream_t a, b;
  CK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
  CK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMallocHost(&pinned, sizeof h));
  for (int i = 0; i < 64; ++i) pinned[i] = i;
  CK(cudaMemset(in, 0, sizeof h));
  CK(cudaDeviceSynchronize());
  CK(cudaMemcpyAsync(in, pinned, sizeof h, cudaMemcpyHostToDevice, a));  // @B
  consume<<<1, 64, 0, b>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("h[63] = %d\n", h[63]);
  CK(cudaFree(in));
  CK(cudaFree(out));
  CK(cudaFreeHost(pinned));
  CK(cudaStreamDestroy(a));
  CK(cudaStreamDestroy(b));
}

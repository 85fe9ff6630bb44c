// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R12
// why: a kernel fetches a neighbour through a texture of the memory that it writes
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void smooth(cudaTextureObject_t texture, float* p) {
  const int i = threadIdx.x;
  const float next = tex1Dfetch<float>(texture, (i + 1) % 64);  // @A
  p[i] = next / 2;                                              // @B
}

int main() {
  float* p;
  CK(cudaMalloc(&p, 64 * sizeof(float)));
  CK(cudaMemset(p, 0, 64 * sizeof(float)));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = p;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = 64 * sizeof(float);
  const cudaTextureDesc description{};
  cudaTextureObject_t texture;
  CK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  smooth<<<1, 64>>>(texture, p);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  CK(cudaDestroyTextureObject(texture));
  CK(cudaFree(p));
}

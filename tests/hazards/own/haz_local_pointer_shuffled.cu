// expect: local-escape
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: M13
// why: lane 0 hands the address of its local struct to the warp by shuffle
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Parameters {
  volatile float scale;
  volatile float offset;
};

__global__ void apply(float* data) {
  Parameters mine{1.0f + threadIdx.x, 0.5f};
  const auto address = reinterpret_cast<unsigned long long>(&mine);
  const auto* of_first = reinterpret_cast<const Parameters*>(__shfl_sync(0xffffffffu, address, 0));
  data[threadIdx.x] = data[threadIdx.x] * of_first->scale;  // @A
  __syncwarp();
}

int main() {
  float h[32], *data;
  for (float& x : h) x = 1;
  CK(cudaMalloc(&data, sizeof h));
  CK(cudaMemcpy(data, h, sizeof h, cudaMemcpyHostToDevice));
  apply<<<1, 32>>>(data);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, data, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("h[5] = %g\n", h[5]);
  CK(cudaFree(data));
}

// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: fault
// row: M14
// why: a functor carries the pointer of a std::vector to the device (faults unless the system has HMM or ATS)
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Scale {
  const float* factors;
  __device__ float operator()(int i, float x) const {
    return factors[i] * x;  // @A
  }
};

template <typename F>
__global__ void apply(F f, float* data) {
  data[threadIdx.x] = f(int(threadIdx.x), data[threadIdx.x]);
}

int main() {
  std::vector<float> factors(32, 2.0f);
  float* data;
  CK(cudaMalloc(&data, 32 * sizeof(float)));
  CK(cudaMemset(data, 0, 32 * sizeof(float)));
  apply<<<1, 32>>>(Scale{factors.data()}, data);
  CK(cudaGetLastError());
  std::printf("synchronise: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

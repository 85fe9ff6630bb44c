// expect: uninit-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// also-ok: livelock
// hw: may-hang
// row: M6
// why: the arrivals of blocks are counted in memory that nobody has set to zero, so the number that they wait for never comes
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Gate {
  unsigned arrived;
};
__global__ void two_phases(Gate* gate, int* data) {
  if (threadIdx.x == 0) {
    data[blockIdx.x] = int(blockIdx.x);
    __threadfence();
    atomicAdd(&gate->arrived, 1u);  // @A
    while (atomicAdd(&gate->arrived, 0u) != gridDim.x) {
    }
    __threadfence();
    data[gridDim.x + blockIdx.x] = data[(blockIdx.x + 1) % gridDim.x];
  }
}

int main() {
  Gate* gate;
  int* data;
  CK(cudaMalloc(&gate, sizeof *gate));
  CK(cudaMalloc(&data, 8 * sizeof(int)));
  two_phases<<<4, 32>>>(gate, data);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(gate));
  CK(cudaFree(data));
  return 0;
}

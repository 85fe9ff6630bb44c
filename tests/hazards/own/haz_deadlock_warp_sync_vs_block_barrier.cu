// expect: deadlock
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: bad-mask,barrier-divergence
// hw: hang
// row: S4
// why: the lower lanes wait for the whole warp, the upper ones for the whole block
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void cross(int* out) {
  const int lane = threadIdx.x;
  int v = lane;
  if (lane < 16) {
    v = __shfl_sync(0xffffffffu, v, 20);  // @A
    __syncthreads();
  } else {
    __syncthreads();                      // @B
    v = __shfl_sync(0xffffffffu, v, 2);
  }
  out[lane] = v;
}

int main() {
  int* out;
  CK(cudaMalloc(&out, 32 * sizeof(int)));
  cross<<<1, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(out));
}

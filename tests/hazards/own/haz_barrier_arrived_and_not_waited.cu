// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: uninit-shared
// hw: silent
// row: S8
// why: threads arrive at a cuda::barrier and read before they wait for its phase
#include <cuda/barrier>
#include <utility>
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

using Barrier = cuda::barrier<cuda::thread_scope_block>;
struct Stage {
  int value[96];
};
__device__ __noinline__ int read_next(const Stage& stage, unsigned i) {
  return stage.value[(i + 32) % 96];  // @B
}
__global__ void shift(int* out) {
  __shared__ Barrier barrier;
  __shared__ Stage stage;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  stage.value[threadIdx.x] = int(threadIdx.x);  // @A
  Barrier::arrival_token token = barrier.arrive();
  const int got = read_next(stage, threadIdx.x);
  barrier.wait(std::move(token));
  out[threadIdx.x] = got;
}

int main() {
  int h[96], *out;
  CK(cudaMalloc(&out, sizeof h));
  shift<<<1, 96>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("%d\n", h[0]);
  CK(cudaFree(out));
  return 0;
}

// expect: async-hazard
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: extra
// also-ok: race-shared,uninit-shared
// hw: silent
// row: A1
// why: a block-wide pipeline is committed and released, and the read comes before consumer_wait
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <cuda/pipeline>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void k(const int* in, int* out) {
  __shared__ int s[64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  pipe.producer_acquire();
  cuda::memcpy_async(s + threadIdx.x, in + threadIdx.x, sizeof(int), pipe);  // @A
  pipe.producer_commit();
  const int v = s[threadIdx.x];  // @B
  pipe.consumer_wait();
  out[threadIdx.x] = v + s[63 - threadIdx.x];
  pipe.consumer_release();
}
int main() {
  int h[64] = {}, *in, *out;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  k<<<1, 64>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("%d\n", h[1]);
  CK(cudaFree(in));
  CK(cudaFree(out));
}

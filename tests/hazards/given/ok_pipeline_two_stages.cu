// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: extra
// hw: ok
// why: block-scope cuda::pipeline with acquire, commit, wait and release in the documented order
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <cuda/pipeline>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

#pragma nv_diag_suppress static_var_with_dynamic_init
namespace cg = cooperative_groups;
__global__ void stream(const int* in, int* out, int tiles) {
  __shared__ int s[2][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const int t = block.thread_rank();
  int sum = 0;
  for (int fill = 0, i = 0; i < tiles; ++i) {
    for (; fill < tiles && fill < i + 2; ++fill) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, s[fill & 1], in + 64 * fill, sizeof s[0], pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += s[i & 1][63 - t];
    pipe.consumer_release();
  }
  out[t] = sum;
}

int main() {
  int h[320], r[64], *in, *out, bad = 0;
  for (int i = 0; i < 320; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof r));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  stream<<<1, 64>>>(in, out, 5);
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) bad += r[i] != 5 * (63 - i) + 640;
  CK(cudaFree(in));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

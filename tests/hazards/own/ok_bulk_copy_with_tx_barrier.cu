// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: core
// hw: ok
// row: A5
// why: one thread starts bulk copies into two stages, the barrier counts their bytes, all threads wait and read
#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>
#include <utility>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

#pragma nv_diag_suppress static_var_with_dynamic_init
using barrier_t = cuda::barrier<cuda::thread_scope_block>;
__global__ void stream(const int* in, int* out, int tiles) {
  __shared__ alignas(16) int s[2][64];
  __shared__ barrier_t full[2];
  const int t = threadIdx.x;
  if (t == 0) {
    init(&full[0], blockDim.x);
    init(&full[1], blockDim.x);
  }
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < tiles; ++i) {
    barrier_t& bar = full[i & 1];
    barrier_t::arrival_token token;
    if (t == 0) {
      cuda::device::memcpy_async_tx(s[i & 1], in + 64 * i, cuda::aligned_size_t<16>(sizeof s[0]), bar);
      token = cuda::device::barrier_arrive_tx(bar, 1, sizeof s[0]);
    } else {
      token = bar.arrive();
    }
    bar.wait(std::move(token));
    sum += s[i & 1][63 - t];
    __syncthreads();
  }
  out[t] = sum;
}

int main() {
  int h[256], r[64], *in, *out, bad = 0;
  for (int i = 0; i < 256; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof r));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  stream<<<1, 64>>>(in, out, 4);
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) bad += r[i] != 4 * (63 - i) + 64 * 6;
  CK(cudaFree(in));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

// expect: deadlock
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: extra
// hw: hang
// row: S8
// why: the phase of a barrier expects more bytes than the bulk copy brings, for the last tile is shorter
#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

using Barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void tiles(const int* in, int* out, int n) {
  __shared__ alignas(16) int tile[64];
  __shared__ Barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cuda::device::experimental::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  for (int base = 0; base < n; base += 64) {
    const int count = min(64, n - base);
    Barrier::arrival_token token;
    if (threadIdx.x == 0) {
      cuda::device::memcpy_async_tx(tile, in + base, cuda::aligned_size_t<16>(count * sizeof(int)), bar);
      token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
    } else {
      token = bar.arrive();
    }
    bar.wait(std::move(token));  // @A
    if (threadIdx.x < count) out[base + threadIdx.x] = tile[threadIdx.x];
    __syncthreads();
  }
}

int main() {
  int *in, *out;
  CK(cudaMalloc(&in, 96 * sizeof(int)));
  CK(cudaMalloc(&out, 96 * sizeof(int)));
  CK(cudaMemset(in, 0, 96 * sizeof(int)));
  tiles<<<1, 64>>>(in, out, 96);
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(in));
  CK(cudaFree(out));
}

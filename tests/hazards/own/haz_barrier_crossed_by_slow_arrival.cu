// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: extra
// hw: silent
// row: R1
// why: a writer arrives at a barrier after a reader has arrived, and takes that for having waited for it
#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

using Barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void reuse(const int* in, int* out) {
  __shared__ int value;
  __shared__ Barrier loaded, done;
  if (threadIdx.x == 0) {
    init(&loaded, 64);
    init(&done, 64);
    value = in[0];
  }
  __syncthreads();
  if (threadIdx.x >= 32) {
    loaded.arrive_and_wait();
    out[threadIdx.x - 32] = value;  // @A
    done.arrive_and_wait();
    return;
  }
  loaded.arrive_and_wait();
  auto token = done.arrive();
  if (threadIdx.x == 0) value = in[1];  // @B
  done.wait(std::move(token));
}

int main() {
  int h[2] = {1, 2}, *in, *out;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, 32 * sizeof(int)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  reuse<<<1, 64>>>(in, out);
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(in));
  CK(cudaFree(out));
}

// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: extra
// hw: ok
// row: S8
// why: the completion function of a cuda::barrier clears plain data between two phases of all threads
#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Rotate {
  int* done;
  int* next;
  __device__ void operator()() const {
    *done = *next;
    *next = 0;
  }
};
__global__ void phases(int* out) {
  using Barrier = cuda::barrier<cuda::thread_scope_block, Rotate>;
  __shared__ cuda::std::aligned_storage_t<sizeof(Barrier), alignof(Barrier)> place;
  __shared__ int done, next;
  Barrier* bar = reinterpret_cast<Barrier*>(&place);
  if (threadIdx.x == 0) {
    next = 0;
    new (bar) Barrier(blockDim.x, Rotate{&done, &next});
  }
  __syncthreads();
  int total = 0;
  for (int i = 1; i <= 3; ++i) {
    atomicAdd(&next, i);
    bar->arrive_and_wait();
    total += done;
    bar->arrive_and_wait();
  }
  out[threadIdx.x] = total;
}

int main() {
  int h[64], *out, bad = 0;
  CK(cudaMalloc(&out, sizeof h));
  phases<<<1, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int v : h) bad += v != 64 * 6;
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

// expect: local-escape
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M13
// why: a thread leaves the address of a local array in global memory, and its neighbour reads through it
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void leak(int** slots, int* out) {
  volatile int mine[2] = {int(threadIdx.x), 50};
  slots[threadIdx.x] = const_cast<int*>(mine);
  __syncthreads();
  const volatile int* theirs = slots[threadIdx.x ^ 1];
  out[threadIdx.x] = *theirs;  // @A
  __syncthreads();
}

int main() {
  int h[32], **slots, *out;
  CK(cudaMalloc(&slots, 32 * sizeof(int*)));
  CK(cudaMalloc(&out, sizeof h));
  leak<<<1, 32>>>(slots, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("thread 1 read %d, a shared address space would give 0\n", h[1]);
  CK(cudaFree(slots));
  CK(cudaFree(out));
}

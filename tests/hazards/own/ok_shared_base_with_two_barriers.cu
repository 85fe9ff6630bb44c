// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R1
// why: the slot through which a thread tells all where to append is read between two barriers
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

class Queue {
 public:
  __device__ explicit Queue(int* tail, int* base) : tail_(tail), base_(base) {}
  __device__ int reserve(int n) {
    if (threadIdx.x == 0) *base_ = atomicAdd(tail_, n);
    __syncthreads();
    int mine = *base_;
    __syncthreads();
    return mine + threadIdx.x;
  }
 private:
  int* tail_;
  int* base_;
};
__global__ void append(int* out, int* tail) {
  __shared__ int base;
  Queue q(tail, &base);
  for (int r = 0; r < 3; ++r) out[q.reserve(blockDim.x)] = r;
}

int main() {
  int *out, *tail, h;
  CK(cudaMalloc(&out, 3 * 128 * sizeof(int))); CK(cudaMalloc(&tail, sizeof(int)));
  CK(cudaMemset(tail, 0, sizeof(int)));
  append<<<1, 128>>>(out, tail);
  CK(cudaMemcpy(&h, tail, sizeof h, cudaMemcpyDeviceToHost));
  std::puts(h == 384 ? "PASS" : "FAIL");
  CK(cudaFree(out)); CK(cudaFree(tail));
}

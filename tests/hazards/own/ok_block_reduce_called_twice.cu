// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R1
// why: a block reduction waits before it uses its shared memory again
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ int block_sum(int value) {
  __shared__ int partial[4];
  for (int d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);
  __syncthreads();
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
  __syncthreads();
  return partial[0] + partial[1] + partial[2] + partial[3];
}
__global__ void moments(const int* in, int* out) {
  const int v = in[threadIdx.x];
  const int sum = block_sum(v);
  const int squares = block_sum(v * v);
  if (threadIdx.x == 0) {
    out[0] = sum;
    out[1] = squares;
  }
}

int main() {
  int h[128], r[2], *in, *out;
  for (int& v : h) v = 2;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof r));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  moments<<<1, 128>>>(in, out);
  CK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  std::puts(r[0] == 256 && r[1] == 512 ? "PASS" : "FAIL");
  CK(cudaFree(in));
  CK(cudaFree(out));
}

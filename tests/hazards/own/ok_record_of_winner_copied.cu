// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M13
// why: the winner copies its record into shared memory
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Best { float value; int index; };
__global__ void arg_max(const float* in, int* out) {
  __shared__ Best winner;
  Best mine{in[threadIdx.x], int(threadIdx.x)};
  if (mine.value == 31.0f)
    winner = mine;
  __syncthreads();
  out[threadIdx.x] = winner.index;
  __syncthreads();
}

int main() {
  float f[64];
  int h[64], *out;
  float* in;
  for (int i = 0; i < 64; ++i) f[i] = i;
  CK(cudaMalloc(&in, sizeof f));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, f, sizeof f, cudaMemcpyHostToDevice));
  arg_max<<<1, 64>>>(in, out);
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::puts(h[0] == 31 ? "PASS" : "FAIL");
  CK(cudaFree(in));
  CK(cudaFree(out));
}

// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: R3
// why: a thread stores an int2 over a pair that two others of another warp fill as ints
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

union Cell {
  int2 both;
  int each[2];
};

__global__ void merge(const int* in, int* out) {
  __shared__ Cell cells[32];
  const int t = threadIdx.x;
  if (t < 32) {
    cells[t].both = make_int2(in[t], -1);  // @A
  } else {
    cells[t - 32].each[1] = in[t];  // @B
  }
  __syncthreads();
  if (t < 32) out[t] = cells[t].each[0] + cells[t].each[1];
}

int main() {
  int h[64], *in, *out;
  for (int i = 0; i < 64; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, 32 * sizeof(int)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  merge<<<1, 64>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, 32 * sizeof(int), cudaMemcpyDeviceToHost));
  std::printf("h[0] = %d\n", h[0]);
  CK(cudaFree(in));
  CK(cudaFree(out));
}

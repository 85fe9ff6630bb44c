// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: S3
// why: the function is all that the kernel does: whoever leaves it early has left the kernel
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

template <bool kTwice>
__device__ void turn_part(const int* in, int* out, int n) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  if (t >= n) return;
  tile[t] = kTwice ? 2 * in[t] : in[t];
  __syncthreads();
  out[t] = tile[n - 1 - t];
}

__global__ void turn(const int* in, int* out, int n) {
  turn_part<false>(in, out, n);
}
__global__ void turn_one_of_two(const int* in, int* out, int n, bool twice) {
  const int* from = in;
  if (twice)
    turn_part<true>(from, out, n);
  else
    turn_part<false>(from, out, n);
}

int main() {
  const int n = 75;
  int h[128], *d;
  for (int i = 0; i < 128; ++i) h[i] = i;
  CK(cudaMalloc(&d, 2 * sizeof h));
  CK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  turn<<<1, 128>>>(d, d + 128, n);
  turn_one_of_two<<<1, 128>>>(d, d + 128, n, true);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, d + 128, n * sizeof(int), cudaMemcpyDeviceToHost));
  std::puts(h[0] == 2 * (n - 1) ? "PASS" : "FAIL");
  CK(cudaFree(d));
}

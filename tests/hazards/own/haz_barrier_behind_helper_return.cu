// expect: barrier-divergence
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: S3
// why: threads that have nothing to load leave the helper before its barrier, and go on to the end
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

/// Turns the first n elements round; false for threads that have none.
__device__ bool turned(const int* in, int* tile, int n, int* value) {
  const int t = threadIdx.x;
  if (t >= n) return false;
  tile[t] = in[t];
  __syncthreads();  // @A
  *value = tile[n - 1 - t];
  return true;
}

__global__ void turn(const int* in, int* out, int n) {
  __shared__ int tile[128];
  int value = -1;
  const bool has_one = turned(in, tile, n, &value);
  out[threadIdx.x] = has_one ? value : 0;
}  // @B

int main() {
  const int n = 75;
  int h[128], *d;
  for (int i = 0; i < 128; ++i) h[i] = i;
  CK(cudaMalloc(&d, 2 * sizeof h));
  CK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  turn<<<1, 128>>>(d, d + 128, n);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, d + 128, sizeof h, cudaMemcpyDeviceToHost));
  std::puts(h[0] == n - 1 && h[n] == 0 ? "PASS" : "FAIL");
  CK(cudaFree(d));
}

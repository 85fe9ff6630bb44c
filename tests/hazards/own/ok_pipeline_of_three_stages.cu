// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: core
// hw: ok
// row: A3
// why: three batches in flight, waits that leave two, barriers around the reads of other threads' slots; empty batches at the end
#include <cstdio>
#include <cstdlib>
#include <cuda_pipeline.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

constexpr int STAGES = 3, TILES = 7, N = 64;
__global__ void stream(const int* in, int* out) {
  __shared__ int s[STAGES][N];
  const int t = threadIdx.x;
  int sum = 0;
  for (int fill = 0; fill < STAGES - 1; ++fill) {
    __pipeline_memcpy_async(&s[fill][t], &in[N * fill + t], sizeof(int));
    __pipeline_commit();
  }
  for (int i = 0; i < TILES; ++i) {
    const int fill = i + STAGES - 1;
    if (fill < TILES) __pipeline_memcpy_async(&s[fill % STAGES][t], &in[N * fill + t], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(STAGES - 1);
    __syncthreads();
    sum += s[i % STAGES][N - 1 - t] * (i + 1);
    __syncthreads();
  }
  out[t] = sum;
}

int main() {
  int h[TILES * N], r[N], *in, *out, bad = 0;
  for (int i = 0; i < TILES * N; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof r));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  stream<<<1, N>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  for (int i = 0; i < N; ++i) {
    int want = 0;
    for (int k = 0; k < TILES; ++k) want += (N * k + N - 1 - i) * (k + 1);
    bad += r[i] != want;
  }
  CK(cudaFree(in));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R1
// why: a recursive tree sum with a barrier at every depth; all calls of a depth come from the same line
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

constexpr int N = 256;
__device__ __noinline__ void add_upper_half(int* s, int width) {
  const int t = threadIdx.x;
  if (t < width) s[t] += s[t + width];
  __syncthreads();
  if (width > 1) add_upper_half(s, width / 2);
}
__global__ void sum(const int* in, int* out) {
  __shared__ int s[N];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  add_upper_half(s, N / 2);
  if (threadIdx.x == 0) *out = s[0];
}

int main() {
  int h[N], *in, *out;
  for (int i = 0; i < N; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof(int)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  sum<<<1, N>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof(int), cudaMemcpyDeviceToHost));
  std::printf(h[0] == N * (N - 1) / 2 ? "PASS\n" : "FAIL\n");
  const int wrong = h[0] != N * (N - 1) / 2;
  CK(cudaFree(in));
  CK(cudaFree(out));
  return wrong;
}

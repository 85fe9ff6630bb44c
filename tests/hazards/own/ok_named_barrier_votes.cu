// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: S8
// why: halves of a block vote at named barriers, which order what each half has written as well
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

constexpr int N = 128, HALF = 64;
__device__ int count_at(int barrier, bool holds) {
  int count;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0; bar.red.popc.u32 %0, %1, %2, p; }"
               : "=r"(count) : "r"(barrier), "r"(HALF), "r"(int(holds)) : "memory");
  return count;
}
__device__ bool all_at(int barrier, bool holds) {
  int all;
  asm volatile("{ .reg .pred p, q; setp.ne.u32 p, %3, 0; bar.red.and.pred q, %1, %2, p; selp.u32 %0, 1, 0, q; }"
               : "=r"(all) : "r"(barrier), "r"(HALF), "r"(int(holds)) : "memory");
  return all != 0;
}
__global__ void vote(const int* in, int* out) {
  __shared__ int s[N];
  const int t = threadIdx.x, half = t / HALF;
  s[t] = in[t];
  const int even = count_at(1 + half, in[t] % 2 == 0);
  const int neighbour = s[half * HALF + (t + 1) % HALF];
  const bool all = all_at(1 + half, neighbour < N);
  out[t] = all ? even : -1;
}

int main() {
  int h[N], *in, *out;
  for (int i = 0; i < N; ++i) h[i] = i < HALF ? i : 2 * (i - HALF) + 1;
  h[HALF] = N;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  vote<<<1, N>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < N; ++i) wrong += h[i] != (i < HALF ? HALF / 2 : -1);
  std::printf(wrong == 0 ? "PASS\n" : "FAIL\n");
  CK(cudaFree(in));
  CK(cudaFree(out));
  return wrong != 0;
}

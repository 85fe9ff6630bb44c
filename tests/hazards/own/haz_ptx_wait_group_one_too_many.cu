// expect: async-hazard
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: extra
// also-ok: uninit-shared,race-shared
// hw: silent
// row: A3
// why: two groups of cp.async are under way and the wait allows one to stay; the second batch is read
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ void copy(int* to, const int* from) {
  const unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(place), "l"(from) : "memory");  // @A
  asm volatile("cp.async.commit_group;" ::: "memory");
}

__global__ void stages(const int* in, int* out) {
  __shared__ int s[2][64];
  const int t = threadIdx.x;
  copy(&s[0][t], &in[t]);
  copy(&s[1][t], &in[64 + t]);
  asm volatile("cp.async.wait_group 1;" ::: "memory");
  const int sum = s[0][t] + s[1][t];  // @B
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  out[t] = sum;
}

int main() {
  int h[128], r[64], *in, *out, bad = 0;
  for (int i = 0; i < 128; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof r));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  stages<<<1, 64>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) bad += r[i] != 2 * i + 64;
  std::printf("wrong %d\n", bad);
  CK(cudaFree(in));
  CK(cudaFree(out));
}

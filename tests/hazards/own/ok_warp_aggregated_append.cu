// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: K5
// why: active lanes elect a leader, which reserves slots for all of them by one atomic
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void k(const int* in, int* out, int* n) {
  const int v = in[threadIdx.x];
  if (v % 3 == 0) {
    const unsigned active = __activemask();
    const int leader = __ffs(active) - 1, lane = threadIdx.x % 32;
    int base = 0;
    if (lane == leader) base = atomicAdd(n, __popc(active));
    base = __shfl_sync(active, base, leader);
    out[base + __popc(active & ((1u << lane) - 1))] = v;
  }
}
int main() {
  int h[96], *in, *out, *n, m = 0, sum = 0;
  for (int i = 0; i < 96; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMalloc(&n, sizeof(int)));
  CK(cudaMemset(n, 0, sizeof(int)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  k<<<1, 96>>>(in, out, n);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&m, n, sizeof m, cudaMemcpyDeviceToHost));
  CK(cudaMemcpy(h, out, m * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < m; ++i) sum += h[i];
  CK(cudaFree(in));
  CK(cudaFree(out));
  CK(cudaFree(n));
  const bool good = m == 32 && sum == 3 * 31 * 16;
  std::printf("%s\n", good ? "PASS" : "FAIL");
  return !good;
}

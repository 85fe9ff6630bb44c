// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: S2
// why: threads need different numbers of rounds, and __syncthreads_or keeps all of them in the loop until the last is done
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void relax(int* out) {
  __shared__ int s[96];
  const int t = threadIdx.x;
  s[t] = t % 7;
  int rounds = 0;
  while (__syncthreads_or(s[t] > 0)) {
    if (s[t] > 0) --s[t];
    ++rounds;
  }
  out[t] = rounds + s[95 - t];
}

int main() {
  int h[96], *out, bad = 0;
  CK(cudaMalloc(&out, sizeof h));
  relax<<<1, 96>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int v : h) bad += v != 6;
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: K6
// why: lanes need different numbers of steps, and a vote at the head of the loop keeps all of them in it
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void search(const int* in, int* out) {
  const int lane = threadIdx.x;
  int left = in[lane], total = 0;
  while (__any_sync(0xffffffffu, left > 0)) {
    total += __popc(__ballot_sync(0xffffffffu, left > 0));
    --left;
  }
  out[lane] = total;
}

int main() {
  int h[32], *in, *out, bad = 0;
  for (int i = 0; i < 32; ++i) h[i] = i % 4;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  search<<<1, 32>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int v : h) bad += v != 48;
  CK(cudaFree(in));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

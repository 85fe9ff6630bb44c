// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R1
// why: one shared array, but each warp keeps to its own part and __syncwarp is enough until the parts are added
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void sums(const int* in, int* out) {
  __shared__ int s[128];
  const int t = threadIdx.x, lane = t % 32, base = t - lane;
  s[t] = in[t];
  __syncwarp();
  const int v = s[base + (lane + 1) % 32] + s[base + (lane + 31) % 32];
  __syncwarp();
  s[t] = v;
  __syncthreads();
  if (t < 32) out[t] = s[t] + s[t + 32] + s[t + 64] + s[t + 96];
}

int main() {
  int h[128], r[32], *in, *out, bad = 0;
  for (int i = 0; i < 128; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof r));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  sums<<<1, 128>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) bad += r[i] != 4 * ((i + 1) % 32 + (i + 31) % 32) + 384;
  CK(cudaFree(in));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

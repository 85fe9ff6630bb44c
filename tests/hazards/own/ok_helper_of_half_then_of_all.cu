// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: core
// hw: ok
// row: K3
// why: the upper half reduces among itself and returns; the lower half then calls the same helper with the full mask
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ int total(unsigned mask, int v) {
  return __reduce_add_sync(mask, v);
}

__global__ void sums(const int* in, int* out) {
  const int lane = threadIdx.x;
  int v = in[lane];
  if (lane >= 16) {
    v = total(0xffff0000u, v);
    if (lane == 16) out[1] = v;
    return;
  }
  v = total(0x0000ffffu, v);
  if (lane == 0) out[0] = v;
  v = total(0xffffffffu, 1);
  if (lane == 0) out[2] = v;
}

int main() {
  int h[32], r[3], *in, *out, bad = 0;
  for (int i = 0; i < 32; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof r));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  sums<<<1, 32>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  bad = (r[0] != 120) + (r[1] != 376) + (r[2] != 16);
  CK(cudaFree(in));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

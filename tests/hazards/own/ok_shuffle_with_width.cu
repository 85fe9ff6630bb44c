// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: K4
// why: the same shuffle with a width of eight: past its segment a lane gets its own value
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void fold(int* out) {
  const int lane = threadIdx.x;
  int v = lane;
  if (lane < 16) {
    for (int d = 4; d > 0; d /= 2) v += __shfl_down_sync(0x0000ffffu, v, d, 8);
    v = __shfl_sync(0x0000ffffu, v, 0, 8);
  }
  out[lane] = v;
}

int main() {
  int h[32], *out, bad = 0;
  CK(cudaMalloc(&out, sizeof h));
  fold<<<1, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) bad += h[i] != (i < 8 ? 28 : i < 16 ? 92 : i);
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

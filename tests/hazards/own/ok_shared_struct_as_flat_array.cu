// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M3
// why: two arrays in one shared struct are walked as one array of bytes, within the struct
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Both {
  int a[32];
  short b[64];
};
__global__ void flat(unsigned char* out) {
  __shared__ Both both;
  const int t = threadIdx.x;
  both.a[t] = 0x01010101 * t;
  both.b[2 * t] = both.b[2 * t + 1] = 0x0101;
  __syncthreads();
  const unsigned char* bytes = reinterpret_cast<unsigned char*>(&both);
  for (int i = t; i < int(sizeof(Both)); i += 32) out[i] = bytes[i];
}

int main() {
  unsigned char h[sizeof(Both)], *out;
  int bad = 0;
  CK(cudaMalloc(&out, sizeof h));
  flat<<<1, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < int(sizeof h); ++i) bad += h[i] != (i < 128 ? i / 4 : 1);
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M16
// why: numbers that the integer cannot hold are converted by a function that clamps, or clamped before; others fit
#include <climits>
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void convert(const float* in, unsigned* clamped, unsigned char* bytes, int* whole) {
  const int t = threadIdx.x;
  clamped[t] = __float2uint_rz(in[t]);
  bytes[t] = fminf(fmaxf(in[t], 0.0f), 511.0f);  // the lowest bits of 32, on devices and on hosts
  whole[t] = t == 0 ? 2147483520.0f : -2147483648.0f;
  if (in[t] > -1.0f && in[t] < 1.0f) whole[t] = (unsigned)in[t];
}

int main() {
  const int n = 8;
  const float h[n] = {0.0f, -0.99f, -1.0f, 4294967296.0f, 1e30f, -1e30f, 254.5f, 255.9f};
  const unsigned want_clamped[n] = {0, 0, 0, UINT_MAX, UINT_MAX, 0, 254, 255};
  const unsigned char want_bytes[n] = {0, 0, 0, 255, 255, 0, 254, 255};
  const int want_whole[n] = {0, 0, INT_MIN, INT_MIN, INT_MIN, INT_MIN, INT_MIN, INT_MIN};
  float* in;
  unsigned *clamped, got_clamped[n];
  unsigned char *bytes, got_bytes[n];
  int *whole, got_whole[n], bad = 0;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&clamped, sizeof got_clamped));
  CK(cudaMalloc(&bytes, sizeof got_bytes));
  CK(cudaMalloc(&whole, sizeof got_whole));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  convert<<<1, n>>>(in, clamped, bytes, whole);
  CK(cudaGetLastError());
  CK(cudaMemcpy(got_clamped, clamped, sizeof got_clamped, cudaMemcpyDeviceToHost));
  CK(cudaMemcpy(got_bytes, bytes, sizeof got_bytes, cudaMemcpyDeviceToHost));
  CK(cudaMemcpy(got_whole, whole, sizeof got_whole, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i)
    bad += got_clamped[i] != want_clamped[i] || got_bytes[i] != want_bytes[i] || got_whole[i] != want_whole[i];
  std::puts(bad == 0 ? "PASS" : "FAIL");
  return bad != 0;
}

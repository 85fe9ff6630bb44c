// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M12
// why: a float at an odd offset of a byte stream is taken out with memcpy, which has no alignment
#include <cstdio>
#include <cstdlib>
#include <cstring>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void unpack(const unsigned char* in, float* out) {
  const unsigned char* record = in + 5 * threadIdx.x;
  float value;
  memcpy(&value, record + 1, sizeof value);
  out[threadIdx.x] = value * record[0];
}

int main() {
  unsigned char h[160], *in;
  float r[32], *out;
  int bad = 0;
  for (int i = 0; i < 32; ++i) {
    const float value = float(i) + 0.5f;
    h[5 * i] = 2;
    std::memcpy(h + 5 * i + 1, &value, sizeof value);
  }
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof r));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  unpack<<<1, 32>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) bad += r[i] != 2 * (float(i) + 0.5f);
  CK(cudaFree(in));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

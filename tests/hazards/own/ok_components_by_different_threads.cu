// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R3
// why: four threads write the components of one vector each, of bytes, shorts and floats, and one reads the whole after a barrier
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void pack(uchar4* bytes, short2* shorts, float4* floats, int* out) {
  __shared__ uchar4 local[8];
  const int i = threadIdx.x / 4, c = threadIdx.x % 4;
  reinterpret_cast<unsigned char*>(&bytes[i])[c] = static_cast<unsigned char>(c);
  if (c < 2) reinterpret_cast<short*>(&shorts[i])[c] = short(c + 1);
  reinterpret_cast<float*>(&floats[i])[c] = float(c);
  reinterpret_cast<unsigned char*>(&local[i])[c] = static_cast<unsigned char>(2 * c);
  __syncthreads();
  if (c == 0) {
    const uchar4 b = bytes[i], l = local[i];
    const short2 s = shorts[i];
    const float4 f = floats[i];
    out[i] = b.w + l.w * 10 + s.y * 100 + int(f.w) * 1000;
  }
}

int main() {
  uchar4* bytes;
  short2* shorts;
  float4* floats;
  int h[8], *out, bad = 0;
  CK(cudaMalloc(&bytes, 8 * sizeof *bytes));
  CK(cudaMalloc(&shorts, 8 * sizeof *shorts));
  CK(cudaMalloc(&floats, 8 * sizeof *floats));
  CK(cudaMalloc(&out, sizeof h));
  pack<<<1, 32>>>(bytes, shorts, floats, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int got : h) bad += got != 3263;
  CK(cudaFree(bytes));
  CK(cudaFree(shorts));
  CK(cudaFree(floats));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: R3
// why: neighbouring threads store neighbouring bytes and halves of shared and global words; no byte belongs to two of them
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void spread(unsigned char* bytes, unsigned short* halves, unsigned* out) {
  __shared__ unsigned words[32];
  const int t = threadIdx.x;
  reinterpret_cast<unsigned char*>(words)[t] = (unsigned char)(t + 1);
  bytes[t] = (unsigned char)(2 * t);
  halves[blockIdx.x * 128 + t] = (unsigned short)t;
  __syncthreads();
  if (t < 32) out[t] = words[t] + reinterpret_cast<unsigned*>(bytes)[t];
}

int main() {
  unsigned char* bytes;
  unsigned short* halves;
  unsigned r[32], *out;
  int bad = 0;
  CK(cudaMalloc(&bytes, 128));
  CK(cudaMalloc(&halves, 256));
  CK(cudaMalloc(&out, sizeof r));
  spread<<<1, 128>>>(bytes, halves, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < 32; ++i) {
    unsigned want = 0;
    for (unsigned k = 0; k < 4; ++k) want += (3 * (4 * i + k) + 1) << 8 * k;
    bad += r[i] != want;
  }
  CK(cudaFree(bytes));
  CK(cudaFree(halves));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

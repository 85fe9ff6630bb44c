// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: R3
// why: each thread stores a byte; a thread of another warp reads four of them as one word, with no barrier
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void pack(const unsigned char* in, unsigned* out) {
  __shared__ unsigned words[32];
  const int t = threadIdx.x;
  reinterpret_cast<unsigned char*>(words)[t] = in[t];  // @A
  if (t < 32) out[t] = words[t];                       // @B
}

int main() {
  unsigned char h[128], *in;
  unsigned r[32], *out;
  for (int i = 0; i < 128; ++i) h[i] = (unsigned char)i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof r));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  pack<<<1, 128>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  std::printf("r[31] = %08x\n", r[31]);
  CK(cudaFree(in));
  CK(cudaFree(out));
}

// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: M6
// why: structs with padding are filled member by member and copied whole, through shared memory and back; padding is no value
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Sample {
  char kind;
  double value;
  short weight;
};
__global__ void make(Sample* a, const int* in) {
  Sample& s = a[threadIdx.x];
  s.kind = char(in[threadIdx.x] % 3);
  s.value = in[threadIdx.x];
  s.weight = 2;
}
__global__ void reverse(const Sample* a, Sample* b) {
  __shared__ Sample s[32];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  b[threadIdx.x] = s[31 - threadIdx.x];
}

int main() {
  int n[32], *in, bad = 0;
  Sample h[32], *a, *b;
  for (int i = 0; i < 32; ++i) n[i] = i;
  CK(cudaMalloc(&in, sizeof n));
  CK(cudaMalloc(&a, sizeof h));
  CK(cudaMalloc(&b, sizeof h));
  CK(cudaMemcpy(in, n, sizeof n, cudaMemcpyHostToDevice));
  make<<<1, 32>>>(a, in);
  reverse<<<1, 32>>>(a, b);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) bad += h[i].kind != (31 - i) % 3 || h[i].value != 31 - i || h[i].weight != 2;
  CK(cudaFree(in));
  CK(cudaFree(a));
  CK(cudaFree(b));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

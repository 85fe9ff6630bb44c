// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M4
// why: dynamic shared memory carved into three arrays of different types, used to the last byte, beside a static array
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void carve(const int* in, int* out, int n) {
  extern __shared__ __align__(16) unsigned char pool[];
  __shared__ int total;
  double* values = reinterpret_cast<double*>(pool);
  int* keys = reinterpret_cast<int*>(values + n);
  unsigned char* flags = reinterpret_cast<unsigned char*>(keys + n);
  const int t = threadIdx.x;
  if (t == 0) total = 0;
  values[t] = in[t] * 0.5;
  keys[t] = n - 1 - t;
  flags[t] = t % 2;
  __syncthreads();
  if (flags[keys[t]]) atomicAdd(&total, int(2 * values[keys[t]]));
  __syncthreads();
  if (t == 0) *out = total;
}

int main() {
  const int n = 51;
  int h[n], r = 0, *in, *out;
  for (int i = 0; i < n; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof(int)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  carve<<<1, n, n * (sizeof(double) + sizeof(int) + 1)>>>(in, out, n);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&r, out, sizeof(int), cudaMemcpyDeviceToHost));
  CK(cudaFree(in));
  CK(cudaFree(out));
  std::printf("%s\n", r != 625 ? "FAIL" : "PASS");
  return r != 625;
}

// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: R3
// why: one buffer is an array of doubles, then of ints, then of bytes, with barriers between; ping-pong by swapped pointers
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void phases(const double* in, int* out) {
  extern __shared__ __align__(16) unsigned char raw[];
  const int t = threadIdx.x;
  double* wide = reinterpret_cast<double*>(raw);
  wide[t] = in[t];
  __syncthreads();
  const int mine = int(wide[(t + 5) % blockDim.x]);
  __syncthreads();
  int* from = reinterpret_cast<int*>(raw);
  int* to = from + blockDim.x;
  from[t] = mine;
  __syncthreads();
  for (int d = 1; d < int(blockDim.x); d *= 2) {
    to[t] = from[t] + (t >= d ? from[t - d] : 0);
    __syncthreads();
    int* other = from;
    from = to;
    to = other;
  }
  const int sum = from[t];
  __syncthreads();
  raw[t] = static_cast<unsigned char>(sum);
  __syncthreads();
  out[t] = raw[blockDim.x - 1 - t];
}

int main() {
  double h[64], *in;
  int r[64], *out, bad = 0, sum = 0;
  for (int i = 0; i < 64; ++i) h[i] = i % 3;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof r));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  phases<<<1, 64, 64 * sizeof(double)>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) {
    sum += int(h[(i + 5) % 64]);
    bad += r[63 - i] != sum % 256;
  }
  CK(cudaFree(in));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

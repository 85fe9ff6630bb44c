// SPDX-License-Identifier: Apache-2.0
//
// A sum in a block whose last iterations have no barrier between them.
#include <cstdio>
__global__ void sum(const int* in, int* out) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int o = 128; o > 0; o >>= 1) {
    if (t < o) s[t] += s[t + o];
    if (o > 32) __syncthreads();
  }
  if (t == 0) *out = s[0];
}
int main() {
  int *in, *out;
  cudaMallocManaged(&in, 256 * sizeof(int));
  cudaMallocManaged(&out, sizeof(int));
  for (int i = 0; i < 256; ++i) in[i] = 1;
  sum<<<1, 256>>>(in, out);
  cudaDeviceSynchronize();
  std::printf("%d\n", *out);
}

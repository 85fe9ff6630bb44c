// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: oob-global
// hw: fault
// row: M1
// why: a table that is null is read before tiles are exchanged without a barrier
#include <cstdio>

__global__ void exchange(const float* scale, const float* in, float* out) {
  __shared__ float tile[128];
  const int t = threadIdx.x;
  const float factor = scale[t % 4];
  tile[t] = in[t] + factor;       // @A
  out[t] = tile[(t + 64) % 128];  // @B
}

int main() {
  float host[128];
  for (int i = 0; i < 128; ++i) host[i] = static_cast<float>(i);
  float* in;
  float* out;
  if (cudaMalloc(&in, sizeof host) != cudaSuccess || cudaMalloc(&out, sizeof host) != cudaSuccess) return 3;
  if (cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice) != cudaSuccess) return 3;
  exchange<<<1, 128>>>(nullptr, in, out);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

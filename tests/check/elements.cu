// SPDX-License-Identifier: Apache-2.0
// An index that leads several threads to one element leaves others unwritten, which the copy to the host shows. Members
// that are left out are none of these.
#include <cstdio>
#include <cstring>

__global__ void doubled(const float* in, float* out) {
  const int pair = threadIdx.x / 2 * 2;
  out[pair] = 2 * in[pair];
}

struct Pair {
  float value, unused;
};

__global__ void doubled_members(const float* in, Pair* out) {
  out[threadIdx.x / 2].value = 2 * in[threadIdx.x / 2];
}

int main(int argc, char** argv) {
  float host[64];
  float *in, *out;
  for (int i = 0; i < 64; ++i) host[i] = static_cast<float>(i);
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  if (argc > 1 && std::strcmp(argv[1], "members") == 0) {
    doubled_members<<<1, 64>>>(in, reinterpret_cast<Pair*>(out));
  } else {
    doubled<<<1, 64>>>(in, out);
  }
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%g\n", host[0]);
  cudaFree(in);
  cudaFree(out);
}

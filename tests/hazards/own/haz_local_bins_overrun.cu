// expect: oob-index
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: M2
// why: a thread's own bins are too few for what it counts; what lies behind them on its stack stays as it is
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

constexpr int kBins = 8;
constexpr int kInputs = 64;

__global__ void count(const int* in, int* out) {
  int bins[kBins] = {};
  int weights[kBins] = {1, 1, 1, 1, 1, 1, 1, 1};
  for (int i = threadIdx.x; i < kInputs; i += 8) {
    bins[in[i]] += weights[i % kBins];  // @A
  }
  for (int i = 0; i < kBins; ++i) atomicAdd(&out[i], bins[i]);
}

int main() {
  int* in;
  int* out;
  int host[kInputs];
  for (int i = 0; i < kInputs; ++i) host[i] = i;
  CK(cudaMalloc(&in, sizeof host));
  CK(cudaMalloc(&out, kBins * sizeof(int)));
  CK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
  CK(cudaMemset(out, 0, kBins * sizeof(int)));
  count<<<1, 8>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(host, out, kBins * sizeof(int), cudaMemcpyDeviceToHost));
  int sum = 0;
  for (int i = 0; i < kBins; ++i) sum += host[i];
  std::printf("%d\n", sum);
  CK(cudaFree(in));
  CK(cudaFree(out));
}

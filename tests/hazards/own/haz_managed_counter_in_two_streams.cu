// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: R12
// why: two streams run the same kernel on one managed accumulator, with no event between them
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void accumulate(const int* in, int n, long long* total) {
  long long sum = 0;
  for (int i = 0; i < n; ++i) sum += in[i];
  *total += sum;  // @A @B
}

int main() {
  int* in;
  long long* total;
  CK(cudaMallocManaged(&in, 64 * sizeof(int)));
  CK(cudaMallocManaged(&total, sizeof(long long)));
  for (int i = 0; i < 64; ++i) in[i] = i;
  *total = 0;
  cudaStream_t streams[2];
  for (auto& stream : streams) CK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (int i = 0; i < 2; ++i) accumulate<<<1, 1, 0, streams[i]>>>(in + 32 * i, 32, total);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("total %lld\n", *total);
  for (auto& stream : streams) CK(cudaStreamDestroy(stream));
  CK(cudaFree(in));
  CK(cudaFree(total));
}

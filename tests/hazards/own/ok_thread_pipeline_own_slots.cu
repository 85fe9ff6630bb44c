// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: core
// hw: ok
// row: A4
// why: each thread has a pipeline of its own and reads only what it copied itself; the block meets before the exchange
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

#include <cuda/pipeline>

template <int kStages>
__global__ void sums(const int* in, int* out, int rounds) {
  __shared__ int ring[kStages][64];
  const unsigned t = threadIdx.x;
  auto pipe = cuda::make_pipeline();
  int sum = 0;
  for (int fetched = 0, i = 0; i < rounds; ++i) {
    for (; fetched < rounds && fetched < i + kStages; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(&ring[fetched % kStages][t], in + 64 * fetched + t, sizeof(int), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += ring[i % kStages][t];
    pipe.consumer_release();
  }
  __syncthreads();
  ring[0][t] = sum;
  __syncthreads();
  out[t] = ring[0][63 - t];
}

int main() {
  int h[64 * 5], r[64], *in, *out, bad = 0;
  for (int i = 0; i < 64 * 5; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof r));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  sums<3><<<1, 64>>>(in, out, 5);
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) bad += r[63 - i] != 640 + 5 * i;
  CK(cudaFree(in));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

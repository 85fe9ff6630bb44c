// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R12
// why: host threads upload, compute and download their own chunks in streams of their own
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void square(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * in[i];
}

int main() {
  const int n = 77, parts = 3;
  std::vector<int> h(n * parts), r(n * parts);
  for (int i = 0; i < n * parts; ++i) h[i] = i;
  int *in, *out;
  CK(cudaMalloc(&in, h.size() * sizeof(int)));
  CK(cudaMalloc(&out, h.size() * sizeof(int)));
  std::vector<std::thread> threads;
  for (int p = 0; p < parts; ++p) {
    threads.emplace_back([=, &h, &r] {
      cudaStream_t s;
      CK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
      const size_t bytes = n * sizeof(int);
      CK(cudaMemcpyAsync(in + p * n, h.data() + p * n, bytes, cudaMemcpyHostToDevice, s));
      square<<<3, 32, 0, s>>>(in + p * n, out + p * n, n);
      CK(cudaMemcpyAsync(r.data() + p * n, out + p * n, bytes, cudaMemcpyDeviceToHost, s));
      CK(cudaStreamSynchronize(s));
      CK(cudaStreamDestroy(s));
    });
  }
  for (auto& t : threads) t.join();
  bool right = true;
  for (int i = 0; i < n * parts; ++i) right = right && r[i] == i * i;
  std::puts(right ? "PASS" : "FAIL");
  CK(cudaFree(in));
  CK(cudaFree(out));
}

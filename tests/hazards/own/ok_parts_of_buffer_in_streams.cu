// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M6
// why: chunks of a buffer are written in streams, copied within the device and back to the host in another order, and a list is copied as far as it is long
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void keep_even(const int* in, int n, int* list, int* length) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 2 == 0) list[atomicAdd(length, 1)] = in[i];
}
__global__ void number(int* p, int from) { p[threadIdx.x] = from + int(threadIdx.x); }

int main() {
  constexpr int n = 128, chunk = 32;
  int *a, *b, *list, *length, *h, count = 0, bad = 0;
  cudaStream_t streams[4];
  CK(cudaMalloc(&a, n * sizeof(int)));
  CK(cudaMalloc(&b, n * sizeof(int)));
  CK(cudaMalloc(&list, n * sizeof(int)));
  CK(cudaMalloc(&length, sizeof(int)));
  CK(cudaMallocHost(&h, n * sizeof(int)));
  CK(cudaMemset(length, 0, sizeof(int)));
  for (int s = 0; s < 4; ++s) {
    CK(cudaStreamCreate(&streams[s]));
    number<<<1, chunk, 0, streams[s]>>>(a + s * chunk, s * chunk);
    CK(cudaMemcpyAsync(b + (3 - s) * chunk, a + s * chunk, chunk * sizeof(int), cudaMemcpyDeviceToDevice, streams[s]));
    CK(cudaMemcpyAsync(h + s * chunk, b + (3 - s) * chunk, chunk * sizeof(int), cudaMemcpyDeviceToHost, streams[s]));
  }
  CK(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) bad += h[i] != i;
  keep_even<<<4, 32>>>(b, n, list, length);
  CK(cudaMemcpy(&count, length, sizeof count, cudaMemcpyDeviceToHost));
  CK(cudaMemcpy(h, list, count * sizeof(int), cudaMemcpyDeviceToHost));
  bad += count != n / 2;
  for (int i = 0; i < count; ++i) bad += h[i] % 2;
  for (cudaStream_t each : streams) CK(cudaStreamDestroy(each));
  CK(cudaFree(a));
  CK(cudaFree(b));
  CK(cudaFree(list));
  CK(cudaFree(length));
  CK(cudaFreeHost(h));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

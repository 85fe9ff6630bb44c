// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M14
// why: the host fills its own copy and managed memory, variables are copied by name, and constants are read by both
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ int factor;
__managed__ int calls;
const int kOffset = 3;
constexpr int kTable[] = {1, 2, 4, 8};

__global__ void scale(int* p, const int* more) {
  const int i = threadIdx.x;
  p[i] = p[i] * factor + kOffset + kTable[i % 4] + more[i];
  if (i == 0) calls += 1;
}

int main() {
  constexpr int N = 32;
  int host[N];
  int* values;
  int* more;
  CK(cudaMalloc(&values, sizeof host));
  CK(cudaMallocManaged(&more, sizeof host));
  for (int i = 0; i < N; ++i) host[i] = more[i] = i;
  const int three = 3;
  CK(cudaMemcpyToSymbol(factor, &three, sizeof three));
  CK(cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice));
  calls = 4;
  scale<<<1, N>>>(values, more);
  CK(cudaGetLastError());
  CK(cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost));
  CK(cudaDeviceSynchronize());
  bool right = calls == 5;
  for (int i = 0; i < N; ++i) right = right && host[i] == i * 3 + kOffset + kTable[i % 4] + more[i];
  std::printf(right ? "PASS\n" : "FAIL\n");
  return right ? 0 : 1;
}

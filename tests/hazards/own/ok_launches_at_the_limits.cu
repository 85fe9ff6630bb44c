// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: L1
// why: 1,024 threads, 64 threads deep, and all the dynamic shared memory that may be opted in to
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void fill(int* p, int words) {
  extern __shared__ int s[];
  const int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const int threads = blockDim.x * blockDim.y * blockDim.z;
  for (int i = t; i < words; i += threads) s[i] = i;
  __syncthreads();
  if (t == threads - 1) p[blockIdx.x] = s[words - 1] + threads;
}

int main() {
  cudaDeviceProp prop;
  CK(cudaGetDeviceProperties(&prop, 0));
  const int most = int(prop.sharedMemPerBlockOptin);
  int h[2], *p, bad = 0;
  CK(cudaMalloc(&p, sizeof h));
  CK(cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
  fill<<<2, dim3(4, 4, 64), most>>>(p, most / 4);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
  for (int v : h) bad += v != most / 4 - 1 + 1024;
  CK(cudaFree(p));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

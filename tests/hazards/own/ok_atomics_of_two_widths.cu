// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R3
// why: the halves of a 64-bit word are counted with 32-bit atomics and the whole with 64-bit ones, a barrier between the two
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void count(unsigned long long* out) {
  __shared__ unsigned long long pair;
  unsigned* halves = reinterpret_cast<unsigned*>(&pair);
  if (threadIdx.x == 0) pair = 0;
  __syncthreads();
  atomicAdd(&halves[threadIdx.x % 2], 1u);
  __syncthreads();
  atomicAdd(&pair, 1ull << 32);
  __syncthreads();
  if (threadIdx.x == 0) *out = pair;
}

int main() {
  unsigned long long r = 0, *out;
  CK(cudaMalloc(&out, sizeof r));
  count<<<1, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&r, out, sizeof r, cudaMemcpyDeviceToHost));
  const bool bad = r != (96ull << 32) + 32;
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad;
}

// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M10
// why: memory of a pool is allocated in one stream and filled in another, which does not wait
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

int main() {
  int* p;
  cudaStream_t s, t;
  cudaMemPool_t pool;
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  CK(cudaMemPoolCreate(&pool, &properties));
  CK(cudaStreamCreate(&s));
  CK(cudaStreamCreate(&t));
  CK(cudaMallocFromPoolAsync(&p, 256, pool, s));  // @A
  CK(cudaMemsetAsync(p, 0, 256, t));              // @B
  CK(cudaStreamSynchronize(t));
  CK(cudaStreamSynchronize(s));
  CK(cudaFreeAsync(p, t));
  CK(cudaStreamSynchronize(t));
  CK(cudaMemPoolDestroy(pool));
  CK(cudaStreamDestroy(s));
  CK(cudaStreamDestroy(t));
}

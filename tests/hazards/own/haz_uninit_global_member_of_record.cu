// expect: uninit-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M6
// why: a member of each record is never set, and the next kernel multiplies with it
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Record { int key; float weight; };
__global__ void make(Record* r) {
  r[threadIdx.x].key = threadIdx.x;
}
__global__ void weigh(const Record* r, float* out) {
  out[threadIdx.x] = r[threadIdx.x].key *
                     r[threadIdx.x].weight;  // @A
}

int main() {
  Record* r;
  float h[32], *d;
  CK(cudaMalloc(&r, 32 * sizeof(Record)));
  CK(cudaMalloc(&d, sizeof h));
  make<<<1, 32>>>(r);
  weigh<<<1, 32>>>(r, d);
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  std::puts(h[5] == 5 ? "PASS" : "FAIL");
  CK(cudaFree(r));
  CK(cudaFree(d));
}

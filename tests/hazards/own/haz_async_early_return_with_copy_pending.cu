// expect: async-hazard
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: extra
// hw: silent
// row: A6
// why: threads whose item is empty return with their copy pending
#include <cstdio>
#include <cstdlib>
#include <cuda_pipeline.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Item { int key, a, b, c; };
__global__ void look(const Item* items, int* out) {
  __shared__ Item s[32];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &items[t], sizeof(Item));  // @A
  __pipeline_commit();
  if (items[t].key == 0) return;
  __pipeline_wait_prior(0);
  out[t] = s[t].a;
}

int main() {
  Item h[32], *d;
  int o[32], *out;
  for (int i = 0; i < 32; ++i) h[i] = Item{i, i, i, i};
  CK(cudaMalloc(&d, sizeof h));
  CK(cudaMalloc(&out, sizeof o));
  CK(cudaMemset(out, 0, sizeof o));
  CK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  look<<<1, 32>>>(d, out);
  CK(cudaMemcpy(o, out, sizeof o, cudaMemcpyDeviceToHost));
  std::puts(o[5] == 5 ? "PASS" : "FAIL");
  CK(cudaFree(d));
  CK(cudaFree(out));
}

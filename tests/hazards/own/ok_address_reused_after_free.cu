// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M9
// why: freed memory is allocated again, on the host and on the device's heap, and used through the new pointer
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void fill(int* p, int v) { p[threadIdx.x] = v; }
__global__ void heap(int* out) {
  int sum = 0;
  for (int i = 0; i < 8; ++i) {
    int* p = static_cast<int*>(malloc(4 * sizeof(int)));
    if (p == nullptr) return;
    p[i % 4] = i;
    sum += p[i % 4];
    free(p);
  }
  atomicAdd(out, sum);
}

int main() {
  int h[64], r = 0, *p, *out, bad = 0;
  CK(cudaMalloc(&out, sizeof(int)));
  CK(cudaMemset(out, 0, sizeof(int)));
  for (int v = 1; v <= 3; ++v) {
    CK(cudaMalloc(&p, sizeof h));
    fill<<<1, 64>>>(p, v);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
    CK(cudaFree(p));
    for (int each : h) bad += each != v;
  }
  heap<<<1, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&r, out, sizeof(int), cudaMemcpyDeviceToHost));
  bad += r != 64 * 28;
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

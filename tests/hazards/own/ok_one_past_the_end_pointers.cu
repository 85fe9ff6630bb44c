// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: M1
// why: iterators: begin and end pointers of device ranges, reversed loops, an end pointer that equals the next allocation's start
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Range {
  const int* first;
  const int* last;
  __device__ const int* begin() const { return first; }
  __device__ const int* end() const { return last; }
};

__global__ void sums(const Range* ranges, int n, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (int v : ranges[i]) sum += v;
  for (const int* p = ranges[i].last; p != ranges[i].first;) sum += *--p;
  out[i] = sum;
}

int main() {
  int h[16], r[3], *a, *b, *out, bad = 0;
  Range ranges[3], *device;
  for (int i = 0; i < 16; ++i) h[i] = i;
  CK(cudaMalloc(&a, sizeof h));
  CK(cudaMalloc(&b, sizeof h));
  CK(cudaMalloc(&out, sizeof r));
  CK(cudaMalloc(&device, sizeof ranges));
  CK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
  CK(cudaMemcpy(b, a, sizeof h, cudaMemcpyDeviceToDevice));
  ranges[0] = {a, a + 16};
  ranges[1] = {a + 16, a + 16};
  ranges[2] = {b + 8, b + 16};
  CK(cudaMemcpy(device, ranges, sizeof ranges, cudaMemcpyHostToDevice));
  sums<<<1, 32>>>(device, 3, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  bad = (r[0] != 240) + (r[1] != 0) + (r[2] != 184);
  CK(cudaFree(a));
  CK(cudaFree(b));
  CK(cudaFree(out));
  CK(cudaFree(device));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

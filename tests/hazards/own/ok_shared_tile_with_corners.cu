// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M7
// why: all of a tile with its ghost cells is cleared before its parts are loaded
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void blur(const float* in, float* out) {
  __shared__ float t[10][10];
  const int x = threadIdx.x + 1, y = threadIdx.y + 1;
  for (int i = threadIdx.y * 8 + threadIdx.x; i < 100; i += 64) t[i / 10][i % 10] = 0;
  __syncthreads();
  t[y][x] = in[threadIdx.y * 8 + threadIdx.x];
  if (x == 1) t[y][0] = 0;
  if (x == 8) t[y][9] = 0;
  if (y == 1) t[0][x] = 0;
  if (y == 8) t[9][x] = 0;
  __syncthreads();
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) sum += t[y + dy][x + dx];
  out[threadIdx.y * 8 + threadIdx.x] = sum;
}

int main() {
  float h[64], *in, *out;
  for (float& v : h) v = 1;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  blur<<<1, dim3(8, 8)>>>(in, out);
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::puts(h[0] == 4 ? "PASS" : "FAIL");
  CK(cudaFree(in));
  CK(cudaFree(out));
}

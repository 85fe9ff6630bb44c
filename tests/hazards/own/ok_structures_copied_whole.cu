// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: M7
// why: vectors and large structures go through shared and global memory whole, by assignment, memcpy and memset, and are read in parts
#include <cstdio>
#include <cstdlib>
#include <cstring>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Row {
  int v[20];
};
__global__ void exchange(const float4* in, float4* out, const Row* from, Row* to, int bytes) {
  __shared__ float4 vectors[32];
  __shared__ Row rows[32];
  const uint3 at = threadIdx;
  vectors[at.x] = in[at.x];
  memset(&rows[at.x], 0, sizeof(Row));
  memcpy(&rows[at.x], &from[at.x], bytes);
  __syncthreads();
  float4 v = vectors[31 - at.x];
  v.y += float(rows[31 - at.x].v[2]);
  out[at.x] = v;
  memmove(&to[at.x], &rows[at.x], sizeof(Row));
}
__global__ void sum(const float4* in, const Row* rows, float* out) {
  out[threadIdx.x] = in[threadIdx.x].y + in[threadIdx.x].w + float(rows[threadIdx.x].v[3] + rows[threadIdx.x].v[19]);
}

int main() {
  float4 h[32], *in, *mid;
  Row r[32], *from, *to;
  float got[32], *out;
  int bad = 0;
  for (int i = 0; i < 32; ++i) {
    h[i] = make_float4(0, 1, 2, float(i));
    for (int j = 0; j < 20; ++j) r[i].v[j] = i + j;
  }
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&mid, sizeof h));
  CK(cudaMalloc(&from, sizeof r));
  CK(cudaMalloc(&to, sizeof r));
  CK(cudaMalloc(&out, sizeof got));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CK(cudaMemcpy(from, r, sizeof r, cudaMemcpyHostToDevice));
  exchange<<<1, 32>>>(in, mid, from, to, 4 * int(sizeof(int)));
  sum<<<1, 32>>>(mid, to, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) bad += got[i] != float(1 + (31 - i + 2) + (31 - i) + i + 3);
  CK(cudaFree(in));
  CK(cudaFree(mid));
  CK(cudaFree(from));
  CK(cudaFree(to));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M2
// why: a kernel gets only a table of pointers; each row is an allocation of its own and is reached through memory
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Row {
  int* values;
  int size;
};
__global__ void sums(const Row* rows, int* out) {
  const Row row = rows[threadIdx.x];
  int sum = 0;
  for (int* v = row.values; v != row.values + row.size; ++v) sum += *v;
  out[threadIdx.x] = sum;
}

int main() {
  Row h[4], *rows;
  int values[16], r[4], *out, bad = 0;
  for (int i = 0; i < 16; ++i) values[i] = i + 1;
  for (int i = 0; i < 4; ++i) {
    h[i].size = 4 * (i + 1) - 1;
    CK(cudaMalloc(&h[i].values, h[i].size * sizeof(int)));
    CK(cudaMemcpy(h[i].values, values, h[i].size * sizeof(int), cudaMemcpyHostToDevice));
  }
  CK(cudaMalloc(&rows, sizeof h));
  CK(cudaMalloc(&out, sizeof r));
  CK(cudaMemcpy(rows, h, sizeof h, cudaMemcpyHostToDevice));
  sums<<<1, 4>>>(rows, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 4; ++i) bad += r[i] != h[i].size * (h[i].size + 1) / 2;
  for (Row& row : h) CK(cudaFree(row.values));
  CK(cudaFree(rows));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

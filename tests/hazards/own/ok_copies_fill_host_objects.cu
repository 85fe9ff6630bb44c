// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M1
// why: copies to the whole and to parts of vectors, blocks of malloc(), static and local arrays and structures
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Pair {
  int first[16];
  int second[16];
};
static Pair pair;
static int grid[4][16];

int main() {
  int local[32], single = 0, *d, bad = 0;
  CK(cudaMalloc(&d, 32 * sizeof(int)));
  CK(cudaMemset(d, 1, 32 * sizeof(int)));
  const size_t half = 16 * sizeof(int);
  CK(cudaMemcpy(local, d, sizeof local, cudaMemcpyDeviceToHost));
  CK(cudaMemcpy(local + 16, d, half, cudaMemcpyDeviceToHost));
  CK(cudaMemcpy(&single, d, sizeof single, cudaMemcpyDeviceToHost));
  CK(cudaMemcpy(&pair, d, sizeof pair, cudaMemcpyDeviceToHost));
  CK(cudaMemcpy(pair.first, d, sizeof pair, cudaMemcpyDeviceToHost));
  CK(cudaMemcpy2D(grid[1], sizeof grid[0], d, half / 2, half / 2, 3, cudaMemcpyDeviceToHost));
  std::vector<int> values(20);
  CK(cudaMemcpy(values.data() + 4, d, half, cudaMemcpyDeviceToHost));
  values.resize(1000);
  CK(cudaMemcpy(&values[1000 - 32], d, 32 * sizeof(int), cudaMemcpyDeviceToHost));
  auto* block = static_cast<char*>(std::malloc(half));
  CK(cudaMemcpy(block, d, half, cudaMemcpyDeviceToHost));
  block = static_cast<char*>(std::realloc(block, 2 * half));
  CK(cudaMemcpy(block + half, d, half, cudaMemcpyDeviceToHost));
  const auto array = std::make_unique<int[]>(32);
  CK(cudaMemcpy(array.get(), d, 32 * sizeof(int), cudaMemcpyDeviceToHost));
  for (const int value : {local[31], single, pair.second[15], grid[3][7], values[19], values[999], array[31]})
    bad += value != 0x01010101;
  std::free(block);
  CK(cudaFree(d));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

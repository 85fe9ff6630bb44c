// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: M6
// why: what is copied to the host has padding, gaps between rows, slots that nobody took, and bytes that came later than the copy within the device
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct alignas(32) Entry {
  short key;
  double weight;
};
__global__ void make(Entry* table, int stride) {
  Entry& e = table[threadIdx.x * stride];
  e.key = short(threadIdx.x);
  e.weight = 1.5;
}
__global__ void rows(char* image, size_t pitch) {
  reinterpret_cast<int*>(image + threadIdx.y * pitch)[threadIdx.x] = int(threadIdx.x + 100 * threadIdx.y);
}
__global__ void finish(int* p, int from) {
  p[from + threadIdx.x] = 7;
}

int main() {
  constexpr int slots = 16, width = 20, height = 6, n = 64;
  Entry h[2 * slots], *table;
  char* image;
  int *a, *b, got[n], bad = 0;
  size_t pitch = 0;
  CK(cudaMalloc(&table, sizeof h));
  CK(cudaMallocPitch(&image, &pitch, width * sizeof(int), height));
  CK(cudaMalloc(&a, sizeof got));
  CK(cudaMalloc(&b, sizeof got));
  make<<<1, slots>>>(table, 2);
  rows<<<1, dim3(width, height)>>>(image, pitch);
  finish<<<1, n / 2>>>(a, 0);
  CK(cudaMemcpy(b, a, sizeof got, cudaMemcpyDeviceToDevice));
  finish<<<1, n / 2>>>(b, n / 2);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, table, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < slots; ++i) bad += h[2 * i].key != i || h[2 * i].weight != 1.5;
  char* all = static_cast<char*>(std::malloc(pitch * height));
  CK(cudaMemcpy(all, image, pitch * height, cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; ++y) bad += reinterpret_cast<int*>(all + y * pitch)[width - 1] != width - 1 + 100 * y;
  std::free(all);
  CK(cudaMemcpy(got, b, sizeof got, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) bad += got[i] != 7;
  CK(cudaFree(table));
  CK(cudaFree(image));
  CK(cudaFree(a));
  CK(cudaFree(b));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: M2
// why: a kernel reaches the memory of an array by a surface object and not by any pointer
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void paint(cudaSurfaceObject_t surface) {
  surf2Dwrite(int(threadIdx.x + 10 * threadIdx.y), surface, threadIdx.x * sizeof(int), threadIdx.y);
}

__global__ void look(cudaSurfaceObject_t surface, int* out) {
  int value;
  surf2Dread(&value, surface, threadIdx.x * sizeof(int), threadIdx.y);
  out[threadIdx.y * blockDim.x + threadIdx.x] = value;
}

int main() {
  int h[32], *out, bad = 0;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t array;
  cudaSurfaceObject_t surface;
  cudaResourceDesc resource{};
  CK(cudaMallocArray(&array, &format, 8, 4, cudaArraySurfaceLoadStore));
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  CK(cudaCreateSurfaceObject(&surface, &resource));
  CK(cudaMalloc(&out, sizeof h));
  paint<<<1, dim3(8, 4)>>>(surface);
  look<<<1, dim3(8, 4)>>>(surface, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) bad += h[i] != i % 8 + 10 * (i / 8);
  CK(cudaDestroySurfaceObject(surface));
  CK(cudaFreeArray(array));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

// expect: misaligned
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: fault
// row: M12
// why: x of a surface counts bytes, and is given in elements
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void paint(cudaSurfaceObject_t surface) {
  surf2Dwrite(1.0f, surface, threadIdx.x, threadIdx.y);  // @A
}

int main() {
  cudaArray_t array;
  cudaSurfaceObject_t surface;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CK(cudaMallocArray(&array, &format, 16, 8, cudaArraySurfaceLoadStore));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  CK(cudaCreateSurfaceObject(&surface, &resource));
  paint<<<1, dim3(16, 8)>>>(surface);
  CK(cudaGetLastError());
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

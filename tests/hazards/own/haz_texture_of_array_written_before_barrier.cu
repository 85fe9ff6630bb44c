// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R12
// why: a kernel writes an array by a surface and, after a barrier, fetches from it by a texture, which may see the old value
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void shift(cudaSurfaceObject_t surface, cudaTextureObject_t texture, int* out) {
  const int i = threadIdx.x;
  surf2Dwrite(i, surface, i * sizeof(int), 0);  // @A
  __syncthreads();
  out[i] = tex2D<int>(texture, 31 - i, 0);  // @B
}

int main() {
  int* out;
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  CK(cudaMallocArray(&array, &format, 32, 1, cudaArraySurfaceLoadStore));
  CK(cudaMalloc(&out, 32 * sizeof(int)));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  const cudaTextureDesc description{};
  cudaTextureObject_t texture;
  cudaSurfaceObject_t surface;
  CK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  CK(cudaCreateSurfaceObject(&surface, &resource));
  shift<<<1, 32>>>(surface, texture, out);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  CK(cudaDestroySurfaceObject(surface));
  CK(cudaDestroyTextureObject(texture));
  CK(cudaFreeArray(array));
  CK(cudaFree(out));
}

// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R12
// why: textures of linear memory and of an array are fetched by one kernel and written by others, or in place by each thread
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void fill(float* p) { p[threadIdx.x] = threadIdx.x; }
__global__ void shift(cudaTextureObject_t linear, cudaTextureObject_t array, float* out) {
  const int i = threadIdx.x;
  out[i] = tex1Dfetch<float>(linear, 31 - i) + tex2D<float>(array, i + 0.5f, 0.5f);
}
__global__ void in_place(cudaTextureObject_t linear, float* p) {
  p[threadIdx.x] = tex1Dfetch<float>(linear, threadIdx.x) + 1;
}

int main() {
  float h[32], *p, *out;
  int bad = 0;
  for (int i = 0; i < 32; ++i) h[i] = 100 * i;
  CK(cudaMalloc(&p, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CK(cudaMallocArray(&array, &format, 32, 1));
  CK(cudaMemcpy2DToArray(array, 0, 0, h, sizeof h, sizeof h, 1, cudaMemcpyHostToDevice));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = p;
  resource.res.linear.desc = format;
  resource.res.linear.sizeInBytes = sizeof h;
  const cudaTextureDesc description{};
  cudaTextureObject_t linear, of_array;
  CK(cudaCreateTextureObject(&linear, &resource, &description, nullptr));
  resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  CK(cudaCreateTextureObject(&of_array, &resource, &description, nullptr));
  fill<<<1, 32>>>(p);
  shift<<<1, 32>>>(linear, of_array, out);
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) bad += h[i] != 31 - i + 100 * i;
  in_place<<<1, 32>>>(linear, p);
  CK(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) bad += h[i] != i + 1;
  CK(cudaDestroyTextureObject(linear));
  CK(cudaDestroyTextureObject(of_array));
  CK(cudaFreeArray(array));
  CK(cudaFree(p));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}

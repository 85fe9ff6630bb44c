// SPDX-License-Identifier: Apache-2.0
// A library with kernels: it makes memory that another library's kernels use.
#include <cstdio>

__device__ int calls;

__global__ void twice(int* values, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) values[i] *= 2;
  if (i == 0) ++calls;
}

extern "C" int make_values(int** values, int count, cudaStream_t* stream) {
  if (const cudaError_t error = cudaStreamCreate(stream)) return error;
  if (const cudaError_t error = cudaMalloc(values, static_cast<std::size_t>(count) * sizeof(int))) return error;
  return cudaMemsetAsync(*values, 1, static_cast<std::size_t>(count) * sizeof(int), *stream);
}

extern "C" int double_values(int* values, int count, cudaStream_t stream) {
  twice<<<(count + 63) / 64, 64, 0, stream>>>(values, count);
  return cudaGetLastError();
}

extern "C" int count_calls() {
  int count = -1;
  cudaMemcpyFromSymbol(&count, calls, sizeof count);
  return count;
}

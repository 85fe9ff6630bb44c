// SPDX-License-Identifier: Apache-2.0
// One half of a CUDA program in two files: the kernel, and a template that is launched from here.
#include "kernels.cuh"

__global__ void reverse(int* data) {
  __shared__ int row[SIZE];
  row[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = row[SIZE - 1 - threadIdx.x];
}

template <int kFactor>
__global__ void scale(int* data) {
  data[threadIdx.x] *= kFactor;
}

void launch_scale(int* data) {
  scale<3><<<1, SIZE>>>(data);
}

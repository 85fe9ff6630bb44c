// SPDX-License-Identifier: Apache-2.0
// A kernel that only named_kernels.cu launches.

__global__ void elsewhere(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  values[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = values[63 - threadIdx.x] + 2;
}

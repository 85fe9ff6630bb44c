// SPDX-License-Identifier: Apache-2.0
// A library with a kernel. Built with: warpfiber nvcc -shared -Xcompiler -fPIC scale.cu -o libscale.so
__global__ void scale(float* values, float factor, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] *= factor;
}

extern "C" int scale_values(float* values, float factor, int count) {
  scale<<<(count + 255) / 256, 256>>>(values, factor, count);
  return cudaDeviceSynchronize();
}

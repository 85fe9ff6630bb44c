// SPDX-License-Identifier: Apache-2.0
//
// Brings results back in every way that is compared: plain, in a stream, in rows, in boxes, from a variable, from an
// array, by an address that tells the direction, and in managed memory, freed and left. With WRONG in the environment
// one thread computes something else. Its arguments are printed.
#include <cstdio>
#include <cstdlib>
#include <vector>

__device__ float of_device[32];

__global__ void scale(float* to, float by, bool wrong) {
  const unsigned i = threadIdx.x;
  to[i] = by * i;
  if (wrong && i == 21) to[i] += 1;  // @wrong
  of_device[i] = to[i] + 1;
}

int main(int argc, char** argv) {
  const bool wrong = std::getenv("WRONG") != nullptr;
  std::vector<float> host(32), other(32);
  float* device;
  cudaMalloc(&device, 128);
  scale<<<1, 32>>>(device, 0.5f, false);
  cudaMemcpy(host.data(), device, 128, cudaMemcpyDeviceToHost);
  cudaMemcpy(other.data(), device, 64, cudaMemcpyDefault);
  cudaMemcpyFromSymbol(other.data(), of_device, 128);

  cudaStream_t stream;
  cudaStreamCreate(&stream);
  float* pinned;
  cudaMallocHost(&pinned, 128);
  scale<<<1, 32, 0, stream>>>(device, 0.25f, wrong);
  cudaMemcpyAsync(pinned, device, 32 * sizeof(float), cudaMemcpyDeviceToHost, stream);  // @copy
  scale<<<1, 32, 0, stream>>>(device, 4, false);
  cudaStreamSynchronize(stream);

  cudaMemcpy2D(other.data(), 16, device, 32, 8, 4, cudaMemcpyDeviceToHost);
  cudaMemcpy3DParms box = {};
  box.srcPtr = make_cudaPitchedPtr(device, 8, 8, 4);
  box.dstPtr = make_cudaPitchedPtr(other.data(), 8, 8, 4);
  box.extent = make_cudaExtent(4, 3, 2);
  box.kind = cudaMemcpyDeviceToHost;
  cudaMemcpy3D(&box);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, 8, 4);
  cudaMemcpy2DToArray(array, 0, 0, device, 32, 32, 4, cudaMemcpyDeviceToDevice);
  cudaMemcpy2DFromArray(other.data(), 16, array, 4, 1, 16, 2, cudaMemcpyDeviceToHost);

  float *freed, *left;
  cudaMallocManaged(&freed, 128);
  cudaMallocManaged(&left, 128);  // @left
  scale<<<1, 32>>>(freed, 8, false);
  scale<<<1, 32>>>(left, 16, std::getenv("WRONG_MANAGED") != nullptr);
  cudaFree(freed);
  for (int i = 1; i < argc; ++i) std::printf("%s\n", argv[i]);
  std::printf("sum %.3f\n", host[1] + host[31]);
  return 7;
}

// SPDX-License-Identifier: Apache-2.0
// Lists the devices that the program sees.
#include <cuda_runtime.h>

#include <cstdio>

int main() {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties;
    char place[16];
    cudaGetDeviceProperties(&properties, device);
    cudaDeviceGetPCIBusId(place, sizeof place, device);
    std::printf("device %d: %s at %s\n", device, properties.name, place);
  }
}

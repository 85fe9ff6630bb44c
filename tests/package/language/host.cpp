// SPDX-License-Identifier: Apache-2.0
//
// An object of C++ among those of CUDA: CMake then lets the C++ compiler link.
#include <cuda.h>
#include <cuda_runtime.h>
#include <curand.h>

int host_of_language() {
  int devices = 0;
  int version = 0;
  if (curandGetVersion(&version) != CURAND_STATUS_SUCCESS || version != CURAND_VERSION) return -1;
  return cudaGetDeviceCount(&devices) == cudaSuccess ? devices : -1;
}

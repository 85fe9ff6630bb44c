// SPDX-License-Identifier: Apache-2.0
//
// An object of C++ among those of CUDA: CMake then lets the C++ compiler link.
#include <cuda.h>
#include <cuda_runtime.h>

int host_of_language() {
  int devices = 0;
  return cudaGetDeviceCount(&devices) == cudaSuccess ? devices : -1;
}

// SPDX-License-Identifier: Apache-2.0
// The host's half, which the same compiler takes.
#include <cuda_runtime.h>

int doubled(int value);

int main() {
  int devices = 0;
  return cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0 && doubled(21) == 42 ? 0 : 1;
}

// SPDX-License-Identifier: Apache-2.0
//
// A program that includes the table of MTGP32's parameter sets.
#include <curand_kernel.h>
#include <curand_mtgp32_host.h>
#include <curand_mtgp32dc_p_11213.h>

__global__ void draw(curandStateMtgp32* state) {
  curand(state);
}

int main() {
  mtgp32_kernel_params_t* sets;
  curandStateMtgp32* state;
  cudaMalloc(&sets, sizeof *sets);
  cudaMalloc(&state, sizeof *state);
  const int constants = curandMakeMTGP32Constants(mtgp32dc_params_fast_11213, sets);
  const int states = curandMakeMTGP32KernelState(state, MTGPDC_PARAM_TABLE, sets, 1, 1);
  draw<<<1, 64>>>(state);
  return constants == 0 && states == 0 && cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}

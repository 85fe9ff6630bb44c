// SPDX-License-Identifier: Apache-2.0
//
// States of MTGP32 that are used as they must not be.
#include <curand_kernel.h>
#include <curand_mtgp32_host.h>

#include <cstdio>
#include <cstring>
#include <vector>

__global__ void draw(curandStateMtgp32* states, float* to) {
  to[blockIdx.x * blockDim.x + threadIdx.x] = curand_uniform(&states[blockIdx.x]);
}

__global__ void draw_from_one(curandStateMtgp32* state, float* to) {
  to[blockIdx.x * blockDim.x + threadIdx.x] = curand_uniform(state);
}

__global__ void draw_by_half(curandStateMtgp32* state, float* to) {
  if (threadIdx.x < 64) to[threadIdx.x] = curand_uniform(state);
  __syncthreads();
}

int main(int count, char** arguments) {
  const char* const how = count > 1 ? arguments[1] : "";
  std::vector<mtgp32_params_fast_t> sets(CURAND_NUM_MTGP32_PARAMS);
  for (mtgp32_params_fast_t& set : sets) set = {MTGPDC_MEXP, 88, 19, 5};
  curandStateMtgp32* states;
  mtgp32_kernel_params* kernel_sets;
  float* to;
  cudaMalloc(&states, 2 * sizeof *states);
  cudaMalloc(&kernel_sets, sizeof *kernel_sets);
  cudaMalloc(&to, 1024 * sizeof *to);
  curandMakeMTGP32Constants(sets.data(), kernel_sets);
  curandMakeMTGP32KernelState(states, sets.data(), kernel_sets, 2, 1);
  if (std::strcmp(how, "right") == 0) draw<<<2, 256>>>(states, to);
  if (std::strcmp(how, "one-state") == 0) draw_from_one<<<2, 64>>>(states, to);
  if (std::strcmp(how, "half") == 0) draw_by_half<<<1, 128>>>(states, to);
  if (std::strcmp(how, "many") == 0) draw<<<2, 512>>>(states, to);
  if (std::strcmp(how, "deep") == 0) draw<<<2, dim3(4, 4, 2)>>>(states, to);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}

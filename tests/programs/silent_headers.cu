// SPDX-License-Identifier: Apache-2.0
//
// Nothing in this program deserves a warning, and neither do the headers that it includes: it is built with most warnings
// of g++ as errors.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/barrier>
#include <cuda/std/atomic>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <curand_kernel.h>
#include <cuda.h>

#include <cstdio>

namespace cg = cooperative_groups;

__constant__ float table[16];
__device__ int counter;

template <class T>
__global__ void scale(T* data, unsigned count, T factor) {
  extern __shared__ unsigned char bytes[];
  __shared__ T first[32];
  T* const copy = reinterpret_cast<T*>(bytes);
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    copy[threadIdx.x] = data[i] * factor;
    first[threadIdx.x % 32] = static_cast<T>(table[i % 16]);
    __syncthreads();
    data[i] = copy[threadIdx.x] + __shfl_down_sync(0xffffffffU, copy[threadIdx.x], 1) + first[0];
    atomicAdd(&counter, 1);
  }
}

__global__ void __launch_bounds__(128) groups(int* __restrict__ out) {
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  const int sum = cg::reduce(tile, static_cast<int>(threadIdx.x), cg::plus<int>());
  unsigned value = 0;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(value));
  out[threadIdx.x] = sum + static_cast<int>(value);
  curandState state;
  curand_init(1ULL, threadIdx.x, 0ULL, &state);
  const __half2 h = __floats2half2_rn(curand_uniform(&state), 1.0F);
  out[threadIdx.x] += static_cast<int>(__low2float(h));
}

int main() {
  float* data = nullptr;
  int* out = nullptr;
  if (cudaMalloc(&data, 128 * sizeof(float)) != cudaSuccess) return 1;
  if (cudaMalloc(&out, 128 * sizeof(int)) != cudaSuccess) return 1;
  scale<float><<<1, 128, 128 * sizeof(float)>>>(data, 128U, 2.0F);
  groups<<<1, 128>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  std::puts("PASS");
  return 0;
}

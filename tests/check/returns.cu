// SPDX-License-Identifier: Apache-2.0
// Threads and blocks return early, and others wait for them: for ever. The first argument says where.
#include <cooperative_groups.h>

#include <cstdio>
#include <cstring>

#include <cuda/barrier>

namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

// The return of an inlined function is not the kernel's.
__device__ void arrive(Barrier& bar, int n) {
  if (threadIdx.x >= n) return;
  bar.arrive_and_wait();
}

__global__ void in_function(int n, int* out) {
  __shared__ Barrier bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  arrive(bar, n);
  if (threadIdx.x >= n) out[threadIdx.x] = 1;
}
__global__ void two_returns(int n, int* out) {
  __shared__ Barrier bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  if (threadIdx.x >= n + 8) return;
  out[threadIdx.x] = 1;
  if (threadIdx.x >= n) return;
  bar.arrive_and_wait();
}
__global__ void grid(int blocks, int* out) {
  if (blockIdx.x >= blocks + 1) return;
  if (threadIdx.x == 0) out[blockIdx.x] = 1;
  if (blockIdx.x >= blocks) {
    return;
  }
  cg::this_grid().sync();
}
__global__ void flag_of_block(int* flag) {
  if (blockIdx.x != 0) {
    if (blockIdx.x == 1) return;
    return;
  }
  while (atomicAdd(flag, 0) == 0) {
  }
}
__global__ void loop(int n) {
  __shared__ Barrier bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  for (int i = 0; i < 4; ++i) {
    if (threadIdx.x >= n && i == 2) return;
    bar.arrive_and_wait();
  }
}

int main(int argc, char** argv) {
  const auto asked = [&](const char* what) { return argc > 1 && std::strcmp(argv[1], what) == 0; };
  int* out;
  cudaMalloc(&out, 256);
  cudaMemset(out, 0, 256);
  int n = 16;
  if (asked("function")) in_function<<<1, 32>>>(n, out);
  if (asked("two")) two_returns<<<1, 32>>>(n, out);
  if (asked("flag")) flag_of_block<<<4, 1>>>(out);
  if (asked("loop")) loop<<<1, 32>>>(n);
  if (asked("grid")) {
    void* arguments[] = {&n, &out};
    n = 2;
    cudaLaunchCooperativeKernel(reinterpret_cast<void*>(grid), dim3(5), dim3(4), arguments, 0, nullptr);
  }
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

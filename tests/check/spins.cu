// SPDX-License-Identifier: Apache-2.0
// What threads wait for has the name that the program has for it.
#include <cstdio>
#include <cstring>
#include <cuda/barrier>

struct Flag {
  int level;
  unsigned ready;
  unsigned long long ticket;
};

__device__ Flag flags[8];

__global__ void on_variable(int i) {
  while (atomicAdd(&flags[i].ready, 0) == 0) {
  }
}

__global__ void on_argument(Flag* queue) {
  atomicExch(&queue[2].ticket, 1ull << 40);
  while (atomicAdd(&queue[2].ticket, 0) != 5) {
  }
}

__global__ void on_dynamic() {
  extern __shared__ Flag gates[];
  if (threadIdx.x == 0) atomicExch(&gates[1].level, -7);
  __syncthreads();
  while (atomicAdd(&gates[1].level, 0) < 0) {
  }
}

__global__ void at_barrier() {
  __shared__ cuda::barrier<cuda::thread_scope_block> done[2];
  if (threadIdx.x == 0) init(&done[1], 3);
  __syncthreads();
  done[1].arrive_and_wait();
}

int main(int argc, char** argv) {
  const char* memory = argc > 1 ? argv[1] : "";
  Flag* queue = nullptr;
  cudaMalloc(&queue, 8 * sizeof(Flag));
  cudaMemset(queue, 0, 8 * sizeof(Flag));
  if (std::strcmp(memory, "variable") == 0) on_variable<<<1, 1>>>(3);
  if (std::strcmp(memory, "argument") == 0) on_argument<<<1, 1>>>(queue);
  if (std::strcmp(memory, "dynamic") == 0) on_dynamic<<<1, 2, 256>>>();
  if (std::strcmp(memory, "barrier") == 0) at_barrier<<<1, 2>>>();
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}

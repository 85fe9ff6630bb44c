// SPDX-License-Identifier: Apache-2.0
//
// Three deadlocks at barriers: too few arrivals, a numbered barrier, and a warp that has returned.
//   waits arrivals | numbered | returned
#include <cstdio>
#include <cuda/barrier>
#include <string>

__global__ void arrivals() {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, 64);
  __syncthreads();
  bar.arrive_and_wait();
}

__global__ void numbered() {
  if (threadIdx.x >= 32) asm volatile("bar.sync 2, 64;" ::: "memory");
}

__global__ void returned(int n) {
  const int warp = threadIdx.x / 32;
  if (warp * 32 >= n) return;
  asm volatile("bar.sync 1, 128;" ::: "memory");
}

int main(int argc, char** argv) {
  const std::string which = argc > 1 ? argv[1] : "";
  if (which == "arrivals") arrivals<<<1, 48>>>();
  if (which == "numbered") numbered<<<1, 64>>>();
  if (which == "returned") returned<<<1, 128>>>(96);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}

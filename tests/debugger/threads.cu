// SPDX-License-Identifier: Apache-2.0
// Threads of a kernel in all their states, for tests that look at them with gdb. Tests find lines by their comments.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__device__ int twice(int value) {
  int result = 2 * value;  // in twice
  return result;
}

__global__ void sum(int* out, int scale) {
  __shared__ int tile[64];
  int at = threadIdx.x;
  int mine = twice(at) + blockIdx.x;  // calls
  tile[at] = mine;                    // before the barrier
  __syncthreads();                    // first barrier
  int other = tile[(at + 1) % blockDim.x] * scale;
  __syncthreads();                       // second barrier
  if (at == 0) out[blockIdx.x] = other;  // after both
}

__global__ void mix(int* out, volatile int* flag) {
  int lane = threadIdx.x % 32;
  int value = lane;
  if (threadIdx.x < 32) {
    value = __shfl_down_sync(0xffffffff, value, 1);  // shuffle
  } else if (threadIdx.x < 48) {
    return;
  } else if (threadIdx.x < 64) {
    unsigned turns = 0;
    while (*flag == 0) turns = turns * 3 + 1;  // spins
    value += turns == 0;
  } else {
    if (threadIdx.x == 127) *flag = 1;  // flag
    auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    tile.sync();  // group
  }
  out[threadIdx.x] = value;
}

template <class T>
__global__ void scale(T* out, T by) {
  out[threadIdx.x] *= by;  // in scale
}

int main() {
  int* out;
  int* flag;
  cudaMallocManaged(&out, 128 * sizeof(int));
  cudaMallocManaged(&flag, sizeof(int));
  sum<<<dim3(2, 2), dim3(16, 4)>>>(out, 3);
  cudaDeviceSynchronize();
  mix<<<1, 128>>>(out, flag);
  cudaDeviceSynchronize();
  scale<int><<<1, 32>>>(out, 5);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf("%d %d\n", out[0], out[31]);  // end
}

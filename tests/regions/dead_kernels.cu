// SPDX-License-Identifier: Apache-2.0
// Blocks that meet for ever: dead_kernels NUMBER.
#include <cooperative_groups.h>
#include <cstdlib>

/// The thread that would set the flag is not in the block.
__global__ void flag_of_nobody(int* out) {
  __shared__ int done;
  if (threadIdx.x == 0) done = 0;
  __syncthreads();
  while (!done) {
    __syncthreads();
    if (threadIdx.x == blockDim.x) done = 1;
    __syncthreads();
  }
  out[threadIdx.x] = done;
}

/// A relaxation that goes to and fro, and counts its rounds.
__global__ void never_converges(int* out) {
  __shared__ float x[256];
  __shared__ float error;
  x[threadIdx.x] = threadIdx.x % 2 ? 1.f : -1.f;
  int rounds = 0;
  __syncthreads();
  do {
    const float neighbour = x[(threadIdx.x + 1) % 256];
    if (threadIdx.x == 0) error = 0;
    __syncthreads();
    if (neighbour != x[threadIdx.x]) error = 1;
    x[threadIdx.x] = neighbour;
    ++rounds;
    __syncthreads();
    if (error < 0.5f) break;
    __syncthreads();
  } while (true);
  out[threadIdx.x] = rounds;
}

/// A sum over the block that never comes to what is asked for.
__global__ void sum_too_small(int* out) {
  __shared__ int part[256];
  int left = 1;
  while (left != 0) {
    part[threadIdx.x] = threadIdx.x % 3;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
      if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
      __syncthreads();
    }
    left = part[0] < 1000;
    __syncthreads();
  }
  out[threadIdx.x] = left;
}

/// Lanes that hand a value round.
__global__ void round_and_round(int* out) {
  int value = threadIdx.x % 32;
  while (__any_sync(~0u, value != 0)) value = __shfl_sync(~0u, value, (threadIdx.x + 1) % 32);
  out[threadIdx.x] = value;
}

/// A count of eight bits comes round.
__global__ void count_wraps(int* out) {
  unsigned char turn = 0;
  bool found = false;
  while (!__syncthreads_or(found)) {
    ++turn;
    found = turn == 7 && threadIdx.x == 300;
  }
  out[threadIdx.x] = turn;
}

/// Votes of tiles, in a loop that counts by what it never looks at.
__global__ void votes_of_tiles(int* out) {
  auto tile = cooperative_groups::tiled_partition<16>(cooperative_groups::this_thread_block());
  unsigned state = threadIdx.x;
  long long turns = 0;
  while (!tile.all(state == 0)) {
    state = tile.shfl_xor(state, 1);
    turns += state;
  }
  out[threadIdx.x] = static_cast<int>(turns);
}

/// Each system is solved by itself, and one of them is not.
__global__ void one_of_many(int* out) {
  __shared__ int left;
  for (int system = 0; system < 50; ++system) {
    int steps = 0;
    int value = 100;
    do {
      __syncthreads();
      if (threadIdx.x == 0) left = 0;
      __syncthreads();
      value = system == 30 && value < 50 ? 49 : value - 1;
      if (value > 0) left = 1;
      ++steps;
      __syncthreads();
    } while (left);
    if (threadIdx.x == 0) out[system] = steps;
  }
}

/// Threads that return leave the others to it.
__global__ void some_return(int* out) {
  __shared__ int waits;
  if (threadIdx.x == 0) waits = 1;
  __syncthreads();
  if (threadIdx.x >= 64) return;
  while (waits) {
    __syncthreads();
    if (threadIdx.x == 64) waits = 0;
    __syncthreads();
  }
  out[threadIdx.x] = 1;
}

int main(int count, char** words) {
  if (count != 2) return 2;
  void (*const kernels[])(int*) = {flag_of_nobody, never_converges, sum_too_small, round_and_round,
                                   count_wraps,    votes_of_tiles,  one_of_many,   some_return};
  int* out;
  cudaMallocManaged(&out, 1024);
  kernels[atoi(words[1])]<<<1, 256>>>(out);
  return cudaDeviceSynchronize() != cudaSuccess;
}

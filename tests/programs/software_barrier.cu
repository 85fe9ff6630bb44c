// SPDX-License-Identifier: Apache-2.0
// Barriers of the whole grid as they were written before there was one: counters and flags in global memory, at which a
// thread of each block waits by volatile loads, in every shape that such a loop takes.
#include <cstdlib>

#include "common.h"

const int kBlocks = 96;
const int kThreads = 64;
const int kRounds = 12;

enum Way { empty_loop, empty_braces, counts, looks, leaves, fences, cached_load, assembler, flags, kWays };

__device__ unsigned arrived;
__device__ volatile int arrivals[kBlocks];
__device__ volatile int releases[kBlocks];
__device__ unsigned looked;

__device__ unsigned volatileLoad(const unsigned* place) {
  unsigned value;
  asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(value) : "l"(place));
  return value;
}

__device__ void waitUntil(int way, unsigned goal) {
  volatile unsigned* counter = &arrived;
  unsigned looks_taken = 0;
  unsigned seen;
  switch (way) {
    case empty_loop:
      while (*counter < goal)
        ;
      break;
    case empty_braces:
      while (*(volatile unsigned*)&arrived < goal) {
        // do nothing here
      }
      break;
    case counts:
      while (*counter < goal) looks_taken++;
      atomicAdd(&looked, looks_taken);
      break;
    case looks:
      do {
        seen = *counter;
      } while (seen < goal);
      break;
    case leaves:
      while (true) {
        if (*counter >= goal) break;
      }
      break;
    case fences:
      while (*counter < goal) {
        __threadfence();
      }
      break;
    case cached_load:
      while (__ldcg(&arrived) < goal)
        ;
      break;
    default:
      while (volatileLoad(&arrived) < goal)
        ;
  }
}

// Each block has a flag to come and one to go on; the first block watches all of the one and sets all of the other.
__device__ void waitByFlags(int goal) {
  const int tid = threadIdx.x;
  if (tid == 0) arrivals[blockIdx.x] = goal;
  if (blockIdx.x == 0) {
    for (int b = tid; b < gridDim.x; b += blockDim.x) {
      while (arrivals[b] != goal) {
      }
    }
    __syncthreads();
    for (int b = tid; b < gridDim.x; b += blockDim.x) releases[b] = goal;
  }
  if (tid == 0) {
    while (releases[blockIdx.x] != goal)
      ;
  }
}

__device__ void gridBarrier(int way, int round) {
  __threadfence();
  __syncthreads();
  if (way == flags) {
    waitByFlags(round);
  } else if (threadIdx.x == 0) {
    atomicAdd(&arrived, 1u);
    waitUntil(way, round * gridDim.x);
  }
  __syncthreads();
  __threadfence();
}

// In every round a block takes over what its neighbour had in the round before.
__global__ void rotate(int way, int* rows) {
  for (int round = 1; round <= kRounds; ++round) {
    const int from = (blockIdx.x + 1) % gridDim.x;
    const int* before = rows + (round - 1) * kBlocks * kThreads;
    int* now = rows + round * kBlocks * kThreads;
    now[blockIdx.x * kThreads + threadIdx.x] = ((volatile const int*)before)[from * kThreads + threadIdx.x] + 1;
    gridBarrier(way, round);
  }
}

__global__ void reset() {
  arrived = 0;
  for (int b = 0; b < kBlocks; ++b) arrivals[b] = releases[b] = 0;
}

int main() {
  const int elements = kBlocks * kThreads;
  const size_t bytes = sizeof(int) * elements;
  int* rows;
  CHECK(cudaMalloc(&rows, bytes * (kRounds + 1)));
  int* host = (int*)malloc(bytes);
  int wrong = 0;
  for (int way = 0; way < kWays; ++way) {
    for (int i = 0; i < elements; ++i) host[i] = i;
    CHECK(cudaMemcpy(rows, host, bytes, cudaMemcpyHostToDevice));
    reset<<<1, 1>>>();
    rotate<<<kBlocks, kThreads>>>(way, rows);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host, rows + kRounds * elements, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < elements; ++i) wrong += host[i] != (i + kRounds * kThreads) % elements + kRounds;
  }
  CHECK(cudaFree(rows));
  free(host);
  return verdict(wrong == 0);
}

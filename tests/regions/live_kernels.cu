// SPDX-License-Identifier: Apache-2.0
// Blocks that take longer than the watchdog waits, and get on all the time: live_kernels NUMBER STEPS.
#include <cstdio>
#include <cstdlib>

__device__ unsigned work(unsigned x, unsigned steps) {
  for (unsigned i = 0; i < steps; ++i) x = (x * 1664525u + 1013904223u) ^ (x >> 7);
  return x;
}

__global__ void barriers(unsigned* out, unsigned steps) {
  __shared__ unsigned shared[256];
  unsigned x = threadIdx.x;
  for (int round = 0; round < 200; ++round) {
    shared[threadIdx.x] = work(x, steps);
    __syncthreads();
    x = shared[255 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = x;
}

/// Whose memory does not change.
__global__ void shuffles(unsigned* out, unsigned steps) {
  unsigned x = threadIdx.x;
  for (int round = 0; round < 200; ++round) {
    x = work(x, steps);
    x = x * 3 + __shfl_xor_sync(~0u, x, 5);
  }
  out[threadIdx.x] = x;
}

/// Few barriers, much between them.
__global__ void long_regions(unsigned* out, unsigned steps) {
  __shared__ unsigned shared[256];
  shared[threadIdx.x] = work(threadIdx.x, steps * 100);
  __syncthreads();
  out[threadIdx.x] = work(shared[255 - threadIdx.x], steps * 100);
}

/// Ends when an error is small, which takes long; memory changes in each turn.
__global__ void solver(unsigned* out, unsigned turns) {
  __shared__ float x[256];
  __shared__ float error;
  x[threadIdx.x] = 1;
  int rounds = 0;
  __syncthreads();
  while (true) {
    if (threadIdx.x == 0) error = 0;
    __syncthreads();
    const float now = x[threadIdx.x] * (1 - 1.f / turns);
    if (now > 0.001f) error = 1;
    x[threadIdx.x] = now;
    ++rounds;
    __syncthreads();
    if (error < 0.5f) break;
    __syncthreads();
  }
  out[threadIdx.x] = rounds;
}

/// A count in shared memory.
__global__ void shared_count(unsigned* out, unsigned turns) {
  __shared__ unsigned long long s;
  if (threadIdx.x == 0) s = 0;
  __syncthreads();
  while (s < turns * 1500ull) {
    __syncthreads();
    if (threadIdx.x == 0) ++s;
    __syncthreads();
  }
  out[threadIdx.x] = s;
}

/// Each of many systems is solved in a few steps, all in the same way.
__global__ void many_systems(unsigned* out, unsigned turns) {
  __shared__ int left;
  unsigned all = 0;
  for (unsigned system = 0; system < turns * 100; ++system) {
    int value = 7;
    do {
      __syncthreads();
      if (threadIdx.x == 0) left = 0;
      __syncthreads();
      if (--value > 0) left = 1;
      __syncthreads();
    } while (left);
    all += value + 1;
  }
  out[threadIdx.x] = all;
}

/// The outer loop ends by what the inner ones have summed up, which they do not look at.
__global__ void summed_up(unsigned* out, unsigned turns) {
  __shared__ int left;
  unsigned rounds = 0;
  while (rounds < turns * 400) {
    int value = 4;
    do {
      __syncthreads();
      if (threadIdx.x == 0) left = 0;
      __syncthreads();
      if (--value > 0) left = 1;
      ++rounds;
      __syncthreads();
    } while (left);
  }
  out[threadIdx.x] = rounds;
}

/// Nothing but barriers and a count.
__global__ void counts(unsigned* out, unsigned turns) {
  __shared__ unsigned s;
  unsigned x = 0;
  for (unsigned long long i = 0; i < turns * 2000ull; ++i) {
    if (threadIdx.x == 0) s = i & 1;
    __syncthreads();
    x += s;
    __syncthreads();
  }
  out[threadIdx.x] = x;
}

int main(int count, char** words) {
  if (count != 3) return 2;
  void (*const kernels[])(unsigned*, unsigned) = {barriers,     shuffles,     long_regions, solver,
                                                  shared_count, many_systems, summed_up,    counts};
  unsigned* out;
  cudaMallocManaged(&out, 1024);
  kernels[atoi(words[1])]<<<1, 256>>>(out, static_cast<unsigned>(atoi(words[2])));
  const cudaError_t status = cudaDeviceSynchronize();
  unsigned hash = 0;
  for (int i = 0; i < 256; ++i) hash = hash * 31 + out[i];
  printf("%s %08x\n", cudaGetErrorName(status), hash);
  return status != cudaSuccess;
}

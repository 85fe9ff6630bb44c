// SPDX-License-Identifier: Apache-2.0
// Kernels that run for longer than the watchdog's time, and end: the one that the first argument names. The host says
// when, after 4 seconds or as many as the second argument says.
#include <cuda/barrier>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

using Clock = std::chrono::steady_clock;

/// Work with barriers, of which nothing but memory tells how far it is.
__global__ void relaxes(float* cells, volatile int* done) {
  const unsigned i = threadIdx.x;
  while (*done == 0) {
    const float left = i == 0 ? 1.0F : cells[i - 1];
    const float right = i + 1 == blockDim.x ? 0.0F : cells[i + 1];
    __syncthreads();
    cells[i] = 0.25F * (left + right) + 0.5F * cells[i] + (cells[i] > 0.9F ? -0.8F : 1e-3F);
    __syncthreads();
  }
}
/// Sums that only grow, with a loop's counter in a register.
__global__ void adds(float* cells, volatile int* done) {
  for (int turn = 0; *done == 0 || turn < 1000; ++turn) {
    cells[threadIdx.x] += 1.0F;
    __syncthreads();
  }
}
/// Waits at barriers for what a busy host is about to write.
__global__ void waits(float*, volatile int* done) {
  while (*done == 0) __syncthreads();
}
/// A thread that works by plain stores in a loop that looks, and one that waits for what they come to.
__global__ void hands_over(volatile int* count, volatile int* done) {
  volatile int* enough = count + 1;
  if (threadIdx.x == 0) {
    while (*enough == 0) {
      *count = *count + 1;
      __threadfence();
    }
  } else if (threadIdx.x == 32) {
    while (*count < 200'000) __threadfence();
    *enough = 1;
    for (unsigned wait = 8; *done == 0; wait *= 2) __nanosleep(wait);
  }
}
/// Lanes that vote, and of which one counts the votes before it says that they may end.
__global__ void votes(volatile int* enough, volatile int* done, int many) {
  int votes = 0;
  while (__any_sync(~0U, *enough == 0)) {
    if (++votes == many && threadIdx.x == 5) *enough = 1;
  }
  while (*done == 0) __nanosleep(20);
}
/// A warp that votes in the same states for as long as another one computes.
__global__ void computes(volatile int* enough, volatile int* done) {
  if (threadIdx.x < 32) {
    unsigned value = threadIdx.x + 1;
    for (int i = 0; i < 20'000'000; ++i) value = value * 1664525U + 1013904223U;
    if (value != 0) *enough = 1;
  } else {
    while (!__any_sync(~0U, *enough)) {
    }
  }
  while (*done == 0) __nanosleep(20);
}
/// Lanes of which all but one idle, and that one counts how often they have met before it says that they may end.
__global__ void counts(volatile int* enough, volatile int* done) {
  if (threadIdx.x % 32 == 7) {
    for (int meetings = 0; meetings < 20'000; ++meetings) __syncwarp();
    *enough = 1;
    __syncwarp();
  } else {
    while (*enough == 0) __syncwarp();
  }
  while (*done == 0) __nanosleep(20);
}
/// The same of a vote, in which the one that counts says nothing else than the others.
__global__ void counts_votes(volatile int* enough, volatile int* done) {
  if (threadIdx.x % 32 == 7) {
    for (int votes = 0; votes < 20'000; ++votes) __any_sync(~0U, 0);
    *enough = 1;
    __any_sync(~0U, 1);
  } else {
    while (!__any_sync(~0U, *enough)) __nanosleep(20);
  }
  while (*done == 0) __nanosleep(20);
}
/// Threads that come to a barrier in memory until one of them, which counts, says that they may end.
__global__ void phases(volatile int* enough, volatile int*) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  if (threadIdx.x == 7) {
    for (int phase = 0; phase < 1'000; ++phase) barrier.arrive_and_wait();
    enough[blockIdx.x] = 1;
  } else {
    while (enough[blockIdx.x] == 0) barrier.arrive_and_wait();
  }
  barrier.arrive_and_drop();
}
__device__ __noinline__ bool tries_again(int& tries) {
  return ++tries < 20'000;
}
/// Gives up after so many tries, which a function counts.
__global__ void gives_up(volatile int* enough, volatile int*) {
  int tries = 0;
  while (*enough == 0 && tries_again(tries)) __nanosleep(8);
}
/// Look once in many fences for what is stored once everybody else only waits.
__global__ void fences_between(volatile int* enough, volatile int*) {
  int rounds = 0;
  if (threadIdx.x == 5) {
    for (int i = 0; i < 5'000; ++i) __threadfence();
    enough[blockIdx.x] = 1;
  }
  while (enough[1 - blockIdx.x] == 0) {
    for (int i = 0; i < 2'000; ++i) __threadfence();
    ++rounds;
  }
  enough[2 + blockIdx.x] = rounds;
}
/// All blocks meet; `sync` counts them.
__device__ void meet(int* sync, int meeting) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(sync, 1);
    while (*static_cast<volatile int*>(sync) < meeting * static_cast<int>(gridDim.x)) {
    }
    __threadfence();
  }
  __syncthreads();
}
/// Rounds in which every cell takes its neighbour's value, and each takes long: most threads wait in the same states.
__global__ void rotates(int* cells, int* sync, volatile int* done) {
  volatile int* all = cells;
  const unsigned size = gridDim.x * blockDim.x;
  const unsigned mine = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; all[size] == 0; ++round) {
    const int next = all[(mine + blockDim.x) % size];
    meet(sync, 3 * round + 1);
    all[mine] = next;
    meet(sync, 3 * round + 2);
    if (mine == 0 && *done != 0) all[size] = 1;
    meet(sync, 3 * round + 3);
  }
}

int main(int count, char** arguments) {
  float* cells;
  int* done;
  cudaMalloc(&cells, 64 * sizeof *cells);
  cudaMemset(cells, 0, 64 * sizeof *cells);
  cudaHostAlloc(&done, sizeof *done, cudaHostAllocMapped);
  *done = 0;
  const int seconds = count > 2 ? std::atoi(arguments[2]) : 4;
  const auto is = [arguments](const char* name) { return std::strcmp(arguments[1], name) == 0; };
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  if (is("relaxes")) relaxes<<<1, 64, 0, stream>>>(cells, done);
  if (is("adds")) adds<<<1, 64, 0, stream>>>(cells, done);
  if (is("rotates")) {
    constexpr int kCells = 96 * 64;
    int *ramp, host[kCells + 2] = {};
    for (int i = 0; i < kCells; ++i) host[i] = i;
    cudaMalloc(&ramp, sizeof host);
    cudaMemcpy(ramp, host, sizeof host, cudaMemcpyHostToDevice);
    rotates<<<96, 64, 0, stream>>>(ramp, ramp + kCells + 1, done);
  }
  if (is("hands_over")) hands_over<<<1, 64, 0, stream>>>(reinterpret_cast<int*>(cells), done);
  if (is("votes")) votes<<<2, 32, 0, stream>>>(reinterpret_cast<int*>(cells), done, seconds * 50'000);
  if (is("computes")) computes<<<1, 64, 0, stream>>>(reinterpret_cast<int*>(cells), done);
  if (is("counts")) counts<<<2, 32, 0, stream>>>(reinterpret_cast<int*>(cells), done);
  if (is("counts_votes")) counts_votes<<<2, 32, 0, stream>>>(reinterpret_cast<int*>(cells), done);
  if (is("phases")) phases<<<2, 64, 0, stream>>>(reinterpret_cast<int*>(cells), done);
  if (is("gives_up")) gives_up<<<2, 32, 0, stream>>>(reinterpret_cast<int*>(cells), done);
  if (is("fences_between")) fences_between<<<2, 32, 0, stream>>>(reinterpret_cast<int*>(cells), done);
  if (is("waits")) waits<<<1, 64, 0, stream>>>(cells, done);
  // Some need no host, which is blocked meanwhile.
  const auto longest = std::chrono::seconds(is("phases") || is("gives_up") || is("fences_between") ? 0 : seconds);
  for (const auto start = Clock::now(); Clock::now() - start < longest;) {
  }
  std::atomic_ref(*done).store(1);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

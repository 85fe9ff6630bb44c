// SPDX-License-Identifier: Apache-2.0
// Kernels whose result is the order of what their threads do: with one worker it is the same in each run.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace cg = cooperative_groups;

struct Log {
  unsigned* next;
  unsigned* events;
  unsigned room;

  __device__ void add(unsigned what) const {
    const unsigned at = atomicAdd(next, 1);
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < room) events[at] = thread * 64 + what;
  }
};

__device__ unsigned lock_word;
__device__ unsigned counter;
__device__ volatile unsigned flag;

__global__ void barriers(Log log) {
  for (unsigned i = 0; i < 4; ++i) {
    log.add(i);
    if (threadIdx.x % 3 == i % 3) __nanosleep(10);
    __syncthreads();
  }
}

__global__ void shuffles(Log log) {
  unsigned value = threadIdx.x;
  for (unsigned i = 0; i < 4; ++i) {
    value += __shfl_xor_sync(~0u, value, 1 << i);
    log.add(value % 64);
    if (__ballot_sync(~0u, value % 2) != 0) log.add(__popc(__activemask()));
  }
}

/// A thread that changes memory for long, and never waits, until another one tells it to stop.
__global__ void busy(Log log) {
  log.add(0);
  if (threadIdx.x % 2 == 0) {
    while (flag < blockDim.x / 2) atomicAdd(&counter, 1);
  } else {
    for (unsigned i = 0; i < 500; ++i) atomicAdd(&counter, 1);
    atomicAdd((unsigned*)&flag, 1);
  }
  log.add(1);
}

/// Long turns, of which none is needed.
__global__ void counting(Log log, unsigned times) {
  for (unsigned part = 0; part < 4; ++part) {
    for (unsigned i = 0; i < times; ++i) atomicAdd(&counter, 1);
    log.add(part);
  }
}

__global__ void locks(Log log) {
  while (atomicCAS(&lock_word, 0, 1) != 0) {
  }
  log.add(0);
  __threadfence();
  atomicExch(&lock_word, 0);
  log.add(1);
}

/// Threads that read the same word again, next to code that computes for long.
__global__ void polls(Log log, unsigned rounds) {
  unsigned sum = threadIdx.x;
  for (unsigned turn = 0;;) {
    if (flag % blockDim.x == threadIdx.x) {
      for (unsigned i = 0; i < rounds; ++i) sum = sum * 1664525 + 1013904223;
      log.add(turn + sum % 2);
      flag = flag + 1;
      if (++turn == 2) break;
    }
  }
}

__global__ void tiles(Log log) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  for (unsigned i = 0; i < 3; ++i) {
    log.add(tile.shfl(threadIdx.x, i) % 64);
    if (threadIdx.x % 2 == 0) {
      const auto active = cg::coalesced_threads();
      log.add(active.size());
      active.sync();
    }
    tile.sync();
  }
}

__global__ void __cluster_dims__(2) clusters(Log log) {
  __shared__ unsigned mine;
  const auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) mine = blockIdx.x;
  cluster.sync();
  log.add(*cluster.map_shared_rank(&mine, 1 - cluster.block_rank()) % 64);
  cluster.sync();
}

__global__ void prints(Log log) {
  printf("thread %u of block %u\n", threadIdx.x, blockIdx.x);
  log.add(0);
  __syncthreads();
  if (threadIdx.x % 5 == 0) printf("again %u\n", threadIdx.x);
}

__global__ void heap(Log log) {
  unsigned* mine = static_cast<unsigned*>(malloc((threadIdx.x % 7 + 1) * 64));
  mine[0] = threadIdx.x;
  log.add(mine[0] % 64);
  __syncthreads();
  free(mine);
}

__global__ void clocks(Log log, long long cycles) {
  const long long begin = clock64();
  unsigned reads = 0;
  while (clock64() - begin < cycles) ++reads;
  log.add(reads % 64);
  const clock_t again = clock();
  __syncthreads();
  log.add(static_cast<unsigned>(clock() - again) % 64);
}

static Log make_log() {
  constexpr unsigned kRoom = 1 << 16;
  Log log{nullptr, nullptr, kRoom};
  cudaMalloc(&log.next, sizeof *log.next);
  cudaMalloc(&log.events, kRoom * sizeof *log.events);
  cudaMemset(log.next, 0, sizeof *log.next);
  return log;
}

static void print_log(const Log& log) {
  unsigned count = 0;
  std::vector<unsigned> events(log.room);
  cudaMemcpy(&count, log.next, sizeof count, cudaMemcpyDeviceToHost);
  if (count > log.room) count = log.room;
  if (count != 0) cudaMemcpy(events.data(), log.events, count * sizeof count, cudaMemcpyDeviceToHost);
  unsigned long long hash = 0;
  for (unsigned i = 0; i < count; ++i) hash = (hash ^ events[i]) * 0x9e3779b97f4a7c15ULL;
  std::printf("%u events, %016llx, %s\n", count, hash, cudaGetErrorName(cudaGetLastError()));
}

static void CUDART_CB note(void* to) {
  ++*static_cast<unsigned*>(to);
}

/// Work of two streams, ordered by events, and functions of the host in between.
static void streams() {
  cudaStream_t both[2];
  cudaEvent_t done;
  Log logs[2];
  unsigned notes = 0;
  cudaEventCreate(&done);
  for (int i = 0; i < 2; ++i) {
    cudaStreamCreate(&both[i]);
    logs[i] = make_log();
  }
  for (int round = 0; round < 6; ++round) {
    barriers<<<2, 64, 0, both[0]>>>(logs[0]);
    shuffles<<<2, 64, 0, both[1]>>>(logs[1]);
    cudaLaunchHostFunc(both[0], note, &notes);
    cudaEventRecord(done, both[0]);
    cudaStreamWaitEvent(both[1], done, 0);
    tiles<<<1, 64, 0, both[1]>>>(logs[1]);
  }
  cudaDeviceSynchronize();
  std::printf("%u notes\n", notes);
  for (const Log& log : logs) print_log(log);
}

static void run(const char* what) {
  const auto is = [what](const char* name) { return std::strcmp(what, name) == 0; };
  std::printf("%s\n", what);
  if (is("streams")) return streams();
  const Log log = make_log();
  const unsigned zero = 0;
  cudaMemcpyToSymbol(flag, &zero, sizeof zero);
  if (is("barriers")) barriers<<<3, 96>>>(log);
  if (is("shuffles")) shuffles<<<3, 96>>>(log);
  if (is("busy")) busy<<<1, 16>>>(log);
  if (is("counting")) counting<<<1, 3>>>(log, 200000);
  if (is("locks")) locks<<<3, 96>>>(log);
  if (is("polls")) polls<<<1, 6>>>(log, 300000);
  if (is("tiles")) tiles<<<3, 96>>>(log);
  if (is("clusters")) clusters<<<4, 64>>>(log);
  if (is("prints")) prints<<<2, 40>>>(log);
  if (is("heap")) heap<<<2, 64>>>(log);
  if (is("clocks")) clocks<<<2, 32>>>(log, 20000);
  cudaDeviceSynchronize();
  print_log(log);
}

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) run(argv[i]);
  return 0;
}

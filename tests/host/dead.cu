// SPDX-License-Identifier: Apache-2.0
// Kernels that never end, though their threads do much: the one that the argument names.
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>

#include <cstdio>
#include <cstring>

namespace cg = cooperative_groups;

__global__ void fences(volatile int* flag, int*) {
  while (*flag == 0) __threadfence();
}
__global__ void sleeps(volatile int* flag, int*) {
  while (*flag == 0) {
    __threadfence_block();
    __nanosleep(100);
  }
}
__global__ void delays(volatile int* flag, int*) {
  for (unsigned wait = 8; *flag == 0; wait *= 2) __nanosleep(wait);
}
__global__ void tries(volatile int*, int* count) {
  int tries = 0;
  while (atomicAdd(count, 0) == 0) ++tries;
  count[1] = tries;
}
__global__ void clocks_between(volatile int* flag, int*) {
  while (*flag == 0) {
    const long long start = clock64();
    while (clock64() - start < 200) {
    }
  }
}
__global__ void reads(volatile int*, int* count) {
  cuda::atomic_ref<int, cuda::thread_scope_device> ready(*count);
  while (ready.load(cuda::memory_order_acquire) == 0) __nanosleep(20);
}
__global__ void barriers(volatile int* flag, int*) {
  while (*flag == 0) __syncthreads();
}
__global__ void counted_barriers(volatile int* flag, int* count) {
  int turns = 0;
  for (; *flag == 0; ++turns) __syncthreads();
  count[threadIdx.x] = turns;
}
__global__ void warps(volatile int* flag, int*) {
  while (*flag == 0) __syncwarp();
}
__global__ void votes(volatile int* flag, int*) {
  while (__any_sync(~0U, *flag == 0)) {
  }
}
__global__ void shuffles(volatile int*, int*) {
  int value = static_cast<int>(threadIdx.x);
  while (value >= 0) value = __shfl_xor_sync(~0U, value, 1);
}
__global__ void tiles(volatile int* flag, int*) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  while (tile.any(*flag == 0)) {
  }
}
__global__ void sleeping_votes(volatile int* flag, int*) {
  while (!__all_sync(~0U, *flag)) __nanosleep(100);
}
__global__ void sleeping_tiles(volatile int* flag, int*) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  while (!tile.all(*flag)) __nanosleep(100);
}
__global__ void sleeping_sums(volatile int*, int* count) {
  while (__reduce_add_sync(~0U, atomicAdd(count, 0)) == 0) __nanosleep(100);
}
__global__ void sleeping_blocks(volatile int*, int* count) {
  while (__syncthreads_or(atomicAdd(count, 0)) == 0) __nanosleep(100);
}
__global__ void counted_votes(volatile int* flag, int* count) {
  int votes = 0;
  for (; !__any_sync(~0U, *flag); ++votes) {
  }
  count[threadIdx.x] = votes;
}
/// States that lie in a function of their own, in which no loop is known to idle.
__device__ __noinline__ bool is_set(volatile int* flag) {
  return __any_sync(~0U, *flag);
}
__global__ void called_votes(volatile int* flag, int*) {
  while (!is_set(flag)) __nanosleep(100);
}
__global__ void latches(volatile int*, int*) {
  __shared__ alignas(8) char room[sizeof(cuda::std::latch)];
  auto* latch = reinterpret_cast<cuda::std::latch*>(room);
  if (threadIdx.x == 0) new (latch) cuda::std::latch(blockDim.x + 1);
  __syncthreads();
  latch->count_down();
  while (!latch->try_wait()) {
  }
}
__global__ void exits(volatile int* flag, int*) {
  while (true) {
    if (flag[0] != 0) break;
    if (flag[1] != 0) break;
    __threadfence();
  }
}
__global__ void leaders(volatile int* flag, int* count) {
  int seen = 0;
  do {
    if (threadIdx.x % 32 == 0) seen = *flag;
    seen = __shfl_sync(~0U, seen, 0);
    __nanosleep(20);
  } while (seen == 0);
  count[1] = seen;
}
__global__ void copies(volatile int* flag, int* count) {
  __shared__ int seen;
  do {
    __syncthreads();
    if (threadIdx.x == 0) seen = *flag;
    __syncthreads();
  } while (seen == 0);
  count[1] = seen;
}
__global__ void any_of_block(volatile int* flag, int*) {
  while (__syncthreads_or(*flag) == 0) {
  }
}
__global__ void objects(volatile int* flag, int*) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  while (*flag == 0) barrier.arrive_and_wait();
}
__global__ void counted_objects(volatile int* flag, int* count) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  int phases = 0;
  while (*flag == 0) {
    auto token = barrier.arrive();
    barrier.wait(std::move(token));
    ++phases;
  }
  count[threadIdx.x] = phases;
}
__device__ __noinline__ bool poll(volatile int* flag, int& tries) {
  ++tries;
  return *flag != 0;
}
__global__ void calls(volatile int* flag, int* count) {
  int tries = 0;
  while (!poll(flag, tries)) {
  }
  count[threadIdx.x] = tries;
}
struct Backoff {
  unsigned pause = 8;
  int tries = 0;
  __device__ __noinline__ void wait() {
    __nanosleep(pause);
    if (pause < 256) pause *= 2;
    ++tries;
  }
};
__global__ void backoffs(volatile int* flag, int* count) {
  Backoff backoff;
  while (*flag == 0) backoff.wait();
  count[threadIdx.x] = backoff.tries;
}
__global__ void nests(volatile int* flag, int* count) {
  for (int rounds = 0;; ++rounds) {
    for (int i = 0; i < 100; ++i) {
      if (flag[i % 8] != 0) {
        count[threadIdx.x] = rounds;
        return;
      }
      __nanosleep(10);
    }
  }
}
__device__ __noinline__ int leader_of(volatile int* flag) {
  int seen = 0;
  if (threadIdx.x % 32 == 0) seen = *flag;
  return __shfl_sync(~0U, seen, 0);
}
__global__ void counted_leaders(volatile int* flag, int* count) {
  int tries = 0;
  for (; leader_of(flag) == 0; ++tries) __nanosleep(50);
  count[threadIdx.x] = tries;
}
__global__ void clocks(volatile int* flag, int*) {
  const long long start = clock64();
  while (*flag == 0 && clock64() - start >= 0) {
  }
}
__global__ void counters(volatile int* flag, int* count) {
  while (*flag == 0) atomicAdd(count, 1);
}
__global__ void stores(volatile int* flag, int* count) {
  volatile int* mine = count + threadIdx.x;
  for (; *flag == 0; __syncthreads()) *mine = *mine + 1;
}
__global__ void texts(volatile int* flag, int*) {
  while (*flag == 0) {
    if (threadIdx.x == 0) printf(".");
  }
}
__global__ void blocks(volatile int* flag, int*) {
  const unsigned other = 1 - blockIdx.x;
  while (flag[other] == 0) __syncthreads();
  flag[blockIdx.x] = 1;
}
__global__ void locks(volatile int*, int* lock) {
  bool done = false;
  while (!__all_sync(~0U, done)) {
    if (!done && atomicCAS(lock, 0, 1) == 0) done = false;
  }
}

// A deadlock, which is seen at once.
__global__ void missing(volatile int*, int*) {
  if (threadIdx.x >= 32) asm volatile("bar.sync 1, 64;");
}

struct Mode {
  const char* name;
  void (*kernel)(volatile int*, int*);
};

#define MODE(kernel) \
  { #kernel, kernel }
const Mode kModes[] = {MODE(fences), MODE(sleeps), MODE(delays), MODE(tries), MODE(clocks_between), MODE(reads), MODE(barriers), MODE(counted_barriers), MODE(warps),  MODE(votes),    MODE(shuffles),
                       MODE(tiles), MODE(sleeping_votes), MODE(sleeping_tiles), MODE(sleeping_sums), MODE(sleeping_blocks), MODE(counted_votes), MODE(called_votes), MODE(latches), MODE(exits), MODE(leaders), MODE(copies), MODE(any_of_block),    MODE(objects), MODE(counted_objects), MODE(calls), MODE(backoffs), MODE(nests), MODE(counted_leaders),          MODE(clocks), MODE(counters), MODE(stores),
                       MODE(texts),    MODE(blocks),           MODE(locks),  MODE(missing)};

int main(int, char** arguments) {
  int* memory;
  cudaMalloc(&memory, 4096);
  cudaMemset(memory, 0, 4096);
  for (const Mode& mode : kModes) {
    if (std::strcmp(mode.name, arguments[1]) == 0) mode.kernel<<<2, 64>>>(memory, memory + 512);
  }
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

// SPDX-License-Identifier: Apache-2.0
#undef NDEBUG  // assertions stay, in every build
#include "unit/cuda/runtime/defects.hpp"

#include <stdexcept>

// Reports quote this file: approved outputs hold its line numbers. New kernels go to its end.
namespace warpfiber::test::defects {

__global__ void persistent_sum(unsigned* arrived) {
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1U);
    while (atomicAdd(arrived, 0U) < gridDim.x) {
    }
  }
  __syncthreads();
  arrived[1] = 1;
}

__global__ void plain_grid_barrier(int* rows) {
  rows[blockIdx.x] = 1;
  sync_grid();
  rows[blockIdx.x] += rows[gridDim.x - 1 - blockIdx.x];
}

__global__ void block_left_first(int* rows) {
  if (blockIdx.x == 3) return;
  sync_grid();
  rows[blockIdx.x] = 3;
}

__global__ void leader_left_first(int* rows) {
  if (blockIdx.x == 2 && threadIdx.x == 0) return;
  sync_grid();
  rows[blockIdx.x] = 4;
}

__global__ void unequal_rows(int* rows) {
  for (unsigned row = 0; row <= blockIdx.x / 2; ++row) {
    rows[blockIdx.x] = 5;
    sync_grid();
  }
}

__global__ void unequal_steps(int* out) {
  const int steps = threadIdx.x < 40 ? 3 : 4;
  for (int i = 0; i < steps; ++i) {
    out[threadIdx.x] += i;
    __syncthreads();
  }
  out[threadIdx.x] = 6;
  __syncthreads();
}

__global__ void barrier_in_both_branches(int* out) {
  if (threadIdx.x % 2 == 0) {
    out[threadIdx.x] = 7;
    __syncthreads();
  } else {
    out[threadIdx.x] = 8;
    __syncthreads();
  }
}

__global__ void shuffle_against_barrier(int* out) {
  if (threadIdx.x % 32 < 16) {
    out[threadIdx.x] = __shfl_sync(0xffffffff, 9, 0);
  } else {
    out[threadIdx.x] = 9;
    __syncthreads();
  }
}

__global__ void locks_crosswise(int* locks) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&locks[blockIdx.x], 0, 1) != 0) {
  }
  atomicAdd(&locks[2], 1);
  while (atomicAdd(&locks[2], 0) < 2) {
  }
  while (atomicCAS(&locks[1 - blockIdx.x], 0, 1) != 0) {
  }
}

__global__ void absent_lanes(int* flag) {
  if (threadIdx.x < 16) {
    __syncwarp(0xffffffff);
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
  }
}

__global__ void masks_overlap(int* out) {
  if (threadIdx.x < 16) {
    out[threadIdx.x] = __shfl_sync(0x0003ffff, 12, 0);
  } else {
    out[threadIdx.x] = __shfl_sync(0xffff8000, 13, 16);
  }
}

__global__ void vote_against_shuffle(int* out) {
  if (threadIdx.x < 8) {
    out[threadIdx.x] = __any_sync(0xffffffff, threadIdx.x == 14);
  } else {
    out[threadIdx.x] = __shfl_sync(0xffffffff, 14, 0);
  }
}

__global__ void caller_not_in_mask(int* out) {
  if (threadIdx.x < 20) out[threadIdx.x] = __shfl_down_sync(0x0000ffff, 15, 1);
}

__global__ void flag_polled_by_atomic(int* flag) {
  while (atomicCAS(flag, 1, 0) != 1) {
  }
}

__global__ void flag_polled_by_load(int* flag) {
  volatile int* polled = flag;
  while (*polled != 17) {
  }
}

__global__ void cluster_rank_too_large(int* out) {
  auto& value = shared<int, struct rank_value>();
  out[threadIdx.x] = *map_shared_rank(&value, cluster_size() + threadIdx.x);
}

__global__ void throws_runtime_error() {
  if (threadIdx.x == 7) throw std::runtime_error("no such row");
}

__global__ void throws_number() {
  if (threadIdx.x == 7) throw 19;
}

__global__ void asserts_small(int n) {
  assert(static_cast<int>(threadIdx.x) < n);
}

__global__ void traps() {
  if (threadIdx.x == 5) __trap();
}

__global__ void divides(int* divisor) {
  if (threadIdx.x == 3) divisor[1] = 22 / divisor[0];
}

__global__ void writes_at(std::uintptr_t address) {
  if (threadIdx.x == 9) *reinterpret_cast<volatile int*>(address) = 23;
}

__global__ void reads_null(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x + 2];
}

__global__ void calls(int (*function)(int), int* out) {
  if (threadIdx.x == 3) out[0] = function(4) + 1;
}

__device__ int sum_below(int n) {
  volatile int kept = n;
  return n == 0 ? 0 : sum_below(n - 1) + kept;
}

__global__ void recurses(int* out) {
  __syncthreads();
  out[threadIdx.x] = sum_below(10'000'000);
}

__device__ int deep_in_barriers(int n) {
  volatile int kept = n;
  __syncthreads();
  return n == 0 ? 0 : deep_in_barriers(n - 1) + kept;
}

__global__ void overflows_in_barrier(int* out) {
  out[threadIdx.x] = deep_in_barriers(10'000'000);
}

__global__ void large_frame(int* out, int last) {
  volatile char scratch[150'000];
  scratch[last] = 27;
  __syncthreads();
  out[threadIdx.x] = scratch[last];
}

__global__ void large_static_shared(int* out) {
  WARPFIBER_SHARED(float[8192], table);
  WARPFIBER_SHARED(int[5000], index);
  table[threadIdx.x] = 28;
  index[threadIdx.x] = 29;
  __syncthreads();
  out[threadIdx.x] = index[threadIdx.x ^ 1];
}

}  // namespace warpfiber::test::defects

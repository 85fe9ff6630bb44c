// SPDX-License-Identifier: Apache-2.0
// Kernels at the limits of what may be loops over threads. Those behind the line have to be refused when they are
// compiled: their threads wait for each other in ways that only fibers follow, or would not be found again.
#include "results.h"

__device__ unsigned own_index() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

// Arrays whose size is no multiple of the alignment that the compiler gives them.
template <class T, unsigned kSize>
__global__ void odd_arrays(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  T own[kSize] = {};
  for (unsigned k = 0; k < kSize; ++k) own[(k + threadIdx.x) % kSize] = in[own_index()] % (k + 3);
  values[threadIdx.x] = static_cast<unsigned>(own[0]);
  __syncthreads();
  out[own_index()] = values[63 - threadIdx.x] + static_cast<unsigned>(own[threadIdx.x % kSize] * 3);
}

// Indices that wrap within a vector.
__global__ void wrapped(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  const unsigned t = threadIdx.x;
  values[t] = in[own_index()];
  __syncthreads();
  out[own_index()] = values[t * 5 % 64] + 3 * values[(t + 1) % 64] + 7 * values[t * 7 % 32] + values[(t * 3 + 5) & 63];
}

__global__ void copied_index(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  const uint3 index = threadIdx;
  values[index.x] = in[own_index()];
  __syncthreads();
  out[own_index()] = values[63 - index.x] + index.y + index.z;
}

// Warps that do different things, each with its own meetings, where rows are made of whole warps.
__global__ void warps_apart(const unsigned* in, unsigned* out) {
  unsigned value = in[own_index()];
  if (threadIdx.x / 32 == 0) {
    value += __shfl_xor_sync(kFull, value, 7);
  } else if (threadIdx.x >= 64) {
    value ^= __shfl_xor_sync(kFull, value, 9);
  }
  __syncthreads();
  out[own_index()] = value;
}

__global__ void retried(const unsigned* in, unsigned* out) {
  __shared__ unsigned largest;
  if (threadIdx.x == 0) largest = 0;
  __syncthreads();
  const unsigned value = in[own_index()];
  unsigned old = largest;
  unsigned assumed;
  do {
    assumed = old;
    old = atomicCAS(&largest, assumed, assumed < value ? value : assumed);
  } while (assumed != old);
  __syncthreads();
  out[own_index()] = largest;
}

// Volatile memory is looked at as often as the block has threads.
__global__ void looks_by_count(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  const volatile unsigned* seen = values;
  values[threadIdx.x] = in[own_index()];
  __syncthreads();
  unsigned sum = 0;
  unsigned i = 0;
  while (i < blockDim.x) {
    sum = sum * 3 + seen[i];
    ++i;
  }
  out[own_index()] = sum;
}

// Plain words that end a loop are written in it, or are compared with a count.
__device__ unsigned rounds_of_block[8];
__global__ void until_it_converges(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  unsigned* rounds = rounds_of_block + blockIdx.x;
  if (threadIdx.x == 0) *rounds = 0;
  values[threadIdx.x] = in[own_index()] >> 8;
  unsigned limit = 0;
  do {
    __syncthreads();
    const unsigned other = values[(threadIdx.x + 1) % 64];
    limit = *rounds;
    __syncthreads();
    values[threadIdx.x] = (values[threadIdx.x] + other) / 2;
    if (threadIdx.x == 0) *rounds = limit + 1;
    for (unsigned i = 0; i < in[5] % 4 + 1; ++i) __syncthreads();
  } while (*rounds < 5);
  out[own_index()] = values[threadIdx.x] + limit;
}

__device__ unsigned sorted[64];
__global__ void searches(const unsigned* in, unsigned* out) {
  __shared__ unsigned places[64];
  if (threadIdx.x == 0 && blockIdx.x == 0) sorted[63] = 7;
  unsigned low = 0;
  unsigned high = 63;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (sorted[middle] < in[own_index()]) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  places[threadIdx.x] = low;
  __syncthreads();
  out[own_index()] = places[63 - threadIdx.x];
}

// ----

// A flag of another block, as plain memory, by itself and by way of a word that the block shares.
__device__ unsigned raised[4];
__global__ void plain_flag(const unsigned* in, unsigned* out) {
  if (blockIdx.x == 0) {
    while (raised[0] == 0) {
      __syncthreads();
      __threadfence();
    }
  } else if (threadIdx.x == 0) {
    __threadfence();
    atomicExch(&raised[0], 1u);
  }
  __syncthreads();
  out[own_index()] = in[own_index()];
}

__global__ void told_flag(const unsigned* in, unsigned* out) {
  __shared__ unsigned goes_on;
  if (blockIdx.x == 0) {
    unsigned tries = 0;
    for (;;) {
      if (threadIdx.x == 0) goes_on = raised[1];
      __syncthreads();
      const unsigned seen = goes_on;
      __syncthreads();
      if (seen != 0 || ++tries == 1u << 30) break;
      __threadfence();
    }
  } else if (threadIdx.x == 0) {
    atomicExch(&raised[1], 1u);
  }
  __syncthreads();
  out[own_index()] = in[own_index()];
}

__global__ void fenced_flag(const unsigned* in, unsigned* out) {
  if (blockIdx.x == 0) {
    while (raised[2] == 0) __threadfence();
  } else if (threadIdx.x == 0) {
    atomicExch(&raised[2], 1u);
  }
  __syncthreads();
  out[own_index()] = in[own_index()];
}

// The sums of the blocks before, from the last one back to the first that has all of them.
__device__ unsigned ready[8], sums[8];
__global__ void looks_back(const unsigned* in, unsigned* out) {
  __shared__ unsigned before;
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    ready[blockIdx.x] = 1;
    unsigned sum = 0;
    int look = static_cast<int>(blockIdx.x) - 1;
    while (look >= 0) {
      const unsigned seen = ready[look];
      if (seen != 0) sum += sums[look--];
      __threadfence();
    }
    before = sum;
  }
  __syncthreads();
  out[own_index()] = before + in[own_index()];
}

__global__ void index_by_pointer(const unsigned* in, unsigned* out) {
  const unsigned* index = &threadIdx.x;
  __syncthreads();
  out[own_index()] = in[own_index()] + index[in[0] % 2];
}

__global__ void two_places(const unsigned* in, unsigned* out) {
  unsigned value = in[own_index()];
  if (threadIdx.x % 32 < 16) {
    value += __shfl_sync(0xffffu, value, 3);
    __syncwarp();
  } else {
    __syncwarp();
    value += 100;
  }
  __syncthreads();
  out[own_index()] = value;
}

__global__ void exchanged(const unsigned* in, unsigned* out) {
  __shared__ unsigned flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    while (atomicExch(&flag, 0) == 0) {
    }
  } else if (threadIdx.x == 40) {
    atomicExch(&flag, 1);
  }
  __syncthreads();
  out[own_index()] = in[own_index()];
}

__global__ void bit_lock(const unsigned* in, unsigned* out) {
  __shared__ unsigned lock, total;
  if (threadIdx.x == 0) lock = total = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    unsigned want;
    do {
      want = lock & ~1u;
    } while (atomicCAS(&lock, want, want | 1) != want);
    total += in[own_index()];
  }
  __syncwarp();
  if (threadIdx.x % 32 == 0) atomicAnd(&lock, ~1u);
  __syncthreads();
  out[own_index()] = total;
}

// The last block's number is known once all have come.
__device__ unsigned arrived;
// What is looked for reaches the loop's end through other memory.
__global__ void looks_for_others(const unsigned* in, unsigned* out) {
  __shared__ volatile unsigned flag;
  __shared__ unsigned found[2];
  if (threadIdx.x == 0) flag = found[0] = found[1] = 0;
  __syncthreads();
  unsigned work = in[own_index()];
  if (threadIdx.x == 0) {
    while (found[in[blockIdx.x] % 1] == 0) {
      work = work * 3 + 1;
      if (flag != 0) found[work % 1] = 1;
    }
    work = 1;
  } else if (threadIdx.x == 40) {
    flag = 1;
  }
  out[own_index()] = work;
}

__global__ void waiting_for_blocks(const unsigned* in, unsigned* out) {
  if (threadIdx.x == 0) atomicAdd(&arrived, 1u);
  while (__syncthreads_or(threadIdx.x == 0 && atomicAdd(&arrived, 0u) < gridDim.x)) {
  }
  out[own_index()] = in[own_index()];
}

__device__ unsigned with_barrier(unsigned value) {
  __syncthreads();
  return value + 1;
}
__global__ void function_address(const unsigned* in, unsigned* out) {
  __shared__ unsigned (*function)(unsigned);
  if (threadIdx.x == 0) function = with_barrier;
  __syncthreads();
  out[own_index()] = in[own_index()] + (function == with_barrier);
}

// A compare-and-swap that is done and goes on has waited for another value: units of a semaphore, and a turn.
__global__ void semaphore(const unsigned* in, unsigned* out) {
  __shared__ unsigned units, total;
  if (threadIdx.x == 0) units = total = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned seen = 0;
    for (unsigned taken = 1; taken < blockDim.x; ++taken) {
      for (;;) {
        const unsigned expected = seen;
        seen = atomicCAS(&units, expected, expected > 0 ? expected - 1 : 0);
        if (seen == expected && expected > 0) break;
      }
    }
  } else {
    atomicAdd(&total, in[own_index()]);
    atomicAdd(&units, 1);
  }
  __syncthreads();
  out[own_index()] = total + units;
}

__global__ void turns(const unsigned* in, unsigned* out) {
  __shared__ unsigned turn, order[64];
  if (threadIdx.x == 0) turn = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    const unsigned mine = 1 - threadIdx.x / 32;
    unsigned seen = 7;
    do {
      seen = atomicCAS(&turn, seen, seen);
    } while (seen != mine);
    order[threadIdx.x / 32] = seen;
    atomicAdd(&turn, 1);
  }
  __syncthreads();
  out[own_index()] = order[threadIdx.x / 32] + in[own_index()];
}

// The others of the file catch what never comes to them.
__device__ unsigned value_or_end(unsigned value) {
  if (value % 5 == 0) asm volatile("exit;");
  return value + 1;
}

__global__ void ends_by_exit(const unsigned* in, unsigned* out) {
  __syncthreads();
  out[own_index()] = value_or_end(in[own_index()]);
}

__attribute__((weak)) __device__ unsigned replaceable(unsigned value) {
  return value + 2;
}
__global__ void weak_function(const unsigned* in, unsigned* out) {
  __syncthreads();
  out[own_index()] = replaceable(in[own_index()]);
}

const Test kTests[] = {
    {"odd_floats", odd_arrays<float, 5>, 3, 64},
    {"odd_doubles", odd_arrays<double, 3>, 3, 64},
    {"odd_characters", odd_arrays<unsigned char, 7>, 3, 64},
    {"wrapped", wrapped, 5, 64},
    {"copied_index", copied_index, 2, 64},
    {"warps_apart", warps_apart, 3, 96},
    {"warps_apart_in_short_rows", warps_apart, 2, dim3(16, 4)},
    {"retried", retried, 3, 100},
    {"looks_by_count", looks_by_count, 2, 64},
    {"until_it_converges", until_it_converges, 5, 64},
    {"searches", searches, 1, 64},
    {"plain_flag", plain_flag, 2, 64},
    {"told_flag", told_flag, 2, 64},
    {"fenced_flag", fenced_flag, 2, 64},
    {"looks_back", looks_back, 4, 64},
    {"index_by_pointer", index_by_pointer, 2, 64},
    {"two_places", two_places, 2, 64},
    {"exchanged", exchanged, 2, 64},
    {"bit_lock", bit_lock, 2, 96},
    {"semaphore", semaphore, 2, 64},
    {"turns", turns, 2, 64},
    {"looks_for_others", looks_for_others, 2, 64},
    {"waiting_for_blocks", waiting_for_blocks, 16, 32},
    {"function_address", function_address, 2, 64},
    {"ends_by_exit", ends_by_exit, 2, 64},
    {"weak_function", weak_function, 2, 64},
};

int main() {
  return run_all(kTests);
}

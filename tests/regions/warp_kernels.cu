// SPDX-License-Identifier: Apache-2.0
// Threads of a warp that exchange values: shuffles of all kinds, widths and types, votes, matches, reductions, tiles of
// cooperative groups; by all lanes, by those of some warps while the others are at the barrier, and in loops.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "results.h"

namespace cg = cooperative_groups;

__device__ unsigned own_index() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void sum_down(const unsigned* in, unsigned* out) {
  unsigned sum = in[own_index()];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(kFull, sum, step);
  out[own_index()] = sum;
}

__global__ void sum_xor(const unsigned* in, unsigned* out) {
  unsigned sum = in[own_index()];
  for (int step = 1; step < warpSize; step *= 2) sum = sum * 3 + __shfl_xor_sync(kFull, sum, step);
  out[own_index()] = sum;
}

__global__ void scan_up(const unsigned* in, unsigned* out) {
  const unsigned lane = threadIdx.x % 32;
  unsigned sum = in[own_index()];
  for (unsigned step = 1; step < 32; step <<= 1) {
    const unsigned got = __shfl_up_sync(kFull, sum, step);
    if (lane >= step) sum += got;
  }
  out[own_index()] = sum;
}

template <int kWidth>
__global__ void narrow(const unsigned* in, unsigned* out) {
  const int value = static_cast<int>(in[own_index()]);
  int mixed = __shfl_sync(kFull, value, static_cast<int>(threadIdx.x) * 7 + 3, kWidth);
  mixed = mixed * 5 + __shfl_up_sync(kFull, value, 3, kWidth);
  mixed = mixed * 5 + __shfl_down_sync(kFull, value, 5, kWidth);
  mixed = mixed * 5 + __shfl_xor_sync(kFull, value, 6, kWidth);
  mixed = mixed * 5 + __shfl_sync(kFull, value, value & 31, kWidth);
  out[own_index()] = static_cast<unsigned>(mixed);
}

__global__ void wide_types(const unsigned* in, unsigned* out) {
  const unsigned bits = in[own_index()];
  double sum = bits * 0.37;
  long long whole = static_cast<long long>(bits) * 987654321 - 55;
  unsigned long long mask = ~0ull / (bits | 1);
  float half = bits * 0.5f;
  for (int step = 16; step > 0; step >>= 1) {
    sum += __shfl_xor_sync(kFull, sum, step);
    whole = max(whole, __shfl_down_sync(kFull, whole, step) + 1);
    mask ^= __shfl_up_sync(kFull, mask, step, 16);
    half = half * 0.5f + __shfl_sync(kFull, half, step + 3);
  }
  out[own_index()] = static_cast<unsigned>(__double_as_longlong(sum) >> 17) ^ static_cast<unsigned>(whole >> 9) ^
                     static_cast<unsigned>(mask) ^ __float_as_uint(half);
}

__global__ void block_sum(const unsigned* in, unsigned* out) {
  __shared__ float sums[32];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  float sum = (in[own_index()] >> 8) * 1e-3f;
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(kFull, sum, step);
  if (lane == 0) sums[warp] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = lane < blockDim.x / 32 ? sums[lane] : 0.0f;
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(kFull, sum, step);
    if (lane == 0) out[blockIdx.x] = __float_as_uint(sum);
  }
}

__device__ int warp_total(int value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(kFull, value, step);
  return value;
}

__device__ int block_total(int value) {
  __shared__ int totals[32];
  const int lane = threadIdx.x & 31;
  const int warp = threadIdx.x >> 5;
  value = warp_total(value);
  if (lane == 0) totals[warp] = value;
  __syncthreads();
  value = threadIdx.x < (blockDim.x + 31) / 32 ? totals[lane] : 0;
  if (warp == 0) value = warp_total(value);
  if (threadIdx.x == 0) totals[0] = value;
  __syncthreads();
  value = totals[0];
  __syncthreads();
  return value;
}

__global__ void block_totals(const unsigned* in, unsigned* out) {
  int value = static_cast<int>(in[own_index()]);
  for (int round = 0; round < 3; ++round) value = value * 3 + block_total(value ^ round);
  out[own_index()] = static_cast<unsigned>(value);
}

// The first warp exchanges values while the others are at the barrier already.
__global__ void first_warp(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[256];
  const unsigned t = threadIdx.x;
  values[t] = in[own_index()];
  for (unsigned round = 0; round < 3; ++round) {
    __syncthreads();
    if (t < 32) {
      unsigned sum = 0;
      for (unsigned i = t; i < blockDim.x; i += 32) sum += values[i];
      for (unsigned step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(kFull, sum, static_cast<int>(step));
      values[t] = sum ^ t;
    }
    __syncthreads();
    const unsigned got = values[t % 32] >> 1;
    __syncthreads();
    values[t] += got;
  }
  out[own_index()] = values[t];
}

// Each warp goes round its own number of times.
__global__ void trips_by_warp(const unsigned* in, unsigned* out) {
  __shared__ unsigned bounds[8];
  const unsigned warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) bounds[warp] = in[blockIdx.x * 8 + warp] % 9;
  __syncthreads();
  unsigned value = in[own_index()];
  for (unsigned i = 0; i < bounds[warp]; ++i) {
    value += __shfl_sync(kFull, value, static_cast<int>(i * 5 % 32));
    if (__any_sync(kFull, value % 61 == 0)) break;
    __syncwarp();
  }
  __syncthreads();
  out[own_index()] = value + bounds[7 - warp];
}

// A loop that goes on while any lane wants it.
__global__ void loop_of_votes(const unsigned* in, unsigned* out) {
  unsigned value = in[own_index()] % 4096 + 2;
  unsigned rounds = 0;
  while (__any_sync(kFull, value > 1)) {
    if (value > 1) value = value & 1 ? 3 * value + 1 : value / 2;
    rounds = rounds * 3 + __ballot_sync(kFull, value & 1);
    if (rounds == 0) break;
    ++value;
    value = value > 3000 ? 1 : value - 1;
  }
  out[own_index()] = rounds ^ value;
}

__global__ void votes(const unsigned* in, unsigned* out) {
  const unsigned value = in[own_index()];
  unsigned mixed = __ballot_sync(kFull, value & 1);
  mixed = mixed * 9 + 4 * __all_sync(kFull, value > 100) + 2 * __any_sync(kFull, value % 100 == 3);
  mixed += __uni_sync(kFull, value >> 31);
  if (threadIdx.x % 32 == 7) mixed += 77;
  mixed ^= __popc(__ballot_sync(kFull, mixed % 3 == 0) & ((1u << threadIdx.x % 32) - 1));
  out[own_index()] = mixed;
}

__global__ void matches(const unsigned* in, unsigned* out) {
  const unsigned value = in[own_index()] >> 29;
  unsigned mixed = __match_any_sync(kFull, value);
  mixed ^= __match_any_sync(kFull, static_cast<unsigned long long>(value % 3) << 40) << 1;
  int all = 0;
  mixed += __match_all_sync(kFull, value / 8, &all);
  mixed += 5 * all;
  mixed -= __match_all_sync(kFull, value, &all) + all;
  out[own_index()] = mixed;
}

__global__ void reductions(const unsigned* in, unsigned* out) {
  const unsigned value = in[own_index()];
  unsigned mixed = __reduce_add_sync(kFull, value);
  mixed = mixed * 3 + __reduce_min_sync(kFull, value);
  mixed = mixed * 3 + __reduce_max_sync(kFull, value);
  mixed = mixed * 3 + static_cast<unsigned>(__reduce_min_sync(kFull, static_cast<int>(value)));
  mixed = mixed * 3 + static_cast<unsigned>(__reduce_max_sync(kFull, static_cast<int>(value)));
  mixed = mixed * 3 + __reduce_and_sync(kFull, value | 0xff00ff00u);
  mixed = mixed * 3 + __reduce_or_sync(kFull, value & 0x0f0f0f0fu);
  out[own_index()] = mixed * 3 + __reduce_xor_sync(kFull, value);
}

template <unsigned kSize>
__global__ void tiles(const unsigned* in, unsigned* out) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<kSize>(block);
  unsigned value = in[own_index()];
  for (unsigned step = kSize / 2; step > 0; step /= 2) value += tile.shfl_down(value, step);
  value = tile.shfl(value, 0) * 3 + tile.thread_rank() + 32 * tile.meta_group_rank();
  value ^= tile.shfl_xor(value, 1) + tile.shfl_up(value, 2);
  value += tile.ballot(value & 1) + 2 * tile.any(value % 7 == 0) + tile.all(value > 3);
  tile.sync();
  value += cg::reduce(tile, value & 0xffff, cg::plus<unsigned>());
  value ^= tile.match_any(value % 2);
  block.sync();
  out[own_index()] = value + block.thread_rank();
}

__global__ void transposing_shuffle(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[32][33];
  unsigned mine[4];
  for (int i = 0; i < 4; ++i) mine[i] = in[own_index() + i * 32];
  for (int i = 0; i < 4; ++i) {
    const unsigned sent = mine[(i + threadIdx.x) % 4];
    mine[i] += __shfl_sync(kFull, sent, (static_cast<int>(threadIdx.x) + 8 * i) % 32);
    values[threadIdx.x][i] = mine[i];
    __syncwarp();
    mine[i] ^= values[(threadIdx.x + 1) % 32][i];
    __syncwarp();
  }
  out[own_index()] = mine[0] + 3 * mine[1] + 5 * mine[2] + 7 * mine[3];
}

// Whole warps leave before the others exchange values; the last one is not full.
__global__ void warps_that_left(const unsigned* in, unsigned* out) {
  const unsigned warp = threadIdx.x / 32;
  if (warp % 2 == 1) return;
  unsigned value = in[own_index()];
  if ((warp + 1) * 32 <= blockDim.x) value += __shfl_xor_sync(kFull, value, 9);
  __syncthreads();
  out[own_index()] = value;
}

// Lanes that a mask names, and a mask that the lanes find out.
__global__ void masks(const unsigned* in, unsigned* out) {
  unsigned value = in[own_index()];
  if (threadIdx.x % 32 < 16) {
    value += __shfl_xor_sync(0xffffu, value, 5);
    value += __reduce_add_sync(0xffffu, value);
  }
  const unsigned odd = __ballot_sync(kFull, value & 1);
  if (value & 1) value += __shfl_sync(odd, value, __ffs(static_cast<int>(odd)) - 1);
  out[own_index()] = value;
}

const Test kTests[] = {
    {"sum_down", sum_down, 4, 256},
    {"sum_xor", sum_xor, 4, 96},
    {"scan_up", scan_up, 4, 128},
    {"narrow_32", narrow<32>, 3, 64},
    {"narrow_16", narrow<16>, 3, 64},
    {"narrow_8", narrow<8>, 3, 64},
    {"narrow_2", narrow<2>, 3, 64},
    {"wide_types", wide_types, 3, 64},
    {"block_sum", block_sum, 9, 256},
    {"block_sum_1024", block_sum, 3, 1024},
    {"block_totals", block_totals, 3, 160},
    {"first_warp", first_warp, 4, 256},
    {"first_warp_32", first_warp, 4, 32},
    {"trips_by_warp", trips_by_warp, 5, 256},
    {"loop_of_votes", loop_of_votes, 3, 64},
    {"votes", votes, 3, 128},
    {"matches", matches, 3, 64},
    {"reductions", reductions, 3, 64},
    {"tiles_32", tiles<32>, 3, 128},
    {"tiles_16", tiles<16>, 3, 96},
    {"tiles_8", tiles<8>, 3, 64},
    {"transposing_shuffle", transposing_shuffle, 6, 32},
    {"warps_that_left", warps_that_left, 3, 150},
    {"masks", masks, 3, 64},
};

int main() { return run_all(kTests); }

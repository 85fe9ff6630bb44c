// SPDX-License-Identifier: Apache-2.0
// Kernels in which threads do little between meetings: the sum of a warp by shuffles, the scan of Hillis and Steele,
// and a bitonic sort. The time is that of the meetings.
#include <warpfiber/buffer.hpp>
#include <warpfiber/intrinsics/builtins.hpp>
#include <warpfiber/intrinsics/warp.hpp>
#include <warpfiber/shared.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

#include "measure.hpp"

namespace warpfiber::bench {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kBlocks = 1u << 10;
constexpr unsigned kElements = kBlocks * kThreads;
constexpr unsigned kLanes = 32;

/// Numbers from 0 to 250, so that sums of a block are exact.
std::vector<unsigned> mixed_numbers() {
  std::vector<unsigned> values(kElements);
  for (unsigned i = 0; i < kElements; ++i) values[i] = i * 2654435761u % 251;
  return values;
}

__global__ void sum_warps(const unsigned* in, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = in[i];
  for (unsigned step = kLanes / 2; step > 0; step /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, static_cast<int>(step));
  out[i] = sum;
}

__global__ void scan_blocks(const unsigned* in, unsigned* out) {
  auto& sums = shared<unsigned[2][kThreads], struct scan_sums>();
  const unsigned t = threadIdx.x;
  unsigned from = 0;
  sums[from][t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned distance = 1; distance < kThreads; distance *= 2) {
    sums[1 - from][t] = sums[from][t] + (t >= distance ? sums[from][t - distance] : 0);
    from = 1 - from;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + t] = sums[from][t];
}

__global__ void sort_blocks(const unsigned* in, unsigned* out) {
  auto& keys = shared<unsigned[kThreads], struct sort_keys>();
  const unsigned t = threadIdx.x;
  keys[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned size = 2; size <= kThreads; size *= 2) {
    for (unsigned distance = size / 2; distance > 0; distance /= 2) {
      const unsigned other = t ^ distance;
      if (other > t) {
        const unsigned a = keys[t];
        const unsigned b = keys[other];
        const bool swaps = (a > b) == ((t & size) == 0);
        keys[t] = swaps ? b : a;
        keys[other] = swaps ? a : b;
      }
      __syncthreads();
    }
  }
  out[blockIdx.x * blockDim.x + t] = keys[t];
}

/// `expect` makes what a group of `size` elements becomes.
template <class Kernel, class Expect>
void run_groups(benchmark::State& state, Kernel kernel, unsigned size, Expect expect) {
  std::vector<unsigned> values = mixed_numbers();
  const Buffer<unsigned> in(values);
  Buffer<unsigned> out(kElements);
  const double seconds = seconds_of(state, Clock::cpu, [&] {
    require(state, launch({.grid = kBlocks, .block = kThreads, .workers = 1}, kernel, in.data(), out.data()));
  });
  for (auto group = values.begin(); group != values.end(); group += size) expect(group, group + size);
  require_right(state, out.download() == values);
  state.counters["ns_per_thread"] = seconds * kNanoseconds / kElements;
}

void shuffle_sum(benchmark::State& state) {
  run_groups(state, sum_warps, kLanes, [](auto begin, auto end) {
    const unsigned sum = std::accumulate(begin, end, 0u);
    std::fill(begin, end, sum);
  });
}
BENCHMARK(shuffle_sum);

void scan(benchmark::State& state) {
  run_groups(state, scan_blocks, kThreads, [](auto begin, auto end) { std::partial_sum(begin, end, begin); });
}
BENCHMARK(scan);

void bitonic(benchmark::State& state) {
  run_groups(state, sort_blocks, kThreads, [](auto begin, auto end) { std::sort(begin, end); });
}
BENCHMARK(bitonic);

}  // namespace
}  // namespace warpfiber::bench

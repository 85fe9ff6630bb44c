// SPDX-License-Identifier: Apache-2.0
// Barriers, shuffles and reductions and nothing else: what one of them costs a thread, and whether two workers do twice
// as many.
// One launch makes millions of them, so starting it does not show in the figures.
#include <warpfiber/buffer.hpp>
#include <warpfiber/cooperative_groups.hpp>
#include <warpfiber/groups/reduce.hpp>
#include <warpfiber/intrinsics/builtins.hpp>
#include <warpfiber/intrinsics/warp.hpp>

#include <algorithm>
#include <iterator>

#include "measure.hpp"

namespace warpfiber::bench {
namespace {

// Barriers or shuffles of one launch, over all its threads.
constexpr unsigned kWaits = 1u << 22;

__global__ void barriers(unsigned rounds) {
  for (unsigned i = 0; i < rounds; ++i) __syncthreads();
}

__global__ void shuffles(unsigned rounds, float* out) {
  float value = static_cast<float>(threadIdx.x);
  for (unsigned i = 0; i < rounds; ++i) value += __shfl_down_sync(0xffffffff, value, 1);
  out[threadIdx.x] = value;
}

__global__ void warp_waits(unsigned rounds) {
  for (unsigned i = 0; i < rounds; ++i) __syncwarp();
}

__global__ void tile_waits(unsigned rounds) {
  namespace cg = cooperative_groups;
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  for (unsigned i = 0; i < rounds; ++i) tile.sync();
}

/// The sum of a warp, once for each: with masks, and as before there were any.
__global__ void masked_sum(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = in[i];
  for (unsigned m = 16; m > 0; m /= 2) value += __shfl_down_sync(0xffffffff, value, m);
  if (threadIdx.x % 32 == 0) out[i / 32] = value;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
__global__ void maskless_sum(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = in[i];
  for (unsigned m = 16; m > 0; m /= 2) value += __shfl_down(value, m);
  if (threadIdx.x % 32 == 0) out[i / 32] = value;
}
#pragma GCC diagnostic pop

/// The sum of a warp as kernels without cooperative groups compute it.
__global__ void shuffled_sums(unsigned rounds, float* out) {
  float value = static_cast<float>(threadIdx.x);
  for (unsigned i = 0; i < rounds; ++i) {
    for (unsigned m = 16; m > 0; m /= 2) value += __shfl_xor_sync(0xffffffff, value, m);
    value *= 1.0F / 32;
  }
  out[threadIdx.x] = value;
}

__global__ void reduced_sums(unsigned rounds, float* out) {
  namespace cg = cooperative_groups;
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  float value = static_cast<float>(threadIdx.x);
  for (unsigned i = 0; i < rounds; ++i) value = cg::reduce(tile, value, cg::plus<float>()) * (1.0F / 32);
  out[threadIdx.x] = value;
}

/// One launch that waits kWaits times.
void wait_in(benchmark::State& state, void (*kernel)(unsigned)) {
  const auto threads = static_cast<unsigned>(state.range(0));
  const double seconds = seconds_of(
      state, Clock::cpu, [&] { require(state, launch({.block = threads, .workers = 1}, kernel, kWaits / threads)); });
  state.counters["ns_per_thread"] = seconds * kNanoseconds / kWaits;
}

void barrier(benchmark::State& state) {
  wait_in(state, barriers);
}
BENCHMARK(barrier)->Arg(32)->Arg(256)->Arg(1024);

void shuffle(benchmark::State& state) {
  const auto threads = static_cast<unsigned>(state.range(0));
  float out[32] = {};
  const double seconds = seconds_of(state, Clock::cpu, [&] {
    require(state, launch({.block = threads, .workers = 1}, shuffles, kWaits / threads, out));
  });
  benchmark::DoNotOptimize(out);
  state.counters["ns_per_thread"] = seconds * kNanoseconds / kWaits;
}
BENCHMARK(shuffle)->Arg(32);

void syncwarp(benchmark::State& state) {
  wait_in(state, warp_waits);
}
BENCHMARK(syncwarp)->Arg(32);

void tile_sync(benchmark::State& state) {
  wait_in(state, tile_waits);
}
BENCHMARK(tile_sync)->Arg(32);

/// A reduction against the five steps of shuffles that it stands for.
void group_reduce(benchmark::State& state) {
  const auto threads = static_cast<unsigned>(state.range(0));
  const LaunchConfig config{.block = threads, .workers = 1};
  float steps[32] = {};
  float out[32] = {};
  const auto run_steps = [&] { require(state, launch(config, shuffled_sums, kWaits / threads, steps)); };
  run_steps();
  const double begin = now(Clock::cpu);
  run_steps();
  const double seconds_of_steps = now(Clock::cpu) - begin;
  const double seconds =
      seconds_of(state, Clock::cpu, [&] { require(state, launch(config, reduced_sums, kWaits / threads, out)); });
  require_right(state, std::equal(std::begin(out), std::end(out), std::begin(steps)));
  state.counters["ns_per_thread"] = seconds * kNanoseconds / kWaits;
  state.counters["steps_ns_per_thread"] = seconds_of_steps * kNanoseconds / kWaits;
  state.counters["ratio"] = seconds / seconds_of_steps;
}
BENCHMARK(group_reduce)->Arg(32);

/// Sums of warps by shuffles without masks against the same with masks.
void maskless_sums(benchmark::State& state) {
  constexpr unsigned kThreads = 1U << 18;
  const auto block = static_cast<unsigned>(state.range(0));
  const LaunchConfig config{.grid = kThreads / block, .block = block, .workers = 1};
  Buffer<float> in(kThreads);
  Buffer<float> out(kThreads / 32);
  in.fill(1.0F);
  const auto run_masked = [&] { require(state, launch(config, masked_sum, in.data(), out.data())); };
  run_masked();
  const double begin = now(Clock::cpu);
  run_masked();
  const double seconds_masked = now(Clock::cpu) - begin;
  out.fill(0.0F);
  const double seconds =
      seconds_of(state, Clock::cpu, [&] { require(state, launch(config, maskless_sum, in.data(), out.data())); });
  require_right(state, std::all_of(out.data(), out.data() + kThreads / 32, [](float sum) { return sum == 32.0F; }));
  state.counters["ns_per_thread"] = seconds * kNanoseconds / kThreads;
  state.counters["masked_ns_per_thread"] = seconds_masked * kNanoseconds / kThreads;
}
BENCHMARK(maskless_sums)->Arg(256);

void workers(benchmark::State& state) {
  constexpr unsigned kBlocks = 64;
  constexpr unsigned kThreads = 256;
  const auto count = static_cast<unsigned>(state.range(0));
  const double seconds = seconds_of(state, Clock::wall, [&] {
    const unsigned rounds = kWaits / (kBlocks * kThreads);
    require(state, launch({.grid = kBlocks, .block = kThreads, .workers = count}, barriers, rounds));
  });
  state.counters["ns_per_thread"] = seconds * kNanoseconds / kWaits;
}
BENCHMARK(workers)->Arg(1)->Arg(2);

}  // namespace
}  // namespace warpfiber::bench

// SPDX-License-Identifier: Apache-2.0
// A kernel without barriers, 2^24 elements: as a plain serial loop, with its body visible to the launch, and through a
// function pointer. All three run on one OS thread over memory of the same kind.
#include <warpfiber/buffer.hpp>
#include <warpfiber/intrinsics/builtins.hpp>

#include <algorithm>
#include <thread>

#include "measure.hpp"

namespace warpfiber::bench {
namespace {

constexpr unsigned kElements = 1u << 24;
constexpr unsigned kThreads = 256;
constexpr float kScale = 0.5f;
constexpr float kX = 2.0f;
// x * scale + y stays y = 2 for ever only if the sum is computed from fresh values; it grows by 1 a call.
constexpr float kStep = kScale * kX;

__global__ void saxpy(unsigned n, float a, const float* x, float* y) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

}  // namespace
}  // namespace warpfiber::bench

template <>
inline constexpr bool warpfiber::is_straight_line<warpfiber::bench::saxpy> = true;

namespace warpfiber::bench {
namespace {

__attribute__((noinline)) void serial_saxpy(unsigned n, float a, const float* x, float* y) {
  for (unsigned i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}

template <class Call>
void run_saxpy(benchmark::State& state, Call&& call) {
  Buffer<float> x(kElements);
  Buffer<float> y(kElements);
  x.fill(kX);
  y.fill(0.0f);
  float expected = 0.0f;
  const double seconds = seconds_of(state, Clock::cpu, [&] {
    call(x.data(), y.data());
    expected += kStep;
  });
  const bool right = std::all_of(y.data(), y.data() + kElements, [=](float value) { return value == expected; });
  require_right(state, right);
  state.counters["ns_per_element"] = seconds * kNanoseconds / kElements;
}

LaunchConfig one_worker() {
  return {.grid = kElements / kThreads, .block = kThreads, .workers = 1};
}

void saxpy_plain(benchmark::State& state) {
  run_saxpy(state, [](const float* x, float* y) { serial_saxpy(kElements, kScale, x, y); });
}
BENCHMARK(saxpy_plain);

void saxpy_inline(benchmark::State& state) {
  run_saxpy(state,
            [&](const float* x, float* y) { require(state, launch<saxpy>(one_worker(), kElements, kScale, x, y)); });
}
BENCHMARK(saxpy_inline);

void saxpy_pointer(benchmark::State& state) {
  run_saxpy(state,
            [&](const float* x, float* y) { require(state, launch(one_worker(), saxpy, kElements, kScale, x, y)); });
}
BENCHMARK(saxpy_pointer);

/// Blocks of one warp on two workers, and the serial loop with half of the elements on each of two threads: processors'
/// time of both.
void saxpy_warps(benchmark::State& state) {
  constexpr unsigned kWarp = 32;
  run_saxpy(state, [&](const float* x, float* y) {
    require(state, launch<saxpy>({.grid = kElements / kWarp, .block = kWarp, .workers = 2}, kElements, kScale, x, y));
  });
}
BENCHMARK(saxpy_warps);

void saxpy_halves(benchmark::State& state) {
  run_saxpy(state, [](const float* x, float* y) {
    constexpr unsigned kHalf = kElements / 2;
    std::thread other(serial_saxpy, kHalf, kScale, x, y);
    serial_saxpy(kHalf, kScale, x + kHalf, y + kHalf);
    other.join();
  });
}
BENCHMARK(saxpy_halves);

}  // namespace
}  // namespace warpfiber::bench

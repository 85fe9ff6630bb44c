// SPDX-License-Identifier: Apache-2.0
// What tests of launches share: the ways a launch can be run, and launches that are expected to fail, each followed by
// a correct kernel whose results must be right, because nothing of one launch may survive into the next.
#pragma once

#include <warpfiber/warpfiber.hpp>

#include <cstdlib>
#include <ostream>
#include <utility>
#include <vector>

#include "support/catch.hpp"

namespace warpfiber::test {

/// Whether the compiler leaves nothing but a return of a function that does nothing, so that a launch of it is over
/// when the call returns.
#if defined(__OPTIMIZE__) && defined(__x86_64__) && defined(__linux__)
inline constexpr bool kLeavesOnlyReturn = true;
#else
inline constexpr bool kLeavesOnlyReturn = false;
#endif

/// Reports of launches that fail on purpose stay off the screen. Runs before the first launch reads the environment.
inline const bool kQuiet = ::setenv("WARPFIBER_QUIET", "1", 0) == 0;

/// Who runs next, and on how many OS threads.
struct Way {
  const char* policy;
  unsigned workers;
  std::uint64_t seed;

  LaunchConfig apply(LaunchConfig config) const {
    config.policy = policy;
    config.workers = workers;
    config.seed = seed;
    return config;
  }
};

inline std::ostream& operator<<(std::ostream& out, const Way& way) {
  return out << way.policy << " with seed " << way.seed << " on " << way.workers << " workers";
}

inline constexpr Way kWays[] = {
    {"in-order", 1, 0}, {"in-order", 2, 0}, {"random", 1, 1}, {"random", 2, 2}, {"pct:3", 1, 3}, {"pct:3", 2, 4},
};

/// Every way in turn; the calling test is run once for each. A sanitizer, which takes many times as long, sees each
/// policy once: with one worker, two, and one.
inline Way every_way() {
#ifdef __SANITIZE_ADDRESS__
  return kWays[GENERATE(0, 3, 4)];
#else
  return kWays[GENERATE(range(std::size_t{0}, std::size(kWays)))];
#endif
}

/// Those with one worker, which repeat bit for bit.
inline Way every_way_of_one_worker() {
  return kWays[2 * GENERATE(range(std::size_t{0}, std::size(kWays) / 2))];
}

/// Sums rows of `in` with everything that a launch could leave in disorder: shared memory, barriers of the block and
/// the warp, shuffles, threads that leave early.
inline void sum_rows(const int* in, int* out, unsigned n) {
  WARPFIBER_SHARED(int[32], partial);
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? in[i] : 0;
  for (unsigned d = static_cast<unsigned>(warpSize) / 2; d > 0; d /= 2) {
    value += __shfl_down_sync(~LaneBits{0}, value, d);
  }
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  __syncthreads();
  if (threadIdx.x != 0) return;
  int sum = 0;
  for (unsigned w = 0; w < blockDim.x / 32; ++w) sum += partial[w];
  out[blockIdx.x] = sum;
}

inline void check_correct_launch() {
  constexpr unsigned kBlocks = 9, kThreads = 96, kValues = kBlocks * kThreads - 17;
  Buffer<int> in(kBlocks * kThreads);
  Buffer<int> out(kBlocks);
  std::vector<int> values(kBlocks * kThreads);
  std::vector<int> sums(kBlocks);
  for (unsigned i = 0; i < kValues; ++i) sums[i / kThreads] += values[i] = static_cast<int>(i * i % 101);
  for (const unsigned workers : {1U, 2U}) {
    in.upload(values);
    out.fill(-1);
    const LaunchResult result =
        launch({.grid = kBlocks, .block = kThreads, .workers = workers}, sum_rows, in.data(), out.data(), kValues);
    CHECK(result.ok());
    CHECK(out.download() == sums);
  }
}

/// Launches what is expected to fail; what comes after must not notice.
template <class... Kernel>
LaunchResult failed_launch(const LaunchConfig& config, Kernel&&... kernel) {
  LaunchResult result = launch(config, std::forward<Kernel>(kernel)...);
  CHECK_FALSE(result.ok());
  check_correct_launch();
  return result;
}

/// Launches what is expected to succeed.
template <class... Kernel>
void good_launch(const LaunchConfig& config, Kernel&&... kernel) {
  const LaunchResult result = launch(config, std::forward<Kernel>(kernel)...);
  INFO(result.message());
  CHECK(result.error() == Error::success);
}

/// The linear index of the calling thread in its grid.
inline std::uint64_t global_rank() {
  const std::uint64_t block = blockIdx.x + gridDim.x * (blockIdx.y + std::uint64_t{gridDim.y} * blockIdx.z);
  return block * blockDim.x * blockDim.y * blockDim.z + detail::thread_rank();
}

}  // namespace warpfiber::test

// SPDX-License-Identifier: Apache-2.0
// Launches beside and after one another: from several host threads, on several devices, with odd warp sizes, with
// kernels that end in every way.
#include <pthread.h>

#include <atomic>
#include <csignal>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

namespace {

/// Rotates values through the warps and sums them over the block, `rounds` times.
void stir(int* out, int rounds) {
  WARPFIBER_SHARED(int, sum);
  int value = static_cast<int>(global_rank());
  for (int i = 0; i < rounds; ++i) {
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    value = __shfl_xor_sync(0xffffffffU, value, 1 + i % 31);
    atomicAdd(&sum, value);
    __syncthreads();
  }
  out[global_rank()] = sum;
}

// What a kernel's own frames and the colours of stacks take of a stack.
constexpr std::size_t kKernelFrames = 3 * 1024;
constexpr int kTick = SIGURG;  // src/execution/engine/signals_linux.cpp

/// Polls `done` with `bytes` of the stack in use.
template <class Done>
__attribute__((noinline)) void use_stack(std::size_t bytes, const Done& done) {
  auto* low = static_cast<volatile char*>(__builtin_alloca(bytes));
  for (std::size_t i = 0; i < bytes; i += 64) low[i] = 1;
  while (!done()) {
  }
}

/// Whether ticks reach the calling OS thread, and how their handler was installed.
bool ticks_are_allowed() {
  sigset_t blocked;
  ::pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  return sigismember(&blocked, kTick) == 0;
}
bool ticks_interrupt_ticks() {
  struct sigaction installed {};
  ::sigaction(kTick, nullptr, &installed);
  return (installed.sa_flags & SA_NODEFER) != 0;
}

bool stirs_well(unsigned workers, unsigned blocks) {
  std::vector<int> out(blocks * 64);
  const LaunchResult result = launch({.grid = blocks, .block = 64, .workers = workers}, stir, out.data(), 5);
  bool right = result.ok();
  for (unsigned i = 0; i < out.size(); ++i) {
    const int first = static_cast<int>(i / 64 * 64);
    right = right && out[i] == 64 * first + 63 * 32;
  }
  return right;
}

void throw_in_thread(unsigned thread) {
  if (threadIdx.x == thread) throw std::runtime_error("on purpose");
  __syncthreads();
}

/// Runs `body` on several host threads at once.
template <class Body>
void on_host_threads(unsigned count, Body body) {
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < count; ++i) threads.emplace_back(body, i);
  for (std::thread& thread : threads) thread.join();
}

/// Throws from below `depth` frames that have an array each.
__attribute__((noinline)) int throw_below(int depth) {
  volatile char frame[200] = {};
  if (depth == 0) throw std::runtime_error("on purpose");
  return throw_below(depth - 1) + frame[depth];
}

/// Writes to what those frames were.
__attribute__((noinline)) int use_below() {
  volatile char frame[16 * 1024];
  for (volatile char& byte : frame) byte = 1;
  return frame[0] + frame[sizeof frame - 1];
}

}  // namespace

TEST_CASE("several host threads launch at the same time") {
  const unsigned workers = GENERATE(1U, 2U);
  CAPTURE(workers);
  std::atomic<int> wrong{0};
  on_host_threads(4, [&wrong, workers](unsigned self) {
    for (unsigned i = 0; i < 20; ++i) wrong += !stirs_well(workers, 1 + (i + self) % 5);
  });
  CHECK(wrong == 0);
}

TEST_CASE("a worker that another OS thread had knows whose stack it is on") {
  // Under AddressSanitizer an exception tidies up the stack that the last switch named, and no other.
  on_host_threads(1, [](unsigned) { CHECK(stirs_well(1, 2)); });
  CHECK(stirs_well(1, 2));
  CHECK_THROWS_AS(throw_below(100), std::runtime_error);
  CHECK(use_below() == 2);
}

TEST_CASE("launches that fail do not disturb launches beside them") {
  std::atomic<int> wrong{0};
  on_host_threads(4, [&wrong](unsigned self) {
    for (unsigned i = 0; i < 10; ++i) {
      if (self % 2 == 0) {
        wrong += !stirs_well(2, 3);
      } else {
        const LaunchResult result = launch({.grid = 3, .block = 64, .workers = 2}, throw_in_thread, i);
        wrong += std::string(result.finding()) != "exception" || last_error() != Error::launch_failure;
      }
    }
  });
  CHECK(wrong == 0);
}

TEST_CASE("errors belong to the host thread that launched") {
  failed_launch({.block = 64}, throw_in_thread, 3U);
  std::atomic<bool> clean{false};
  on_host_threads(1, [&clean](unsigned) { clean = last_error() == Error::success; });
  CHECK(clean);
  CHECK(last_error() == Error::launch_failure);
  CHECK(last_error() == Error::success);
}

TEST_CASE("each launch names the device it runs on") {
  // So much shared memory that an SM holds one block.
  const auto run = [](const char* device, unsigned blocks, std::size_t shared) {
    return launch({.grid = blocks, .dynamic_shared = shared, .cooperative = true, .device = find_device(device)},
                  [] { sync_grid(); });
  };
  CHECK(run("H200", 132, 160'000).ok());
  CHECK(run("A100", 108, 160'000).ok());
  CHECK(run("A100", 109, 160'000).error() == Error::cooperative_launch_too_large);
  CHECK(run("teaching", 2, 16'000).ok());
  CHECK(run("teaching", 3, 16'000).error() == Error::cooperative_launch_too_large);
  last_error();
  check_correct_launch();
}

TEST_CASE("a warp may have another size") {
  const Way way = every_way();
  const unsigned size = GENERATE(1U, 2U, 3U, 7U, 16U, 31U, 32U, 48U, 64U);
  CAPTURE(way, size);
  constexpr unsigned kThreads = 100;
  LaunchConfig config = way.apply({.grid = 2, .block = kThreads});
  config.warp_size = size;
  std::vector<std::uint64_t> ballots(2 * kThreads);
  std::vector<int> sizes(2 * kThreads);
  good_launch(config, [&ballots, &sizes] {
    const unsigned self = detail::lane_id();
    // The masks of wide warps do not fit the public functions' 32 bits.
    ballots[global_rank()] = detail::collect<detail::Operation::ballot>(~std::uint64_t{0}, self % 3 != 0,
                                                                        detail::LaneArgument{Site::here()});
    sizes[global_rank()] = warpSize;
  });
  for (unsigned i = 0; i < ballots.size(); ++i) {
    const unsigned thread = i % kThreads;
    const unsigned first = thread / size * size;
    std::uint64_t expected = 0;
    for (unsigned lane = 0; lane < size && first + lane < kThreads; ++lane) {
      if (lane % 3 != 0) expected |= std::uint64_t{1} << lane;
    }
    CHECK(ballots[i] == expected);
    CHECK(sizes[i] == static_cast<int>(size));
  }
}

TEST_CASE("exceptions may be thrown and caught inside a kernel, also around waits") {
  const Way way = every_way();
  CAPTURE(way);
  std::vector<int> caught(64);
  good_launch(way.apply({.block = 64}), [&caught] {
    for (int i = 0; i < 5; ++i) {
      try {
        __syncthreads();
        if (threadIdx.x % 5 == static_cast<unsigned>(i)) throw static_cast<int>(threadIdx.x);
        __syncwarp(__activemask());
      } catch (const int thread) {
        caught[threadIdx.x] += thread == static_cast<int>(threadIdx.x);
      }
    }
  });
  CHECK(caught == std::vector<int>(64, 1));
}

TEST_CASE("a launch that ended half way leaves nothing to the next") {
  const Way way = every_way();
  const unsigned thread = GENERATE(0U, 1U, 33U, 63U);
  CAPTURE(way, thread);
  for (int i = 0; i < 5; ++i) {
    const LaunchResult result = failed_launch(way.apply({.grid = 7, .block = 64}), throw_in_thread, thread);
    CHECK(std::string(result.finding()) == "exception");
  }
}

TEST_CASE("kernels of every size follow one another on the same fibers") {
  const Way way = every_way();
  CAPTURE(way);
  for (const unsigned threads : {1U, 64U, 1024U, 3U, 512U, 33U}) {
    std::vector<int> out(threads);
    LaunchConfig config = way.apply({.block = threads});
    config.stack_bytes = threads % 2 != 0 ? 64 * 1024 : 16 * 1024;
    good_launch(config, [&out] {
      __syncthreads();
      out[threadIdx.x] = static_cast<int>(blockDim.x);
    });
    CHECK(out == std::vector<int>(threads, static_cast<int>(threads)));
  }
}

TEST_CASE("warps of different sizes follow one another") {
  const Way way = every_way();
  CAPTURE(way);
  for (const unsigned size : {32U, 64U, 7U, 1U, 32U}) {
    LaunchConfig config = way.apply({.grid = 2, .block = 100});
    config.warp_size = size;
    std::vector<unsigned> lanes(200);
    good_launch(config, [&lanes] {
      detail::LaneArgument nothing{Site::here()};
      detail::warp_collective(detail::kCollectiveOf<detail::Operation::syncwarp>, ~std::uint64_t{0}, &nothing);
      lanes[global_rank()] = detail::lane_id();
      __syncthreads();
    });
    for (unsigned i = 0; i < 200; ++i) CHECK(lanes[i] == i % 100 % size);
  }
}

TEST_CASE("arguments of every size and kind reach every thread") {
  struct Large {
    int values[200];
  };
  const Way way = every_way();
  CAPTURE(way);
  Large large{};
  for (int i = 0; i < 200; ++i) large.values[i] = i;
  const std::vector<int> list(64, 3);
  std::vector<int> out(64);
  const auto kernel = [](const Large& numbers, const std::vector<int>& more, int* to) {
    __syncthreads();
    to[threadIdx.x] = numbers.values[threadIdx.x + 100] + more[threadIdx.x];
  };
  void (*const pointer)(Large, std::vector<int>, int*) = [](Large numbers, std::vector<int> more, int* to) {
    if (threadIdx.x % 5 == 3) __syncthreads();
    to[threadIdx.x] = numbers.values[threadIdx.x + 100] + more[threadIdx.x];
  };
  SECTION("of a callable") {
    good_launch(way.apply({.block = 64}), kernel, large, list, out.data());
  }
  SECTION("through a function pointer") {
    good_launch(way.apply({.block = 64}), pointer, large, list, out.data());
  }
  for (int i = 0; i < 64; ++i) CHECK(out[static_cast<std::size_t>(i)] == i + 103);
}

TEST_CASE("a kernel called by pointer has all of its arguments whoever has waited") {
  struct Three {
    short values[3];
  };
  const Way way = every_way();
  const unsigned waits = GENERATE(0, 1, 4, 9, 30, 64);  // every so manieth thread
  const unsigned threads = GENERATE(1, 3, 4, 5, 64, 257);
  CAPTURE(way, waits, threads);
  std::vector<double> out(threads * 3);
  void (*const kernel)(char, short, int, long, float, double, Three, unsigned, int, double*) =
      [](char a, short b, int c, long d, float e, double f, Three g, unsigned every, int h, double* to) {
        if (every != 0 && threadIdx.x % every == every / 2) __syncthreads();
        to[blockIdx.x * blockDim.x + threadIdx.x] =
            a + b + c + static_cast<double>(d) + e + f + g.values[2] + h + threadIdx.x;
      };
  good_launch(way.apply({.grid = 3, .block = threads}), kernel, 'a', short{2}, 3, 4L, 0.5f, 0.25, Three{{7, 8, 9}},
              waits, 10, out.data());
  bool right = true;
  for (unsigned i = 0; i < out.size(); ++i) right = right && out[i] == 'a' + 28.75 + i % threads;
  CHECK(right);
}

TEST_CASE("stacks may be as small as two pages and as large as megabytes") {
  const Way way = every_way();
  const std::size_t bytes = GENERATE(std::size_t{8} * 1024, 8 << 20);
  CAPTURE(way, bytes);
  std::vector<int> out(96);
  LaunchConfig config = way.apply({.block = 96});
  config.stack_bytes = bytes;
  good_launch(config, [&out] {
    int value = static_cast<int>(threadIdx.x);
    __syncthreads();
    value = __shfl_xor_sync(0xffffffffU, value, 1);
    __syncthreads();
    out[threadIdx.x] = value;
  });
  for (int i = 0; i < 96; ++i) CHECK(out[static_cast<std::size_t>(i)] == (i ^ 1));
}

TEST_CASE("a thread that has all but used up its stack may be preempted") {
  const Way way = every_way();
  const std::size_t bytes = GENERATE(std::size_t{8} * 1024, 16 * 1024, 128 * 1024);
  CAPTURE(way, bytes);
  volatile int flag = 0;
  LaunchConfig config = way.apply({.block = 3});
  config.stack_bytes = bytes;
  good_launch(config, [&flag, bytes] {
    if (threadIdx.x == 1) {
      flag = 1;
    } else {
      use_stack(bytes - kKernelFrames, [&flag] { return flag != 0; });
    }
  });
}

TEST_CASE("ticks do not pile up on a stack, and go on after each") {
  const Way way = every_way();
  CAPTURE(way);
  constexpr int kTurns = 10;
  volatile int turn = 0;
  std::vector<int> allowed(2);
  std::vector<int> nested(2);
  good_launch(way.apply({.block = 2}), [&turn, &allowed, &nested] {
    const int self = static_cast<int>(threadIdx.x);
    for (int i = 0; i < kTurns; ++i) {
      while (turn % 2 != self) {
      }
      allowed[threadIdx.x] += ticks_are_allowed();
      nested[threadIdx.x] += ticks_interrupt_ticks();
      turn = turn + 1;
    }
  });
  CHECK(allowed == std::vector<int>(2, kTurns));
  CHECK(nested == std::vector<int>(2, 0));
  CHECK(ticks_are_allowed());
}

TEST_CASE("a stack without room for a signal has been used up", "[faults]") {
  const Way way = every_way();
  CAPTURE(way);
  struct Deep {
    static void descend(int levels) {
      volatile char frame[256];
      frame[0] = 1;
      ::raise(kTick);
      if (levels > 0) descend(levels - 1);
      frame[1] = frame[0];
    }
  };
  const LaunchResult result = failed_launch(way.apply({.block = 2}), [] { Deep::descend(1 << 20); });
  CHECK(std::string(result.finding()) == "stack-overflow");
}

TEST_CASE("more workers than blocks, or than processors, do no harm") {
  const unsigned workers = GENERATE(3U, 16U, 64U);
  CAPTURE(workers);
  CHECK(stirs_well(workers, 1));
  CHECK(stirs_well(workers, 40));
}

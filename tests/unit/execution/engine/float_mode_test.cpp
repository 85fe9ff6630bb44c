// SPDX-License-Identifier: Apache-2.0
// Kernels compute as a device does, whatever the host has set, and the host gets back what it had.
#include <xmmintrin.h>

#include <cfenv>
#include <limits>
#include <string>
#include <vector>

#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

namespace {

constexpr unsigned kFlush = 0x8040;  // MXCSR: subnormal results and operands count as zero
constexpr int kTraps = FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW | FE_UNDERFLOW | FE_INEXACT;

/// The host's controls and flags for a scope.
class HostMode {
 public:
  explicit HostMode(int rounding) {
    std::fegetenv(&before_);
    std::feclearexcept(FE_ALL_EXCEPT);
    std::fesetround(rounding);
  }
  ~HostMode() { std::fesetenv(&before_); }
  HostMode(const HostMode&) = delete;
  HostMode& operator=(const HostMode&) = delete;

 private:
  std::fenv_t before_{};
};

/// x, of which the compiler knows nothing, and neither when it was computed.
template <class T>
T hidden(T x) {
  asm volatile("" : "+m"(x) : : "memory");
  return x;
}

/// What 1/3 and its like come to in the mode that is set, the x87's unit included.
struct Results {
  float quotient = 0;
  double opposite = 0;
  long double wide = 0;
  double subnormal = 0;
  bool operator==(const Results&) const = default;
};

Results compute() {
  return {.quotient = hidden(hidden(1.0F) / hidden(3.0F)),
          .opposite = hidden(hidden(-1.0) / hidden(3.0)),
          .wide = hidden(hidden(2.0L) / hidden(3.0L)),
          .subnormal = hidden(hidden(0x1p-1022) / hidden(3.0))};
}

void compute_all(Results* out) {
  const unsigned rank = static_cast<unsigned>(global_rank());
  out[2 * rank] = compute();
  __syncthreads();
  out[2 * rank + 1] = compute();
}

void compute_without_waits(Results* out) {
  out[global_rank()] = compute();
}

void set_device_mode(int rounding) {
  std::fesetround(rounding);
  asm volatile("" ::: "memory");
}

/// Every third block rounds upward, and its threads do not restore what they found.
void change_mode(int* modes) {
  if (blockIdx.x % 3 == 0 && threadIdx.x == 0) set_device_mode(FE_UPWARD);
  __syncthreads();
  modes[global_rank()] = std::fegetround();
}

void change_mode_without_waits(int* modes) {
  modes[global_rank()] = std::fegetround();
  set_device_mode(FE_UPWARD);
}

/// The first thread polls a plain word until the timer lets the second thread run.
void change_mode_and_spin(volatile int* flag, int* modes) {
  if (threadIdx.x == 0) {
    set_device_mode(FE_DOWNWARD);
    while (*flag == 0) {
    }
  }
  modes[threadIdx.x] = std::fegetround();
  if (threadIdx.x == 1) {
    set_device_mode(FE_UPWARD);
    *flag = 1;
  }
  __syncthreads();
  modes[2 + threadIdx.x] = std::fegetround();
}

}  // namespace

TEST_CASE("kernels round to nearest and the host rounds as before", "[floats]") {
  const Way way = every_way();
  const int rounding = GENERATE(FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO);
  CAPTURE(way, rounding);
  constexpr unsigned kBlocks = 64, kThreads = 8;
  const Results expected = compute();
  std::vector<Results> waiting(2 * kBlocks * kThreads);
  std::vector<Results> straight(kBlocks * kThreads);
  bool ok = false;
  int after = -1;
  Results of_host;
  Results of_host_after;
  {
    const HostMode mode(rounding);
    of_host = compute();
    ok = launch(way.apply({.grid = kBlocks, .block = kThreads}), compute_all, waiting.data()).ok() &&
         launch(way.apply({.grid = kBlocks, .block = kThreads}), compute_without_waits, straight.data()).ok();
    of_host_after = compute();
    after = std::fegetround();
  }
  CHECK(ok);
  CHECK(after == rounding);
  CHECK((of_host_after == of_host));
  for (const Results& results : waiting) REQUIRE((results == expected));
  for (const Results& results : straight) REQUIRE((results == expected));
}

TEST_CASE("kernels keep subnormal numbers where the host flushes them", "[floats]") {
  const Way way = every_way();
  const Results expected = compute();
  std::vector<Results> results(64);
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | kFlush);
  const bool ok = launch(way.apply({.grid = 8, .block = 4}), compute_all, results.data()).ok();
  const unsigned after = _mm_getcsr();
  _mm_setcsr(before);
  CHECK(ok);
  CHECK((after & kFlush) == kFlush);
  for (const Results& found : results) REQUIRE((found == expected));
}

TEST_CASE("exceptions that the host traps are none in a kernel, and raise no flags of its", "[floats]") {
  const Way way = every_way();
  std::vector<float> infinite(32);
  float* out = infinite.data();
  int traps = 0;
  int raised = -1;
  bool ok = false;
  {
    const HostMode mode(FE_TONEAREST);
    feenableexcept(kTraps);
    const LaunchResult result = launch(way.apply({.grid = 8, .block = 4}), [out] {
      out[global_rank()] = hidden(1.0F) / hidden(0.0F);
      hidden(hidden(1.0L) / hidden(3.0L));
      __syncthreads();
    });
    traps = fegetexcept();
    raised = std::fetestexcept(FE_ALL_EXCEPT);
    fedisableexcept(FE_ALL_EXCEPT);
    ok = result.ok();
  }
  CHECK(ok);
  CHECK(traps == kTraps);
  CHECK(raised == 0);
  for (const float value : infinite) CHECK(value == std::numeric_limits<float>::infinity());
}

TEST_CASE("flags that the host has raised stay raised", "[floats]") {
  int raised = 0;
  {
    const HostMode mode(FE_TONEAREST);
    std::feraiseexcept(FE_OVERFLOW);
    good_launch({.grid = 2, .block = 2}, [] { hidden(hidden(1.0L) / hidden(0.0L)); });
    raised = std::fetestexcept(FE_OVERFLOW | FE_DIVBYZERO);
  }
  CHECK(raised == FE_OVERFLOW);
}

TEST_CASE("the floating-point mode that a thread sets is its block's alone", "[floats]") {
  const Way way = every_way();
  CAPTURE(way);
  constexpr unsigned kBlocks = 200, kThreads = 4;
  std::vector<int> modes(kBlocks * kThreads, -1);
  std::vector<int> ends(kBlocks, -1);
  const HostMode mode(FE_TOWARDZERO);
  good_launch(way.apply({.grid = kBlocks, .block = kThreads}), change_mode, modes.data());
  good_launch(way.apply({.grid = kBlocks, .block = 1}), change_mode_without_waits, ends.data());
  CHECK(std::fegetround() == FE_TOWARDZERO);
  for (unsigned i = 0; i < modes.size(); ++i) {
    CAPTURE(i);
    REQUIRE(modes[i] == (i / kThreads % 3 == 0 ? FE_UPWARD : FE_TONEAREST));
  }
  CHECK(ends == std::vector<int>(kBlocks, FE_TONEAREST));
}

TEST_CASE("a thread that is preempted goes on in the mode of its block", "[floats]") {
  int flag = 0;
  std::vector<int> modes(4, -1);
  good_launch({.grid = 1, .block = 2, .workers = 1}, change_mode_and_spin, &flag, modes.data());
  CHECK(std::fegetround() == FE_TONEAREST);
  CHECK(modes == std::vector<int>{FE_UPWARD, FE_DOWNWARD, FE_UPWARD, FE_UPWARD});
}

TEST_CASE("a kernel that traps floating-point exceptions is told so, and the host traps none", "[floats]") {
  const Way way = every_way();
  const LaunchResult result = failed_launch(way.apply({.grid = 4, .block = 2}), [] {
    feenableexcept(FE_DIVBYZERO);
    hidden(hidden(1.0F) / hidden(0.0F));
  });
  CHECK(std::string(result.finding()) == "trap");
  CHECK(fegetexcept() == 0);
}

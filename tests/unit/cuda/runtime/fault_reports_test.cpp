// SPDX-License-Identifier: Apache-2.0
// Threads that end badly: exceptions, assertions, traps, wild pointers, stacks that overflow, shared memory that is too
// large. The report names the thread, the line and the address; the next launch does not notice.
#include "support/catch.hpp"
#include "unit/cuda/runtime/defects.hpp"
#include "unit/cuda/runtime/reports.hpp"

using namespace warpfiber;
using namespace warpfiber::test;
using namespace warpfiber::test::defects;

namespace {

#ifdef __SANITIZE_ADDRESS__
// The sanitizer's own code touches a new frame on entry: either line of the function that names it may be the one,
// depending on where the stack begins.
const std::vector<std::string> kOverflowingLine;
#else
const std::vector<std::string> kOverflowingLine{"sum_below(n - 1) + kept"};
#endif

constexpr const char* kWriting = "reinterpret_cast<volatile int*>(address) = 23";
constexpr std::uintptr_t kUnmapped = 0x200000000000;      // between the heap and the mappings, whatever the layout
constexpr std::uintptr_t kNotCanonical = 0x800000000000;  // one past what x86-64 programs can address

constexpr LaunchConfig kTwoBlocks{.grid = 2, .block = 64};

template <void (*Kernel)()>
LaunchResult of(const LaunchConfig& config, int*) {
  return launch(config, Kernel);
}

template <void (*Kernel)(int*)>
LaunchResult with_memory(const LaunchConfig& config, int* memory) {
  return launch(config, Kernel, memory);
}

const Report kReports[] = {
    {"exception",
     kTwoBlocks,
     of<throws_runtime_error>,
     "exception",
     Error::launch_failure,
     {},
     {"no such row", "thread (7,0,0)"}},
    {"exception_of_another_type",
     kTwoBlocks,
     of<throws_number>,
     "exception",
     Error::launch_failure,
     {},
     {"thread (7,0,0)"}},
    {"assertion",
     kTwoBlocks,
     [](const LaunchConfig& config, int*) { return launch(config, asserts_small, 63); },
     "assert",
     Error::assert,
     {"assert(static_cast<int>(threadIdx.x) < n)"},
     {"thread (63,0,0)"}},
    {"trap", kTwoBlocks, of<traps>, "trap", Error::launch_failure, {"__trap()"}, {"thread (5,0,0)"}},
    {"division_by_zero",
     kTwoBlocks,
     with_memory<divides>,
     "trap",
     Error::launch_failure,
     {"22 / divisor[0]"},
     {"thread (3,0,0)", "divided by zero"}},
    {"wild_pointer",
     kTwoBlocks,
     [](const LaunchConfig& config, int*) { return launch(config, writes_at, kUnmapped); },
     "oob-global",
     Error::illegal_address,
     {kWriting},
     {"1 thread writes", "thread (9,0,0)", "address 0x200000000000", "not near any allocation"}},
    {"pointer_beyond_the_address_space",
     kTwoBlocks,
     [](const LaunchConfig& config, int*) { return launch(config, writes_at, kNotCanonical); },
     "oob-global",
     Error::illegal_address,
     {kWriting},
     {"1 thread accesses", "thread (9,0,0)", "non-canonical address"}},
    {"null_pointer",
     kTwoBlocks,
     [](const LaunchConfig& config, int* memory) { return launch(config, reads_null, nullptr, memory); },
     "oob-global",
     Error::illegal_address,
     {"in[threadIdx.x + 2]"},
     {"1 thread reads", "It is null, or a small offset from null"}},
    {"call_of_null",
     kTwoBlocks,
     [](const LaunchConfig& config, int* memory) { return launch(config, calls, nullptr, memory); },
     "oob-global",
     Error::illegal_address,
     {"out[0] = function(4) + 1"},
     {"1 thread calls", "There is no function at the called address", "thread (3,0,0)"}},
    {"stack_overflow_by_recursion",
     kTwoBlocks,
     with_memory<recurses>,
     "stack-overflow",
     Error::hardware_stack_error,
     kOverflowingLine,
     {"stack of 64 KiB", "WARPFIBER_STACK", "sum_below("}},
    {"stack_overflow_by_one_frame",
     kTwoBlocks,
     [](const LaunchConfig& config, int* memory) { return launch(config, large_frame, memory, 0); },
     "stack-overflow",
     Error::hardware_stack_error,
     {},
     {"stack of 64 KiB", "thread"}},
    {"cluster_rank_too_large",
     {.grid = 4, .block = 64, .cluster = 2},
     with_memory<cluster_rank_too_large>,
     "oob-dsmem",
     Error::illegal_address,
     {"*map_shared_rank(&value, cluster_size()"},
     {"of a cluster of 2 blocks", "use a rank from 0 to 1"}},
};

}  // namespace

TEST_CASE("a thread that ends badly ends its launch with the same finding in every way it is run", "[faults]") {
  const Report& report = every_report(kReports);
  const Way way = every_way();
  CAPTURE(report.name, way);
  check_report(report, way);
}

TEST_CASE("the report on a thread that ends badly reads as approved", "[faults]") {
  const Report& report = every_report(kReports);
  CAPTURE(report.name);
  check_approved(report);
}

TEST_CASE("a stack as large as the launch asks for is not overflown") {
  Buffer<int> out(64);
  const LaunchResult result = launch({.block = 64, .stack_bytes = 256 * 1024}, large_frame, out.data(), 149'999);
  CHECK(result.ok());
  CHECK(out.download() == std::vector<int>(64, 27));
}

#ifndef __SANITIZE_ADDRESS__  // which cannot be interrupted in its own part of a fiber switch, and ends the process
                              // there
TEST_CASE("an overflow inside a function of the runtime has the line of the kernel that called it", "[faults]") {
  std::vector<int> memory(128);
  const LaunchResult result = launch(kTwoBlocks, overflows_in_barrier, memory.data());
  CHECK(std::string(result.finding()) == "stack-overflow");
  CHECK_THAT(result.message(), Catch::Matchers::ContainsSubstring("1 thread overflows  defects.cpp:"));
  CHECK_THAT(result.message(), Catch::Matchers::ContainsSubstring("in warpfiber::test::defects::deep_in_barriers"));
}
#endif

TEST_CASE("a report on an overflown stack names the stack's size", "[faults]") {
  Buffer<int> out(64);
  const LaunchResult result = failed_launch({.block = 64, .stack_bytes = 32 * 1024}, recurses, out.data());
  CHECK(std::string(result.finding()) == "stack-overflow");
  CHECK_THAT(result.message(), Catch::Matchers::ContainsSubstring("stack of 32 KiB"));
}

TEST_CASE("an access that faults because its memory was freed is told as that", "[faults]") {
  std::uintptr_t freed = 0;
  {
    Buffer<int> memory(16);
    freed = reinterpret_cast<std::uintptr_t>(memory.data()) + 8;
  }
  const LaunchResult result = launch(kTwoBlocks, writes_at, freed);
  CHECK(result.error() == Error::illegal_address);
  CHECK(std::string(result.finding()) == "use-after-free");
  CHECK_THAT(result.message(),
             Catch::Matchers::ContainsSubstring("The address was byte 8 of an allocation of 64 bytes."));
}

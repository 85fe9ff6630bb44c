// SPDX-License-Identifier: Apache-2.0
// Misuse of barriers in memory, asynchronous copies and semaphores: that it is noticed under every policy, and what the
// report says.
#include "support/catch.hpp"
#include "unit/cuda/runtime/barrier_defects.hpp"
#include "unit/cuda/runtime/reports.hpp"

using namespace warpfiber;
using namespace warpfiber::test;
using namespace warpfiber::test::defects;

namespace {

template <void (*Kernel)(int*)>
LaunchResult of(const LaunchConfig& config, int* memory) {
  return launch(config, Kernel, memory);
}

template <void (*Kernel)(int*)>
Report stall(const char* name, std::vector<std::string> said, unsigned threads = 32, const char* id = "deadlock") {
  return {name, {.grid = 1, .block = threads}, of<Kernel>, id, Error::launch_timeout, {}, std::move(said)};
}

template <void (*Kernel)(int*)>
Report misuse(const char* name, std::vector<std::string> said) {
  return {name, {.grid = 1, .block = 32}, of<Kernel>, "cg-misuse", Error::launch_failure, {}, std::move(said)};
}

const Report kReports[] = {
    stall<too_few_arrivals>("too_few_arrivals", {"32 threads wait", "barrier.arrive_and_wait()",
                                                 "for 32 more arrivals: 32 of 64 have arrived"}),
    stall<each_waits_for_the_other>(
        "each_waits_for_the_other",
        {"empty.wait_parity(false)", "full.wait_parity(false)", "0 of 32 have arrived", "cycle"}, 64),
    stall<half_at_the_block_barrier>("half_at_the_block_barrier",
                                     {"__syncthreads()", "for 16 more arrivals: 16 of 32 have arrived", "cycle"}),
    stall<bytes_never_copied>("bytes_never_copied", {"for 128 bytes of asynchronous copies"}),
    stall<bytes_never_announced>("bytes_never_announced", {"for expect_tx of 128 bytes that were copied"}),
    stall<stage_never_committed>("stage_never_committed",
                                 {"pipe.consumer_wait()", "for 1 more arrival: 31 of 32 have arrived"}),
    stall<latch_of_one_too_many>("latch_of_one_too_many", {"latch.arrive_and_wait()", "32 of 33 have arrived"}),
    stall<semaphore_never_released>("semaphore_never_released", {"12 threads wait", "places.acquire()", "release"}),
    stall<flag_never_stored>("atomic_flag_never_stored", {"while (flag.load(", "value 0"}, 32, "livelock"),
    misuse<barrier_never_made>("barrier_never_made",
                               {"barrier.arrive_and_wait()", "There is no barrier in never_made"}),
    misuse<arrivals_in_excess>("arrivals_in_excess", {"waits for 4 more arrivals", "arrives 5 times"}),
    misuse<count_below_zero>("count_below_zero", {"init(&barrier, -1)", "from 0 to 1048575"}),
    misuse<bytes_in_excess>("bytes_in_excess", {"at most 1048575 bytes", "1048576"}),
    misuse<misaligned_copy>("misaligned_copy", {"The source 0x", "not a multiple of 16"}),
    misuse<ragged_copy>("ragged_copy", {"The size of 13 bytes is not a multiple of 4"}),
    misuse<ragged_copy_of_a_group>("ragged_copy_of_a_group", {"The size of 30 bytes is not a multiple of 4"}),
    misuse<copy_of_five_bytes>("copy_of_five_bytes", {"5 bytes", "4, 8 or 16"}),
    misuse<copy_to_global>("copy_to_global", {"not in the shared memory"}),
    misuse<more_producers_than_threads>("more_producers_than_threads", {"more producers than threads"}),
};

}  // namespace

TEST_CASE("a launch that misuses a barrier ends with the same finding in every way it is run") {
  const Report& report = every_report(kReports);
  const Way way = every_way();
  CAPTURE(report.name, way);
  check_report(report, way);
}

TEST_CASE("the report on a misused barrier reads as approved") {
  const Report& report = every_report(kReports);
  CAPTURE(report.name);
  check_approved(report);
}

TEST_CASE("barriers that are used well are not reported") {
  const Way way = every_way();
  CAPTURE(way);
  Buffer<int> memory(4096);
  memory.fill(0);
  const LaunchResult result = launch(way.apply({.grid = 3, .block = 64}), barriers_used_well, memory.data());
  INFO(result.message());
  CHECK(result.ok());
}

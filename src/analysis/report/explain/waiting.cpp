// SPDX-License-Identifier: Apache-2.0
//
// Sentences about barriers, collectives and groups, and about launches that cannot go on.
#include <fmt/format.h>

#include <array>

#include "base/text.hpp"
#include "record/diagnosis.hpp"
#include "report/catalogue/catalogue.hpp"
#include "report/explain/explain.hpp"

namespace warpfiber::report {
namespace {

using record::PhaseMisused;

Sentences of_named_barrier(const record::PhaseIncomplete& phase, std::string_view returned) {
  return {fmt::format("Barrier {} of the block completes when {} have arrived; {} have arrived, and no runnable thread "
                      "will arrive.{}",
                      phase.number, base::counted(phase.expected, "thread"), phase.arrived, returned),
          "pass the number of threads of all warps that execute bar.sync or bar.arrive on this barrier in one phase, "
          "and make each of these warps execute it"};
}

}  // namespace

Sentences sentences_of(const record::WideBarriersDiffer& differ) {
  return {fmt::format("Threads of one block wait at two different {} calls.", differ.barrier),
          fmt::format("use one {} call outside the branch, which every thread reaches", differ.barrier)};
}

Sentences sentences_of(const record::CallerOutsideMask& caller) {
  return {
      "The calling lane is not in the mask it passes. The first argument is the mask of the lanes that take part: it "
      "must "
      "contain every lane that executes the call, including the caller.",
      caller.mask_is_too_narrow ? "compile with -DWARPFIBER_WIDE_WARPS: without it masks have 32 bits"
                                : fmt::format("add lane {} to the mask, or do not call in this lane", caller.lane),
      std::string(entry_of(record::Verdict::bad_mask).sanitizer_term)};
}

Sentences sentences_of(const record::GridTooLarge& grid) {
  return {fmt::format("The kernel synchronises its grid, so all {} must be resident at once, but the device {}. The "
                      "code before this call has already run.",
                      base::counted(grid.blocks, "block"),
                      grid.resident.has_value() ? fmt::format("holds {}", *grid.resident)
                                                : "does not support cooperative launches"),
          "launch at most max_cooperative_grid_blocks(kernel, block, dynamic_shared) blocks"};
}

Sentences sentences_of(const record::ClusterRankTooLarge& rank) {
  return {"The cluster has no block of this rank, so there is no shared memory to map.",
          fmt::format("use a rank from 0 to {}", rank.blocks - 1)};
}

Sentences sentences_of(const record::StaticSharedTooLarge& used) {
  return {
      fmt::format("The kernel uses {} of static shared memory; the limit for a block is {}. nvcc refuses to compile "
                  "such a kernel.",
                  base::bytes_text(used.used), base::bytes_text(used.limit)),
      "use dynamic shared memory (the third argument of <<<>>>, in the native API LaunchConfig::dynamic_shared), "
      "which may be larger, or smaller arrays"};
}

Sentences sentences_of(const record::HostMemoryExhausted& exhausted) {
  return {fmt::format("The host is out of memory for {}.", exhausted.purpose),
          "use a smaller device model, which has fewer resident threads, or smaller stacks (WARPFIBER_STACK, "
          "LaunchConfig::stack_bytes)"};
}

Sentences sentences_of(const record::ThreadWithoutEnd& thread) {
  return {fmt::format("The thread has run for {} s of CPU time without reaching an atomic, a barrier or the end of the "
                      "kernel. It may only be slow: WARPFIBER_WATCHDOG=0 removes this limit.",
                      thread.seconds),
          ""};
}

Sentences sentences_of(const record::LaunchWithoutProgress& launch) {
  return {fmt::format("For {} no thread has started or returned, and memory has not changed, except for words that "
                      "count or alternate. The lines above show where the threads were stopped. The kernel may only be "
                      "slow: WARPFIBER_WATCHDOG=0 removes this limit.",
                      base::counted(launch.seconds, "second")),
          "check what ends the loop that these threads are in: a thread has to store the value they wait for"};
}

Sentences sentences_of(const record::TimeLimitReached& /*limit*/) {
  return {
      "The time limit of the run expired while this kernel ran. The kernel may be slow, or it may never end: the "
      "lines above show where its threads were stopped.",
      "check what the threads wait for; if the kernel is only slow, raise the time limit"};
}

Sentences sentences_of(const record::BlocksNotResident& blocks) {
  return {"The resident blocks wait for blocks that have not started, and those wait for a free SM.",
          fmt::format("launch at most {} (cudaOccupancyMaxActiveBlocksPerMultiprocessor() × SM count), or use a "
                      "cooperative launch",
                      base::counted(blocks.most, "block"))};
}

Sentences sentences_of(const record::GridsReturned& returned) {
  const bool one = returned.grids.size() == 1;
  return {fmt::format("A multi-grid barrier waits for every grid of the launch, but {} {} {} returned.",
                      one ? "grid" : "grids", fmt::join(returned.grids, ", "), one ? "has" : "have"),
          "make every grid reach every multi-grid barrier; return only after the last one"};
}

Sentences sentences_of(const record::CallsOfMaskDiffer& calls) {
  return {fmt::format("Lanes of one warp execute different calls with the same mask, {} and {}, so neither call can "
                      "complete.",
                      calls.one, calls.other),
          "execute one call in all lanes of the mask", std::string(entry_of(record::Verdict::bad_mask).sanitizer_term)};
}

Sentences sentences_of(const record::PhaseIncomplete& phase) {
  const std::string_view returned = phase.threads_returned ? " Threads that have returned cannot arrive." : "";
  if (phase.number >= 0) return of_named_barrier(phase, returned);
  return {fmt::format("A phase of the barrier completes after {}; {} {} been made, and no runnable thread will "
                      "arrive.{}",
                      base::counted(phase.expected, "arrival"), phase.arrived, phase.arrived == 1 ? "has" : "have",
                      returned),
          phase.in_circle ? "make one side arrive at the barrier that the other waits for, before it waits itself"
          : phase.threads_returned
              ? "call arrive_and_drop() before the return, or init() the barrier with the number of threads that do "
                "not return early"
              : "init() the barrier with the number of arrivals in each phase, and make each of these threads arrive"};
}

Sentences sentences_of(const record::BarrierSkipped& skipped) {
  if (skipped.of_grid) {
    return {fmt::format("Some threads of a block exited before {}. All threads of the grid must call it; otherwise the "
                        "behaviour is undefined. Current devices hang if the first thread of a block has exited, and "
                        "do not wait for the other threads.",
                        skipped.barrier),
            fmt::format("make every thread reach {}: guard the work with `if` instead of returning early",
                        skipped.barrier)};
  }
  return {
      fmt::format("Threads reached the end of the kernel without calling {}, at which other threads of their block "
                  "wait. A barrier in a branch or loop, or behind the early return of a function, is defined only "
                  "if all threads of the block take the same path. Devices since sm_70 release the barrier once the "
                  "other threads have exited; any later "
                  "barrier would hang or pair up wrongly.",
                  skipped.barrier),
      fmt::format("move {} out of the branch or loop, or before the early return of its function, so that every thread "
                  "of the block reaches it",
                  skipped.barrier)};
}

Sentences sentences_of(const record::SplitBarrierMisused& misuse) {
  using Kind = record::SplitBarrierMisused::Kind;
  constexpr std::array<std::string_view, 3> kScopes{"block", "cluster", "grid"};
  const std::string_view scope = kScopes[static_cast<std::size_t>(misuse.scope)];
  switch (misuse.kind) {
    case Kind::arrives_twice:
      return {fmt::format("The thread arrives at the barrier of its {} again before it has waited for its first "
                          "arrival.",
                          scope),
              fmt::format("call {}.barrier_wait() between the two arrivals", scope)};
    case Kind::waits_without_arrival:
      return {
          "The token was used in an earlier wait, or no arrival of this thread returned it: no arrival belongs to "
          "this wait, so the wait orders nothing.",
          fmt::format("call {}.barrier_arrive() before every {}.barrier_wait()", scope, scope)};
    case Kind::collective_between:
      return {fmt::format("Between arriving at the barrier of the {} and waiting for it, the thread calls another "
                          "collective of the same group. A device then pairs the wrong phases without any error.",
                          scope),
              "wait first: between arrival and wait, only collectives of other groups are allowed"};
    case Kind::never_waits: break;
  }
  return {
      "The thread returns without a wait for its arrival, so the barrier does not order what the thread read after "
      "it.",
      fmt::format("keep the token and pass it to {}.barrier_wait()", scope)};
}

Sentences sentences_of(const record::NamedBarrierCount& count) {
  return {fmt::format("A barrier counts whole warps, so the number of threads must be a multiple of {} and at most the "
                      "size of the block, which is {}.",
                      count.warp_size, count.block_threads),
          "pass the number of threads of all warps that execute bar.sync or bar.arrive on this barrier in one phase"};
}

Sentences sentences_of(const PhaseMisused& misuse) {
  switch (misuse.kind) {
    case PhaseMisused::Kind::uninitialised:
      return {fmt::format("There is no barrier {}: init() was not called for it, or it was overwritten.",
                          misuse.name.empty() ? "at this address" : "in " + misuse.name),
              "call init(&barrier, count) in one thread, then __syncthreads() in all threads, before the barrier is "
              "used"};
    case PhaseMisused::Kind::count_out_of_range:
      return {fmt::format("The expected count of a barrier of this scope is from 0 to {}; init() was called with {}.",
                          misuse.limit, misuse.given),
              "call init() with the number of arrivals in one phase"};
    case PhaseMisused::Kind::too_many_arrivals:
      return {fmt::format("The phase waits for {} more arrivals, but this call arrives {} times.", misuse.limit,
                          misuse.given),
              "call init() with the number of arrivals in one phase, and wait for a phase before arriving in the next"};
    case PhaseMisused::Kind::bytes_out_of_range: break;
  }
  return {fmt::format("A phase counts at most {} bytes of asynchronous copies; this call makes it {}.", misuse.limit,
                      misuse.given),
          "expect at most 2^20 - 1 bytes in one phase"};
}

}  // namespace warpfiber::report

// SPDX-License-Identifier: Apache-2.0
//
// The table of the catalogue, and looking things up in it.
#include "report/catalogue/catalogue.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace warpfiber::report {
namespace {

using record::Verdict;

constexpr CatalogueEntry kCatalogue[] = {
    {Verdict::assert, "assert", "an assertion in the kernel failed", ""},
    {Verdict::async_hazard, "async-hazard",
     "data of an asynchronous copy is accessed, or the thread returns, before the matching wait", ""},
    {Verdict::bad_mask, "bad-mask",
     "the mask of a warp collective omits the caller, differs between lanes or contains lanes that never execute it",
     "Invalid arguments"},
    {Verdict::barrier_divergence, "barrier-divergence",
     "threads of a block wait at different barriers, or some skip the barrier", "Divergent thread(s) in block"},
    {Verdict::benign_race, "benign-race", "several threads store the same value without order", ""},
    {Verdict::cg_misuse, "cg-misuse", "a rule of cooperative groups is violated", ""},
    {Verdict::conversion, "conversion", "a number is read or converted as a type that cannot hold it", ""},
    {Verdict::deadlock, "deadlock",
     "threads wait for each other, or for blocks that cannot start, and none can continue", ""},
    {Verdict::dsmem_lifetime, "dsmem-lifetime",
     "the shared memory of another block is used before that block starts or after it ends", ""},
    {Verdict::exception, "exception", "a C++ exception left the kernel", ""},
    {Verdict::host_access, "host-access", "the host reads or writes device memory, or a variable of the device", ""},
    {Verdict::invalid_free, "invalid-free", "memory is freed twice, or was never allocated",
     "Device-side invalid free"},
    {Verdict::launch_error, "launch-error", "the launch is invalid, and the kernel did not run", ""},
    {Verdict::leak, "leak", "memory of a device, or pinned memory, was never freed", ""},
    {Verdict::livelock, "livelock", "threads spin on a condition that no thread can change any more", ""},
    {Verdict::local_escape, "local-escape", "a thread uses the address of another thread's local variable", ""},
    {Verdict::misaligned, "misaligned", "an access is not aligned to its size", "is misaligned"},
    {Verdict::nondeterminism, "nondeterminism",
     "different schedules give different results, although no error was found in any of them", ""},
    {Verdict::oob_dsmem, "oob-dsmem",
     "an access is outside the shared memory of another block, or that block does not exist",
     "Invalid __remote_shared__"},
    {Verdict::oob_global, "oob-global",
     "an access is outside the object its pointer came from, or the pointer is not to device memory",
     "Invalid __global__"},
    {Verdict::oob_index, "oob-index",
     "an index is outside the bounds of its array, which may be part of an object or a local variable", ""},
    {Verdict::oob_shared, "oob-shared", "an access is outside the shared array its pointer came from",
     "Invalid __shared__"},
    {Verdict::race_dsmem, "race-dsmem",
     "two accesses to another block's shared memory conflict and nothing orders them", ""},
    {Verdict::race_global, "race-global", "two accesses to global memory conflict and nothing orders them", ""},
    {Verdict::race_shared, "race-shared", "two accesses to a block's shared memory conflict and nothing orders them",
     ""},
    {Verdict::refused_call, "refused-call", "a call of the CUDA runtime returns an error and does nothing",
     "Program hit"},
    {Verdict::stack_overflow, "stack-overflow", "a thread needs more stack than it has", ""},
    {Verdict::time_limit, "time-limit", "the time limit of the run expired while a kernel was running", ""},
    {Verdict::trap, "trap", "the kernel executed a trap, an invalid instruction or an integer division by zero", ""},
    {Verdict::unfinished, "unfinished", "the process ended before a kernel finished, so the kernel was not checked",
     ""},
    {Verdict::uninit_global, "uninit-global", "global memory is read that was never written",
     "Uninitialized __global__ memory read"},
    {Verdict::uninit_shared, "uninit-shared", "shared memory is read that was never written",
     "Uninitialized __shared__ memory read"},
    {Verdict::use_after_free, "use-after-free", "memory is used after it was freed", "Invalid __global__"},
};
static_assert(std::size(kCatalogue) == static_cast<std::size_t>(record::kLastVerdict) + 1);

}  // namespace

std::span<const CatalogueEntry> catalogue() {
  return kCatalogue;
}

const CatalogueEntry& entry_of(Verdict verdict) {
  return kCatalogue[static_cast<std::size_t>(verdict)];
}

std::string_view id_of(Verdict verdict) {
  return entry_of(verdict).id;
}

std::optional<Verdict> verdict_of(std::string_view id) {
  const auto* const found = std::ranges::lower_bound(kCatalogue, id, {}, &CatalogueEntry::id);
  if (found == std::end(kCatalogue) || found->id != id) return std::nullopt;
  return found->verdict;
}

}  // namespace warpfiber::report

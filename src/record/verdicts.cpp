// SPDX-License-Identifier: Apache-2.0
//
// The table of verdicts.
#include "record/verdicts.hpp"

#include <algorithm>

namespace warpfiber::record {
namespace {

constexpr Verdict kVerdicts[] = {
    {"assert", "an assertion in the kernel failed"},
    {"async-hazard", "data of an asynchronous copy is accessed, or the thread returns, before the matching wait"},
    {"bad-mask",
     "the mask of a warp collective omits the caller, differs between lanes or contains lanes that never execute it"},
    {"barrier-divergence", "threads of a block wait at different barriers, or some skip the barrier"},
    {"benign-race", "several threads store the same value without order"},
    {"cg-misuse", "a rule of cooperative groups is violated"},
    {"conversion", "a floating-point number is converted to an integer type that cannot hold it"},
    {"deadlock", "threads wait for each other, or for blocks that cannot start, and none can continue"},
    {"dsmem-lifetime", "the shared memory of another block is used before that block starts or after it ends"},
    {"exception", "a C++ exception left the kernel"},
    {"host-access", "the host reads or writes device memory, or a variable of the device"},
    {"invalid-free", "memory is freed twice, or was never allocated"},
    {"launch-error", "the launch is invalid, and the kernel did not run"},
    {"leak", "memory of a device, or pinned memory, was never freed"},
    {"livelock", "threads spin on a condition that no thread can change any more"},
    {"local-escape", "a thread uses the address of another thread's local variable"},
    {"misaligned", "an access is not aligned to its size"},
    {"nondeterminism", "different schedules give different results, although no error was found in any of them"},
    {"oob-dsmem", "an access is outside the shared memory of another block, or that block does not exist"},
    {"oob-global", "an access is outside the object its pointer came from, or the pointer is not to device memory"},
    {"oob-index", "an index is outside the bounds of its array, which may be part of an object or a local variable"},
    {"oob-shared", "an access is outside the shared array its pointer came from"},
    {"race-dsmem", "two accesses to another block's shared memory conflict and nothing orders them"},
    {"race-global", "two accesses to global memory conflict and nothing orders them"},
    {"race-shared", "two accesses to a block's shared memory conflict and nothing orders them"},
    {"refused-call", "a call of the CUDA runtime returns an error and does nothing"},
    {"stack-overflow", "a thread needs more stack than it has"},
    {"time-limit", "the time limit of the run expired while a kernel was running"},
    {"trap", "the kernel executed a trap, an invalid instruction or an integer division by zero"},
    {"unfinished", "the process ended before a kernel finished, so the kernel was not checked"},
    {"uninit-global", "global memory is read that was never written"},
    {"uninit-shared", "shared memory is read that was never written"},
    {"use-after-free", "memory is used after it was freed"},
};

}  // namespace

std::span<const Verdict> verdicts() {
  return kVerdicts;
}

std::string_view meaning_of(std::string_view id) {
  const auto found = std::ranges::lower_bound(kVerdicts, id, {}, &Verdict::id);
  return found != std::end(kVerdicts) && found->id == id ? found->meaning : std::string_view();
}

}  // namespace warpfiber::record

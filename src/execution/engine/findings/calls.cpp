// SPDX-License-Identifier: Apache-2.0
// Reads the stacks of waiting threads and keeps each different path once.
#include "engine/findings/calls.hpp"

#include <algorithm>

#include "engine/state/worker_state.hpp"
#include "record/stack_depot.hpp"

namespace warpfiber::engine {
namespace {

// The kernel may be inlined into the loop that runs its threads, so stacks are reported up to their ends.
constexpr std::size_t kDeepestCall = 64;  // calls
// A stack that is used up may have thousands, and the innermost ones show how.
constexpr std::size_t kDeepestCallOverflow = 12;

record::StackId number_of(const fiber::Returns& found) {
  return record::StackDepot::of_process().add(found.addresses);
}

}  // namespace

// Not inlined: its frame is where the walk begins.
__attribute__((noinline)) record::StackId calls_here(const WorkerState& worker) {
  if (!worker.in_kernel()) return record::StackId::none;
  return number_of(fiber::walk({.frame = static_cast<const char*>(__builtin_frame_address(0)),
                                .high = worker.running()->more->stack_high,
                                .most = kDeepestCall}));
}

record::StackId calls_from(const WorkerState& worker, const char* stack_pointer) {
  // A return address that lies at the stack pointer belongs to the stack.
  return number_of(fiber::walk({.frame = stack_pointer - 2 * sizeof(void*),
                                .high = worker.running()->more->stack_high,
                                .most = kDeepestCallOverflow}));
}

record::StackFrame frame_at(const WorkerState& worker, const void* address) {
  const detail::Fiber* fiber = worker.stacks.owner_of(address);
  if (fiber == nullptr || fiber == worker.running()) return {};
  const fiber::Returns found = fiber::walk_waiting(*fiber, {.most = kDeepestCall});
  const char* at = static_cast<const char*>(address);
  const std::size_t count = found.places.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (i + 1 == count && count == kDeepestCall) break;
    const char* canonical = i + 1 < count ? found.places[i + 1] + sizeof(void*) : fiber->more->stack_high;
    if (at < canonical) return {.code = found.addresses[i] - 1, .offset = at - canonical};
  }
  return {};
}

void WaitingCalls::add(const WorkerState& worker, const detail::Fiber& fiber) {
  if (ways_.size() == kMostWays) return;
  if (&fiber == worker.running()) {
    ways_.push_back({.calls = calls_here(worker)});
    return;
  }
  const char* frame = static_cast<const char*>(fiber.stack_pointer);
  const auto depth = static_cast<std::size_t>(fiber.more->stack_high - frame);
  const auto leads_there = [&](const Way& way) {
    return way.resume == fiber.resume && way.trail.leads_from(frame, depth);
  };
  if (std::ranges::any_of(ways_, leads_there)) return;
  fiber::Returns found = fiber::walk_waiting(fiber, {.most = kDeepestCall});
  if (found.addresses.empty()) return;
  Way& way = ways_.emplace_back();
  way.resume = fiber.resume;
  way.calls = number_of(found);
  // Where it goes on lies in the fiber, and not on its stack.
  found.addresses.erase(found.addresses.begin());
  found.places.erase(found.places.begin());
  way.trail = fiber::Trail(found, frame);
}

void WaitingCalls::put(record::Party& party) const {
  if (ways_.empty()) return;
  party.returns = ways_.front().calls;
  for (std::size_t i = 1; i < ways_.size(); ++i) party.other_returns.push_back(ways_[i].calls);
}

}  // namespace warpfiber::engine

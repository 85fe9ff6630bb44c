// SPDX-License-Identifier: Apache-2.0
// The shadow knows who has written the word.
#include "check/bounds/left_pointers.hpp"

#include <warpfiber/detail/current_thread.hpp>

#include <utility>

#include "check/races/shadow_word.hpp"

namespace warpfiber::check {
namespace {

bool is_on_running_stack(const void* pointer) {
  const auto& now = ::warpfiber::detail::current_thread;
  const ::warpfiber::detail::Fiber* fiber = now.waitable != nullptr ? now.waitable : now.fiber;
  return fiber != nullptr && pointer >= fiber->more->stack_low && pointer < fiber->more->stack_high;
}

}  // namespace

LeftPointers::LeftPointers(const ThreadNumbering& numbering, const LaunchIdentity& identity, RunningThread& running,
                           OutsideMemory& outside, HasReturned has_returned)
    : numbering_(numbering),
      identity_(identity),
      running_(running),
      outside_(outside),
      has_returned_(std::move(has_returned)) {}

void LeftPointers::look_at(const void* address) {
  if (!has_returned_ || reinterpret_cast<std::uintptr_t>(address) % sizeof(void*) != 0) return;
  if (!shadow.covers(address) && !shadow.covers_also(address)) return;
  const std::size_t index = shadow.index_of(address);
  const Cell first = shadow.plane(0)[index];
  if (first == 0 || launch_of(first) != identity_.number()) return;
  const void* const pointer = *static_cast<const void* const*>(address);
  if (!is_on_running_stack(pointer)) return;
  running_.here();
  const ShadowWord word(shadow, index);
  for (unsigned i = 0; i < word.count; ++i) {
    if (is_write(word.cells[i]) && may_be_own(thread_of(word.cells[i]))) return;
  }
  outside_.note_left_pointer(pointer);
}

/// Whether the thread may have stored what is the running thread's: it is that itself, or one that it exchanges with.
bool LeftPointers::may_be_own(std::uint64_t writer) const {
  if (numbering_.block_of(writer) != numbering_.block_of(running_.thread())) return false;
  return writer == running_.thread() || !has_returned_(numbering_.rank_of(writer));
}

}  // namespace warpfiber::check

// SPDX-License-Identifier: Apache-2.0
//
// Unwinds with _Unwind_Backtrace(). For a fiber that waits, it enters a function whose unwind information describes
// the registers that the switch has kept.
#include "fiber/trails.hpp"

#include <unwind.h>

#include <utility>

#include "base/arch/processor.hpp"
#include "fiber/tools.hpp"

namespace warpfiber::fiber {
namespace {

struct Unwinding {
  const StackRange& along;
  bool begun;
  Returns found{};
};

_Unwind_Reason_Code step(_Unwind_Context* context, void* data) {
  Unwinding& walk = *static_cast<Unwinding*>(data);
  const StackRange& along = walk.along;
  // Of the frame below, so the return address into this one lies just under it.
  const auto* edge = reinterpret_cast<const char*>(_Unwind_GetCFA(context));
  const auto address = static_cast<std::uintptr_t>(_Unwind_GetIP(context));
  const bool here = edge > along.frame + sizeof(void*) && edge <= along.high;
  if (!walk.begun) {
    walk.begun = here && (along.first == nullptr || address == reinterpret_cast<std::uintptr_t>(along.first));
    if (!walk.begun) return _URC_NO_REASON;
  }
  if (address == 0 || !here || walk.found.addresses.size() == along.most) return _URC_NORMAL_STOP;
  if (along.below != nullptr && _Unwind_GetRegionStart(context) == reinterpret_cast<std::uintptr_t>(along.below)) {
    walk.found.complete = true;
    return _URC_NORMAL_STOP;
  }
  walk.found.addresses.push_back(address);
  walk.found.places.push_back(edge - sizeof(void*));
  return _URC_NO_REASON;
}

}  // namespace

Returns walk(const StackRange& along) {
  Unwinding walk{along, false};
  _Unwind_Backtrace(&step, &walk);
  return std::move(walk.found);
}

#ifndef WARPFIBER_PORTABLE_SWITCH

Returns walk_waiting(const detail::Fiber& fiber, const StackRange& along) {
  const StackRange whole{.frame = static_cast<const char*>(fiber.stack_pointer) - 2 * sizeof(void*),
                         .high = fiber.more->stack_high,
                         .most = along.most,
                         .first = fiber.resume,
                         .below = along.below};
  Unwinding walk{whole, false};
  base::warpfiber_call_below(
      &fiber, [](void* data) { _Unwind_Backtrace(&step, data); }, &walk);
  return std::move(walk.found);
}

#else

Returns walk_waiting(const detail::Fiber&, const StackRange&) {
  return {};
}

#endif

Trail::Trail(const Returns& found, const char* frame) {
  for (std::size_t i = 0; i < found.addresses.size(); ++i) {
    // Where a signal interrupted the function, the address is kept in the signal's frame, and at the place may lie what
    // nobody has written to.
    std::uint64_t there = address_at(found.places[i]);
    call_defined(there);
    if (there != found.addresses[i]) {
      steps_.clear();
      return;
    }
    steps_.push_back({static_cast<std::uint32_t>(found.places[i] - frame), found.addresses[i]});
  }
}

}  // namespace warpfiber::fiber

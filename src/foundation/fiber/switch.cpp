// SPDX-License-Identifier: Apache-2.0
// First entry into a fiber, for both kinds of switch. The switching half of the hand-written one is inlined from
// <warpfiber/detail/fiber.hpp>. The portable one is Boost.Context's jump: it gives every fiber floating-point controls
// of its own; as with the other switch, they stay what they were when the fiber was left.
#include "fiber/stacks.hpp"

#ifndef WARPFIBER_PORTABLE_SWITCH

namespace warpfiber::fiber {

void prepare_entry(detail::Fiber& fiber, void (*entry)()) {
  // A function is entered with the stack pointer eight below a multiple of sixteen, a return address on top. A null one
  // ends stack walks.
  void** top = reinterpret_cast<void**>(fiber.more->stack_high) - 2;
  top[0] = nullptr;
  top[1] = nullptr;
  fiber.stack_pointer = reinterpret_cast<char*>(top) + 8;
  fiber.resume = reinterpret_cast<void*>(entry);
}

}  // namespace warpfiber::fiber

#else

#include <boost/context/detail/fcontext.hpp>

#include "base/thread_modes.hpp"

namespace warpfiber {
namespace {

using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

/// Lies on the stack that is left, which stands still until somebody comes back to it.
struct Handover {
  detail::Fiber* left;
  detail::Fiber* entered;
  base::FloatMode mode;
};

// The side that is entered notes where the side that was left stands.
const Handover& arrive(const transfer_t& transfer) {
  const auto& handover = *static_cast<Handover*>(transfer.data);
  handover.left->stack_pointer = transfer.fctx;
  base::set_float_mode(handover.mode);
  return handover;
}

void (*&entry_of(const detail::Fiber& fiber))() {
  return reinterpret_cast<void (**)()>(fiber.more->stack_high)[-1];
}

void enter(transfer_t transfer) {
  entry_of (*arrive(transfer).entered)();
}

}  // namespace

namespace detail {

void switch_stack(Fiber* from, Fiber* to) {
  Handover handover{from, to, base::float_mode()};
  arrive(jump_fcontext(to->stack_pointer, &handover));
}

}  // namespace detail

namespace fiber {

void prepare_entry(detail::Fiber& fiber, void (*entry)()) {
  constexpr std::size_t kReserved = 64;
  entry_of(fiber) = entry;
  const std::size_t size = static_cast<std::size_t>(fiber.more->stack_high - fiber.more->stack_low) - kReserved;
  fiber.stack_pointer = make_fcontext(fiber.more->stack_high - kReserved, size, enter);
}

}  // namespace fiber
}  // namespace warpfiber

#endif

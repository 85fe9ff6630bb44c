// SPDX-License-Identifier: Apache-2.0
// First entry under the hand-written switch, whose switching half is inlined from <warpfiber/detail/fiber.hpp>.
#include "fiber/enter.hpp"

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

#endif

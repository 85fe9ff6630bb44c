// SPDX-License-Identifier: Apache-2.0
// A fiber as the kernels' inlined fast paths see it: the stack a waiting thread lives on, which thread that is, and the
// switch from one to the next.
// Invariants: a fiber belongs to one worker for ever; it stands in at most one list (`next`); the first cache line is
// all that a barrier touches. Only the fast paths of this folder and the engine may write here.
#pragma once

#include <warpfiber/detail/config.hpp>
#include <warpfiber/detail/vector_types.hpp>

#include <cstdint>

#ifndef WARPFIBER_PORTABLE_SWITCH
#include <warpfiber/detail/arch/x86_64/switch.hpp>
#endif

namespace warpfiber::detail {

struct Warp;
struct Block;

/// What no barrier needs to know of a fiber.
struct FiberDetails {
  unsigned tool_id = 0;  // valgrind's name for the stack
  char* stack_low = nullptr;
  char* stack_high = nullptr;
  void* note = nullptr;     // engine::SpinNote while the thread lets others run, else null
  void* history = nullptr;  // engine::SpinHistory of the fiber, made when first needed
  std::uint64_t vote = 0;   // on whether the launch is stuck, that was open when the thread last let others run
  unsigned passes = 0;      // how often it has let others run, met others or polled since that vote began
};

struct alignas(64) Fiber {
  void* stack_pointer = nullptr;
  void* resume = nullptr;  // address; unused by the portable switch, as is the next one
  void* frame_pointer = nullptr;
  Fiber* next = nullptr;
  uint3 thread_index{};
  unsigned lane = 0;
  Warp* warp = nullptr;  // null until the fiber's thread has waited
  FiberDetails* more = nullptr;
};
static_assert(sizeof(Fiber) == 64, "a barrier touches one cache line a fiber");

#ifndef WARPFIBER_PORTABLE_SWITCH

/// Leaves `from` and enters `to`; returns when a switch to `from` is made.
inline __attribute__((always_inline)) void switch_stack(Fiber* from, Fiber* to) {
  arch::switch_stack(from, to);
}

#else

/// The same through Boost.Context, out of line (src/foundation/fiber/switch.cpp).
void switch_stack(Fiber* from, Fiber* to);

#endif

}  // namespace warpfiber::detail

// SPDX-License-Identifier: Apache-2.0
// What AddressSanitizer and valgrind have to know about fibers. Nothing of it costs anything where neither runs.
#pragma once

#include <warpfiber/detail/wait.hpp>

#include <cstddef>
#include <cstdint>

// Present only in programs that link AddressSanitizer.
extern "C" void __sanitizer_start_switch_fiber(void** fake_stack, const void* bottom, std::size_t size)
    __attribute__((weak));

namespace warpfiber::fiber {

/// Informs valgrind that the stack of `fiber` is one; `forget_stack` before it is unmapped.
void announce_stack(detail::Fiber& fiber);
void forget_stack(detail::Fiber& fiber);

/// Whether the program runs under AddressSanitizer, whose frames and interceptors take more stack.
inline bool is_sanitized() {
  return __sanitizer_start_switch_fiber != nullptr;
}

/// detail::leave() for code of the library, which is built without AddressSanitizer even where the program is not: what
/// leaves here may be resumed there.
inline __attribute__((always_inline)) void leave(detail::Switch decided) {
  if (!is_sanitized()) return detail::leave(decided);
  if (decided.to != nullptr && decided.to != decided.from) detail::switch_announced(decided.from, decided.to);
}

/// Whether valgrind runs the program, or a debugger or tracer follows it: to those, a fault that is meant is a mistake.
bool is_observed();

/// From now on `host` stands for the calling OS thread's own stack: its bounds, as AddressSanitizer wants to know them.
void note_own_stack(detail::Fiber& host);

/// Informs valgrind that `size` bytes count as written although they were made from bytes that were not.
void announce_defined(void* memory, std::size_t size);

/// Called first on a stack that `from` has switched to: notes the bounds of the stack that was left, as
/// AddressSanitizer knows them.
void announce_entry_from(detail::Fiber& from);
/// The running fiber is about to enter another life, which begins with announce_entry(), on the stack that it has.
void announce_new_life(const detail::Fiber& self);

/// Memory that was a stack becomes plain memory again for AddressSanitizer.
void announce_plain(const void* memory, std::size_t size);

/// Stack memory of a fiber that is thrown away becomes plain memory again for AddressSanitizer.
void announce_discard(const detail::Fiber& fiber);

/// Whatever `number` was computed from, valgrind takes it for defined from now on.
void call_defined(std::uint64_t& number);

}  // namespace warpfiber::fiber

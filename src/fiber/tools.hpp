// SPDX-License-Identifier: Apache-2.0
// What AddressSanitizer and valgrind have to be told about fibers. Nothing of it costs anything where neither runs.
#pragma once

#include <warpfiber/detail/fiber.hpp>

#include <cstddef>

#include <cstdint>

namespace warpfiber::fiber {

/// Tells valgrind that the stack of `fiber` is one; `forget_stack` before it is unmapped.
void announce_stack(detail::Fiber& fiber);
void forget_stack(detail::Fiber& fiber);

/// Whether the program runs under AddressSanitizer, whose frames and interceptors take more stack.
bool is_sanitized();

/// Whether valgrind runs the program, or a debugger or tracer follows it: to those, a fault that is meant is a mistake.
bool is_observed();

/// `host` stands for the calling OS thread's own stack: its bounds, as AddressSanitizer wants to know them.
void note_own_stack(detail::Fiber& host);

/// Tells valgrind that `size` bytes count as written although they were made from bytes that were not.
void announce_defined(void* memory, std::size_t size);

/// Memory that was a stack becomes plain memory again for AddressSanitizer.
void announce_plain(const void* memory, std::size_t size);

/// Stack memory of a fiber that is thrown away becomes plain memory again for AddressSanitizer.
void announce_discard(const detail::Fiber& fiber);

/// Whatever `number` was computed from, valgrind takes it for defined from now on.
void call_defined(std::uint64_t& number);

}  // namespace warpfiber::fiber

// SPDX-License-Identifier: Apache-2.0
// Instructions of compiled code that have a meaning for the engine: those that this room writes, and the only one of an
// empty function. The functions read no byte behind the first that does not fit, and may be called in signal handlers.
#pragma once

#include <cstdint>
#include <span>

namespace warpfiber::instrument {

enum class MarkedInstruction : std::uint8_t {
  count_access,       // moves a counter of accesses on (<warpfiber/detail/counted_access.hpp>)
  jump_if_may_count,  // a jump to such an instruction, where the counter was found to wait for the access
  only_return,        // a function that begins so does nothing
};

/// Bytes of one instruction, or of several in a row; kAnyByte stands for what differs from place to place.
using Encoding = std::span<const std::uint16_t>;
inline constexpr std::uint16_t kAnyByte = 0x100;

/// The first encoding of an instruction; empty on other processors than x86-64.
Encoding encoding_of(MarkedInstruction instruction);

/// Whether code counts an access, or has just found that it may: another thread's turn must not begin here.
bool counts_access(const void* code);

/// Whether a function, whose code this is, does nothing but return. False for null.
bool does_nothing(const void* code);

}  // namespace warpfiber::instrument

// SPDX-License-Identifier: Apache-2.0
// The shadow of device memory, and bytes in a row as parts of its words.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "check/cells/cell.hpp"
#include "memory/shadow.hpp"

namespace warpfiber::check {

/// The shadow of all device memory, which the cells are in. Covers nothing until a program has hooks.
extern memory::Shadow shadow;

/// Bits for `bytes` bytes of a word from byte `first`.
inline unsigned byte_bits(unsigned first, unsigned bytes) {
  return ((1U << bytes) - 1) << first;
}

/// Calls use(index of the word, bits of its bytes) for each word that `bytes` from `at` have a part of.
template <class Part>
inline __attribute__((always_inline)) void for_each_part(const char* at, std::size_t bytes, Part use) {
  while (bytes > 0) {
    const auto first = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(at) % kWordBytes);
    const auto part = static_cast<unsigned>(std::min<std::size_t>(kWordBytes - first, bytes));
    use(shadow.index_of(at), byte_bits(first, part));
    at += part;
    bytes -= part;
  }
}

}  // namespace warpfiber::check

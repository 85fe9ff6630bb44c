// SPDX-License-Identifier: Apache-2.0
// How g++ and clang++ describe a type and a place to the hooks of their sanitizers. The layout is that of compiler-rt's
// ubsan_value.h.
#pragma once

#include <cstdint>

namespace warpfiber::abi {

struct SourceLocation {
  const char* file;
  std::uint32_t line;
  std::uint32_t column;
};

struct TypeDescriptor {
  std::uint16_t kind;  // 0: integer, 1: floating-point
  std::uint16_t info;  // of an integer, twice the binary logarithm of its bits, and 1 with a sign; of others, the bits
  char name[1];        // 'float'

  bool has_sign() const { return (info & 1U) != 0; }
  unsigned log_of_bits() const { return info >> 1U; }
};

}  // namespace warpfiber::abi

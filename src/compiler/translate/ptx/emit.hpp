// SPDX-License-Identifier: Apache-2.0
//
// PTX instructions to calls of ::warpfiber::ptx (include/warpfiber/intrinsics/ptx.hpp): which instructions there are is
// a table.
#pragma once

#include <string>
#include <string_view>

namespace warpfiber::translate::ptx {

struct Emitted {
  std::string text;   // C++ statements; operand %N is called warpfiber_N
  std::string wrong;  // the instruction that is not known, as it was written; empty where all are
};

/// The C++ of a PTX text with `operands` operands.
Emitted emit(std::string_view text, unsigned operands);

}  // namespace warpfiber::translate::ptx

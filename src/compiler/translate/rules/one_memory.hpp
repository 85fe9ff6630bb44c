// SPDX-License-Identifier: Apache-2.0
//
// Two arrays of dynamic shared memory are one: all of a block begin at one address. A function writes one, then the
// other, and then reads the first: what it held is gone. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "translate/text/tokens.hpp"
#include "translate/text/walk.hpp"

namespace warpfiber::translate {

struct OneMemory {
  std::string_view name;     // of the array that is read
  std::size_t read = kNone;  // the token of that name
  std::size_t stored = kNone;
  std::string_view other;  // the array through which what was stored is overwritten
  std::size_t overwritten = kNone;
};

/// The first such read in the body of a function.
std::optional<OneMemory> find_one_memory(const Tokens& tokens, TokenRange body);

}  // namespace warpfiber::translate

// SPDX-License-Identifier: Apache-2.0
// Looks at a program's words: whether it can break nvcc's rules about who calls whom at all, and what it does with
// memory that is one array under two names. Most programs cannot, and need not be compiled once more to be sure. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "translate/rules/spaces.hpp"
#include "translate/text/tokens.hpp"
#include "translate/text/walk.hpp"

namespace warpfiber::translate {

/// What a line of host code does with a variable of the device.
enum class VariableUse : std::uint8_t { none, read, written };

/// What the host's code does with the variable whose name is token `i`; its address is no use.
VariableUse use_of(const Tokens& tokens, std::size_t i);

/// Whether words of the program's functions may name what is not for them. True for every program that breaks a rule
/// known here, and for some that do not.
bool may_break_rules(const Tokens& tokens, const Outline& everything, const Spaces& spaces);

// Two arrays of dynamic shared memory are one: all of a block begin at one address. A function writes one, then the
// other, and then reads the first: what it held is gone.
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

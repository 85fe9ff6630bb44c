// SPDX-License-Identifier: Apache-2.0
//
// A quick look at a program's words: whether it can break nvcc's rules about who calls whom at all. Most programs
// cannot, and need not be compiled once more to be sure. Pure.
#pragma once

#include "translate/rules/spaces.hpp"

namespace warpfiber::translate {

/// What a line of host code does with a variable of the device.
enum class VariableUse : std::uint8_t { none, read, written };

/// What the host's code does with the variable whose name is token `i`; its address is no use.
VariableUse use_of(const Tokens& tokens, std::size_t i);

/// Whether words of the program's functions may name what is not for them. True for every program that breaks a rule
/// known here, and for some that do not.
bool may_break_rules(const Tokens& tokens, const Outline& everything, const Spaces& spaces);

}  // namespace warpfiber::translate

// SPDX-License-Identifier: Apache-2.0
//
// What a random kernel is written of: rules, each with the texts that may stand for it. In a text, "@(NAME)" stands for
// another rule and "@(3..9)" for a number. "@(new)" is a new name of a variable, which the rest of the text calls
// "@(same)", and "@(let NAME)" what it calls "@(kept)". Some names depend on the kernel so far (draft.cpp).
#pragma once

#include <span>
#include <string_view>

namespace warpfiber::tools::fuzz {

struct KernelText {
  std::string_view text;
  unsigned weight = 1;
};

/// The texts that may stand for a rule; none: there is no such rule.
std::span<const KernelText> texts_of(std::string_view rule);

}  // namespace warpfiber::tools::fuzz

// SPDX-License-Identifier: Apache-2.0
//
// Where a token stands in the user's files, from the preprocessor's line markers; and line markers that take text which
// moves to another place along with its line numbers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "translate/tokens.hpp"

namespace warpfiber::translate {

struct Position {
  std::string_view file;  // as the marker has it, with its escapes; empty before the first marker
  unsigned line = 1;
  unsigned column = 1;  // in the preprocessed line
};

/// The position of the byte at `offset`. Takes time that grows with the distance to the marker before it.
Position locate(const Tokens& tokens, std::size_t offset);

/// A line marker that makes the text after it continue at `offset`, blanks for its column included; starts and ends a
/// line. `# 12 "a.cu"`.
std::string continue_at(const Tokens& tokens, std::size_t offset);

/// The text of the tokens [begin, end) on one line and without CUDA's qualifiers: line breaks and directives become
/// blanks.
std::string flat_text(const Tokens& tokens, std::size_t begin, std::size_t end);

/// As much of text[begin, end) as has to stay where the rest moves away: its line breaks and directives.
std::string line_breaks(const Tokens& tokens, std::size_t begin, std::size_t end);

}  // namespace warpfiber::translate

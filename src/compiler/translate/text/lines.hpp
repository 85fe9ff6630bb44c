// SPDX-License-Identifier: Apache-2.0
//
// Where a token stands in the user's files, from the preprocessor's line markers; and line markers that take text which
// moves to another place along with its line numbers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "translate/text/tokens.hpp"

namespace warpfiber::translate {

struct Position {
  std::string_view file;  // as the marker has it, with its escapes; empty before the first marker
  unsigned line = 1;
  unsigned column = 1;  // in the preprocessed line, with CUDA's qualifiers as the user spells them
  bool system = false;  // in a header that gets no warnings
};

/// A file name as it stands between the quotes of a line marker, without its escapes.
std::string unescaped(std::string_view text);

/// The position of the byte at `offset`, in time that grows with the logarithm of the text's size.
Position locate(const Tokens& tokens, std::size_t offset);

/// The positions of offsets that grow, in time that is linear in the text over all calls.
class LineCursor {
 public:
  explicit LineCursor(const Tokens& tokens) : tokens_(tokens) {}
  /// `offset` is no smaller than in the call before. The column is left out.
  Position at(std::size_t offset);

 private:
  const Tokens& tokens_;
  std::size_t marker_ = 0;  // the next one
  std::size_t offset_ = 0;
  Position position_;
};

/// Columns behind this one are not those of the user's line once text was put into it: g++ does not count further than
/// 4,095, and a macro that expands to a hundred launches would grow by their blanks.
inline constexpr unsigned kLastKeptColumn = 2000;

/// A line marker that makes the text after it continue at `offset`, blanks for its column included (up to
/// kLastKeptColumn); starts and ends a line. `# 12 "a.cu"`.
std::string continue_at(const Tokens& tokens, std::size_t offset);

/// Declarations for the place at `offset`, which hide names of the user's on purpose and get no warning for it.
std::string hiding(const Tokens& tokens, std::size_t offset, const std::string& declarations);

/// The text of the tokens [begin, end) on one line and without CUDA's qualifiers: line breaks and directives become
/// blanks.
std::string flat_text(const Tokens& tokens, std::size_t begin, std::size_t end);

/// As much of text[begin, end) as has to stay where the rest moves away: its line breaks and directives.
std::string line_breaks(const Tokens& tokens, std::size_t begin, std::size_t end);

}  // namespace warpfiber::translate

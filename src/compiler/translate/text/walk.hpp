// SPDX-License-Identifier: Apache-2.0
//
// Steps over tokens that need no knowledge of types: template argument lists, groups, lists with commas. Where C++ can
// only be read with types (`a < b > c`), the reading is chosen that fits a declaration.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "translate/text/tokens.hpp"

namespace warpfiber::translate {

/// Tokens [begin, end).
struct TokenRange {
  std::size_t begin = kNone;
  std::size_t end = kNone;

  bool empty() const { return begin >= end; }
};

/// The same tokens in ranges that do not touch, in order.
std::vector<TokenRange> merged(std::vector<TokenRange> ranges);

/// Whether token `i` is in one of the merged ranges.
bool cover(const std::vector<TokenRange>& ranges, std::size_t i);

/// The `>` that closes the template argument list which `open` opens; kNone where it opens none.
std::size_t angle_close(const Tokens& tokens, std::size_t open);

/// The `<` that opens the template argument list which `close` closes; kNone where it closes none.
std::size_t angle_open(const Tokens& tokens, std::size_t close);

/// The token after token `i`, or after its group where `i` opens one.
std::size_t after_group(const Tokens& tokens, std::size_t i);

/// after_group, which takes template argument lists for groups as well.
std::size_t after_item(const Tokens& tokens, std::size_t i);

/// The first token in [begin, end) that is `mark` and in no group; else `end`.
std::size_t find_mark(const Tokens& tokens, std::size_t begin, std::size_t end, char mark);

/// The brace of the block or class in which token `i` stands; kNone outside of all.
std::size_t enclosing_brace(const Tokens& tokens, std::size_t i);

/// The parts of [begin, end) between commas that are in no group. Nothing for an empty range.
std::vector<TokenRange> split_commas(const Tokens& tokens, std::size_t begin, std::size_t end);

/// Whether token `i` is a word of the language that names no type, function or variable.
bool is_keyword(const Tokens& tokens, std::size_t i);

/// `int`, `unsigned`, `auto` and the other words that are types or parts of one.
bool is_builtin_type(const Tokens& tokens, std::size_t i);

/// `const`, `volatile` and the spellings of restrict.
bool is_cv(const Tokens& tokens, std::size_t i);

/// `__attribute__`, `alignas`, `__declspec` or a qualifier of CUDA with arguments: a word whose group belongs to it.
bool is_attribute_word(const Tokens& tokens, std::size_t i);

/// Past the attributes at `i`: [[...]], __attribute__((...)), alignas(...), qualifiers of CUDA.
std::size_t skip_attributes(const Tokens& tokens, std::size_t i);

}  // namespace warpfiber::translate

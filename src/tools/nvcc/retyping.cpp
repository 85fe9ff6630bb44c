// SPDX-License-Identifier: Apache-2.0
//
// Scans the tokens of the user's files, and of libraries for devices, for casts between pointer types. A doubt counts
// as a cast.
#include "tools/nvcc/retyping.hpp"

#include <algorithm>
#include <cstdint>
#include <set>

#include "translate/text/lines.hpp"
#include "translate/text/tokens.hpp"

namespace warpfiber::tools::nvcc {
using translate::is_qualifier;
using translate::Keyword;
using translate::kNone;
using translate::LineCursor;
using translate::LineMarker;
using translate::TokenKind;
using translate::Tokens;

namespace {

template <std::size_t kCount>
bool is_one_of(const Tokens& tokens, std::size_t i, const std::string_view (&words)[kCount]) {
  return std::find(std::begin(words), std::end(words), tokens.text(i)) != std::end(words);
}

// Before a bracket that may begin a cast; behind any other name it is a call or a declaration.
constexpr std::string_view kBeforeCasts[] = {"return", "else", "do", "case", "throw", "co_return", "co_yield"};
constexpr std::string_view kAllocators[] = {"malloc", "calloc", "realloc", "aligned_alloc", "memalign", "alloca"};
constexpr std::string_view kBytes[] = {"void", "char"};

/// Tokens [begin, end) name a type: 1 that nothing is reinterpreted with, bytes and numbers among them.
bool is_harmless_type(const Tokens& tokens, std::size_t begin, std::size_t end) {
  bool points = false;
  for (std::size_t i = begin; i < end; ++i) {
    if (is_one_of(tokens, i, kBytes)) return true;
    points |= tokens.is(i, '*') || tokens.is(i, '&');
  }
  return !points;
}

/// Whether [begin, end) looks like a type whose last word is * or & or a qualifier of such.
bool is_pointer_type(const Tokens& tokens, std::size_t begin, std::size_t end) {
  constexpr std::string_view kQualifiers[] = {"const", "volatile", "__restrict__", "__restrict"};
  while (end > begin && is_one_of(tokens, end - 1, kQualifiers)) --end;
  if (end <= begin + 1 || !tokens.is_identifier(begin)) return false;
  if (tokens.is(end - 1, '*') || tokens.is(end - 1, '&')) return true;
  // To an array, or a function: `float (*)[4]`.
  for (std::size_t i = begin; i + 2 < end; ++i) {
    if (tokens.is(i, '(') && tokens.is(i + 1, '*') && tokens.is(i + 2, ')')) return true;
  }
  return false;
}

bool begins_operand(const Tokens& tokens, std::size_t i) {
  return tokens.is_identifier(i) || tokens[i].kind == TokenKind::number || tokens[i].kind == TokenKind::string ||
         tokens.is(i, '(') || tokens.is(i, '&') || tokens.is(i, '*') || tokens.is(i, '+') || tokens.is(i, '-') ||
         tokens.is(i, '~') || tokens.is(i, "::");
}

bool is_allocation(const Tokens& tokens, std::size_t i) {
  if (tokens.is(i, "::")) ++i;
  if (tokens.is(i, "std")) i += 2;
  return is_one_of(tokens, i, kAllocators) && tokens.is(i + 1, '(');
}

/// Whether the bracket `i` begins a cast that makes a pointer of another type.
bool is_retyping_cast(const Tokens& tokens, std::size_t i) {
  const std::size_t close = tokens.match(i);
  if (close == kNone || !is_pointer_type(tokens, i + 1, close) || !begins_operand(tokens, close + 1)) return false;
  if (i > 0 && tokens.is_identifier(i - 1) && !is_one_of(tokens, i - 1, kBeforeCasts)) return false;
  return !is_harmless_type(tokens, i + 1, close) && !is_allocation(tokens, close + 1);
}

/// Whether the named cast `i` is one.
bool is_retyping_named_cast(const Tokens& tokens, std::size_t i) {
  std::size_t end = i + 1;
  while (!tokens.ends(end) && !tokens.is(end, '(')) ++end;
  return !is_harmless_type(tokens, i + 1, end) && !is_allocation(tokens, end + 1);
}

/// Whether the typedef or using declaration `i` gives a pointer a name without a star.
bool names_pointer(const Tokens& tokens, std::size_t i) {
  for (std::size_t at = i + 1; !tokens.ends(at) && !tokens.is(at, ';') && !tokens.is(at, '{'); ++at) {
    if (tokens.is(at, '*')) return true;
  }
  return false;
}

bool may_retype(const Tokens& tokens, std::size_t i) {
  if (tokens.is(i, '(')) return is_retyping_cast(tokens, i);
  if (!tokens.is_identifier(i)) return false;
  if (tokens[i].keyword == Keyword::assembler) return true;
  const std::string_view text = tokens.text(i);
  if (text == "reinterpret_cast" || text == "static_cast") return is_retyping_named_cast(tokens, i);
  return (text == "typedef" || text == "using") && names_pointer(tokens, i);
}

/// Files with functions of the device, which may be the system's: Thrust and CUB are, where they are installed.
std::set<std::string_view> files_of_device(const Tokens& tokens) {
  std::set<std::string_view> files;
  LineCursor cursor(tokens);
  for (const std::uint32_t i : tokens.keywords()) {
    if (is_qualifier(tokens[i].keyword)) files.insert(cursor.at(tokens[i].begin).file);
  }
  return files;
}

/// The text from `marker` on is the user's own, or a library's for devices.
bool is_users(const LineMarker& marker, const std::vector<std::string>& trusted,
              const std::set<std::string_view>& of_device) {
  const auto lies_below = [&marker](const std::string& folder) { return marker.file.starts_with(folder); };
  return (!marker.system || of_device.contains(marker.file)) &&
         std::none_of(trusted.begin(), trusted.end(), lies_below);
}

}  // namespace

bool may_retype_memory(std::string_view preprocessed, const std::vector<std::string>& trusted) {
  const Tokens tokens(preprocessed);
  const std::vector<LineMarker>& markers = tokens.markers();
  const std::set<std::string_view> of_device = files_of_device(tokens);
  std::size_t marker = 0;
  bool users = true;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    for (; marker < markers.size() && markers[marker].next_line <= tokens[i].begin; ++marker)
      users = is_users(markers[marker], trusted, of_device);
    if (users && may_retype(tokens, i)) return true;
  }
  return false;
}

}  // namespace warpfiber::tools::nvcc

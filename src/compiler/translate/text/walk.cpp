// SPDX-License-Identifier: Apache-2.0
//
// Each function starts at a token and uses Tokens::match() for brackets. Whether `<` opens a list is guessed from the
// tokens around it.
#include "translate/text/walk.hpp"

#include <algorithm>
#include <iterator>

namespace warpfiber::translate {
namespace {

constexpr std::string_view kKeywords[] = {"alignas",
                                          "alignof",
                                          "asm",
                                          "break",
                                          "case",
                                          "catch",
                                          "co_await",
                                          "co_return",
                                          "co_yield",
                                          "const",
                                          "const_cast",
                                          "constexpr",
                                          "consteval",
                                          "constinit",
                                          "continue",
                                          "default",
                                          "delete",
                                          "do",
                                          "dynamic_cast",
                                          "else",
                                          "enum",
                                          "explicit",
                                          "export",
                                          "extern",
                                          "for",
                                          "friend",
                                          "goto",
                                          "if",
                                          "inline",
                                          "mutable",
                                          "namespace",
                                          "new",
                                          "noexcept",
                                          "operator",
                                          "private",
                                          "protected",
                                          "public",
                                          "register",
                                          "reinterpret_cast",
                                          "requires",
                                          "return",
                                          "sizeof",
                                          "static",
                                          "static_assert",
                                          "static_cast",
                                          "switch",
                                          "template",
                                          "thread_local",
                                          "throw",
                                          "try",
                                          "typedef",
                                          "typeid",
                                          "typename",
                                          "using",
                                          "virtual",
                                          "volatile",
                                          "while",
                                          "struct",
                                          "class",
                                          "union",
                                          "__attribute__",
                                          "__extension__",
                                          "decltype",
                                          "__inline",
                                          "__inline__",
                                          "__restrict__",
                                          "__restrict",
                                          "__thread"};

constexpr std::string_view kBuiltinTypes[] = {"auto",     "bool",  "char",    "char16_t", "char32_t",   "char8_t",
                                              "double",   "float", "int",     "long",     "short",      "signed",
                                              "unsigned", "void",  "wchar_t", "__int128", "__signed__", "__float128"};

constexpr std::string_view kCv[] = {"const", "volatile", "__restrict__", "__restrict", "restrict", "__volatile__"};

constexpr std::string_view kAttributeWords[] = {"__attribute__", "__attribute", "alignas", "__declspec", "_Alignas"};

bool is_one_of(const auto& spellings, std::string_view text) {
  return std::find(std::begin(spellings), std::end(spellings), text) != std::end(spellings);
}

/// A `<` with a blank on both sides, as less-than is written.
bool is_spaced(const Tokens& tokens, std::size_t i) {
  return i > 0 && !tokens.touches_next(i - 1) && !tokens.touches_next(i);
}

bool is_shift(const Tokens& tokens, std::size_t i) {
  return tokens.touches_next(i) && tokens.is(i + 1, '<');
}

std::size_t close_of(const Tokens& tokens, std::size_t open, bool spaced_is_less) {
  std::size_t depth = 0;
  for (std::size_t i = open; !tokens.ends(i);) {
    const Token& token = tokens[i];
    if (token.kind != TokenKind::punctuator || token.end != token.begin + 1) {
      ++i;
      continue;
    }
    switch (tokens.source()[token.begin]) {
      case '<':
        if (i != open && is_shift(tokens, i)) {
          i += 2;
          continue;
        }
        if (i == open || (tokens.is_identifier(i - 1) && !(spaced_is_less && is_spaced(tokens, i)))) ++depth;
        break;
      case '>':
        if (--depth == 0) return i;
        break;
      case '(':
      case '[':
      case '{':
        if (tokens.match(i) == kNone) return kNone;
        i = tokens.match(i);
        break;
      case ')':
      case ']':
      case '}':
      case ';': return kNone;
      default: break;
    }
    ++i;
  }
  return kNone;
}

}  // namespace

std::size_t angle_close(const Tokens& tokens, std::size_t open) {
  const std::size_t close = close_of(tokens, open, false);
  return close != kNone ? close : close_of(tokens, open, true);
}

std::size_t angle_open(const Tokens& tokens, std::size_t close) {
  std::size_t depth = 0;
  for (std::size_t i = close;; --i) {
    if (tokens.is(i, '>')) {
      ++depth;
    } else if (tokens.is(i, '<')) {
      const bool shift = i > 0 && tokens.is(i - 1, '<') && tokens.touches_next(i - 1);
      if (shift) {
        --i;
      } else if (--depth == 0) {
        return i;
      }
    } else if (tokens.is(i, ')') || tokens.is(i, ']') || tokens.is(i, '}')) {
      if (tokens.match(i) == kNone) return kNone;
      i = tokens.match(i);
    } else if (tokens.is(i, '(') || tokens.is(i, '[') || tokens.is(i, '{') || tokens.is(i, ';')) {
      return kNone;
    }
    if (i == 0) return kNone;
  }
}

std::size_t after_group(const Tokens& tokens, std::size_t i) {
  const std::size_t close = tokens.match(i);
  return close != kNone && close > i ? close + 1 : i + 1;
}

std::size_t after_item(const Tokens& tokens, std::size_t i) {
  if (tokens.is(i, '<') && i > 0 && tokens.is_identifier(i - 1)) {
    const std::size_t close = angle_close(tokens, i);
    if (close != kNone) return close + 1;
  }
  return after_group(tokens, i);
}

std::size_t find_mark(const Tokens& tokens, std::size_t begin, std::size_t end, char mark) {
  std::size_t i = begin;
  while (i < end && !tokens.ends(i) && !tokens.is(i, mark)) i = after_group(tokens, i);
  return std::min(i, end);
}

std::size_t enclosing_brace(const Tokens& tokens, std::size_t i) {
  std::size_t open = tokens.opener(i);
  while (open != kNone && !tokens.is(open, '{')) open = tokens.opener(open);
  return open;
}

std::vector<TokenRange> merged(std::vector<TokenRange> ranges) {
  std::ranges::sort(ranges, {}, &TokenRange::begin);
  std::vector<TokenRange> apart;
  for (const TokenRange& range : ranges) {
    if (range.empty()) continue;
    if (!apart.empty() && range.begin <= apart.back().end) {
      apart.back().end = std::max(apart.back().end, range.end);
    } else {
      apart.push_back(range);
    }
  }
  return apart;
}

bool cover(const std::vector<TokenRange>& ranges, std::size_t i) {
  const auto after = std::ranges::upper_bound(ranges, i, {}, &TokenRange::begin);
  return after != ranges.begin() && i < (after - 1)->end;
}

std::vector<TokenRange> split_commas(const Tokens& tokens, std::size_t begin, std::size_t end) {
  std::vector<TokenRange> parts;
  if (begin >= end) return parts;
  std::size_t from = begin;
  for (std::size_t i = begin; i < end;) {
    if (tokens.is(i, ',')) {
      parts.push_back({from, i});
      from = i + 1;
    }
    const std::size_t next = after_item(tokens, i);
    i = next <= end ? next : i + 1;
  }
  parts.push_back({from, end});
  return parts;
}

bool is_keyword(const Tokens& tokens, std::size_t i) {
  return tokens.is_identifier(i) && is_one_of(kKeywords, tokens.text(i));
}

bool is_builtin_type(const Tokens& tokens, std::size_t i) {
  return tokens.is_identifier(i) && is_one_of(kBuiltinTypes, tokens.text(i));
}

bool is_cv(const Tokens& tokens, std::size_t i) {
  return tokens.is_identifier(i) && is_one_of(kCv, tokens.text(i));
}

bool is_attribute_word(const Tokens& tokens, std::size_t i) {
  if (!tokens.is_identifier(i)) return false;
  return has_arguments(tokens[i].keyword) || is_one_of(kAttributeWords, tokens.text(i));
}

std::size_t skip_attributes(const Tokens& tokens, std::size_t i) {
  for (;;) {
    if (is_attribute_word(tokens, i) && tokens.is(i + 1, '(')) {
      i = after_group(tokens, i + 1);
    } else if (is_qualifier(tokens[i].keyword) || tokens[i].keyword == Keyword::noinline) {
      ++i;
    } else if (tokens.is(i, '[') && tokens.is(i + 1, '[') && tokens.match(i) != kNone) {
      i = after_group(tokens, i);
    } else {
      return i;
    }
  }
}

}  // namespace warpfiber::translate

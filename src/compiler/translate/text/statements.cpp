// SPDX-License-Identifier: Apache-2.0
//
// Decides by the first token of a statement and by matching brackets. A stack of heads takes the place of recursion.
#include "translate/text/statements.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace warpfiber::translate {
namespace {

/// The group in parentheses at `i`, without them.
TokenRange inside(const Tokens& tokens, std::size_t i) {
  return tokens.is(i, '(') && tokens.match(i) != kNone ? TokenRange{i + 1, tokens.match(i)} : TokenRange{};
}

std::size_t past_expression(const Tokens& tokens, std::size_t i) {
  while (!tokens.ends(i) && !tokens.is(i, ';') && !tokens.is(i, '}')) i = after_group(tokens, i);
  return tokens.is(i, ';') ? i + 1 : i;
}

Compound with_condition(const Tokens& tokens, CompoundKind kind, std::size_t i) {
  Compound read;
  read.is_constexpr = tokens.is(i, "constexpr");
  if (read.is_constexpr) ++i;
  if (!tokens.is(i, '(') || tokens.match(i) == kNone) return {};
  read.kind = kind;
  read.condition = inside(tokens, i);
  read.body = after_group(tokens, i);
  return read;
}

enum class HeadKind { none, branch, loop, once };  // once: do, which ends behind its statement

/// What controls the statement behind it.
struct Head {
  HeadKind kind = HeadKind::none;
  std::size_t statement = kNone;
};

Head head_at(const Tokens& tokens, std::size_t i) {
  if (tokens.is(i, "do")) return {HeadKind::once, i + 1};
  const bool is_if = tokens.is(i, "if");
  if (!is_if && !tokens.is(i, "for") && !tokens.is(i, "while") && !tokens.is(i, "switch")) return {};
  const std::size_t open = tokens.is(i + 1, "constexpr") ? i + 2 : i + 1;
  if (inside(tokens, open).begin == kNone) return {};
  return {is_if ? HeadKind::branch : HeadKind::loop, after_group(tokens, open)};
}

}  // namespace

Compound read_compound(const Tokens& tokens, std::size_t i) {
  if (tokens.is(i, "for") || tokens.is(i, "while")) return with_condition(tokens, CompoundKind::loop, i + 1);
  if (tokens.is(i, "switch")) return with_condition(tokens, CompoundKind::choice, i + 1);
  if (tokens.is(i, "do")) {
    Compound read;
    read.kind = CompoundKind::loop;
    read.body = i + 1;
    const std::size_t end = past_statement(tokens, read.body);
    if (tokens.is(end, "while")) read.condition = inside(tokens, end + 1);
    read.is_once = tokens.is(read.condition.begin, "0") || tokens.is(read.condition.begin, "false");
    return read;
  }
  if (!tokens.is(i, "if")) return {};
  Compound read = with_condition(tokens, CompoundKind::branch, i + 1);
  if (read.kind == CompoundKind::none) return read;
  const std::size_t end = past_statement(tokens, read.body);
  if (tokens.is(end, "else")) read.otherwise = end + 1;
  return read;
}

std::size_t skip_labels(const Tokens& tokens, std::size_t i) {
  for (;;) {
    if (tokens.is(i, "case")) {
      std::size_t colon = i;
      while (!tokens.ends(colon) && !tokens.is(colon, ':') && !tokens.is(colon, ';'))
        colon = after_group(tokens, colon);
      if (!tokens.is(colon, ':')) return i;
      i = colon + 1;
    } else if (tokens.is_identifier(i) && tokens.is(i + 1, ':') &&
               (tokens.is(i, "default") || !is_keyword(tokens, i))) {
      i += 2;
    } else {
      return i;
    }
  }
}

std::size_t past_statement(const Tokens& tokens, std::size_t i) {
  // What stands before the statement at `i` and controls it. No recursion: there may be any number of them.
  std::vector<HeadKind> heads;
  for (;;) {
    i = skip_labels(tokens, i);
    const Head head = head_at(tokens, i);
    if (head.kind != HeadKind::none) {
      heads.push_back(head.kind);
      i = head.statement;
      continue;
    }
    const std::size_t end = tokens.is(i, '{') ? after_group(tokens, i) : past_expression(tokens, i);
    i = std::max(end, i + 1);
    bool has_more = false;
    for (; !heads.empty() && !has_more; heads.pop_back()) {
      if (heads.back() == HeadKind::once) i = past_expression(tokens, i);
      has_more = heads.back() == HeadKind::branch && tokens.is(i, "else");
    }
    if (!has_more) return i;
    ++i;
  }
}

std::size_t head_of(const Tokens& tokens, std::size_t i) {
  const std::size_t before = i - 1;
  if (tokens.is(before, "do")) return before;
  if (!tokens.is(before, ')') || tokens.match(before) == kNone) return kNone;
  std::size_t word = tokens.match(before) - 1;
  if (tokens.is(word, "constexpr")) --word;
  const bool controls =
      tokens.is(word, "if") || tokens.is(word, "for") || tokens.is(word, "while") || tokens.is(word, "switch");
  return controls ? word : kNone;
}

bool mentions_reread(const Tokens& tokens, std::size_t begin, std::size_t end) {
  const std::vector<std::uint32_t>& all = tokens.rereads();
  const auto first = std::ranges::lower_bound(all, begin);
  return first != all.end() && *first < end;
}

bool is_assignment(const Tokens& tokens, std::size_t i) {
  static constexpr std::string_view kOperators[] = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
  return tokens[i].kind == TokenKind::punctuator &&
         std::ranges::find(kOperators, tokens.text(i)) != std::end(kOperators);
}

bool is_barrier(const Tokens& tokens, std::size_t i) {
  for (; !tokens.ends(i) && !tokens.is(i, ';') && !tokens.is(i, '{') && !tokens.is(i, '}'); ++i) {
    if (!tokens.is(i, '(')) continue;
    const std::string_view call = tokens.text(i - 1);
    return call.starts_with("__sync") || call == "sync" || call.starts_with("__barrier_sync");
  }
  return false;
}

}  // namespace warpfiber::translate

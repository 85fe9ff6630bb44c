// SPDX-License-Identifier: Apache-2.0
//
// What a kernel does last, read from words alone. A call is a parenthesis behind a name, a template argument list or
// another group, where no word of the language stands.
#include "translate/passes.hpp"
#include "translate/straight_line/known_functions.hpp"
#include "translate/text/statements.hpp"

namespace warpfiber::translate {
namespace {

TokenRange last_statement(const Tokens& tokens, TokenRange body) {
  TokenRange last;
  for (std::size_t i = body.begin + 1; i + 1 < body.end;) {
    const std::size_t next = past_statement(tokens, i);
    if (next <= i) return {};
    last = {i, next};
    i = next;
  }
  return last;
}

bool is_call(const Tokens& tokens, std::size_t parenthesis) {
  const std::size_t before = parenthesis - 1;
  if (tokens.is(before, ')') || tokens.is(before, ']') || tokens.is(before, '>') || tokens.is(before, '}')) return true;
  if (!tokens.is_identifier(before) || is_keyword(tokens, before) || is_builtin_type(tokens, before)) return false;
  const std::string_view name = tokens.text(before);
  return !computes_number(name) && !name.starts_with("atomic");
}

}  // namespace

bool ends_without_call(const Tokens& tokens, TokenRange body) {
  const TokenRange last = last_statement(tokens, body);
  if (last.empty() || tokens.is(last.begin, ';') || tokens.is(last.begin, "return")) return false;
  for (std::size_t i = last.begin + 1; i < last.end; ++i) {
    if (tokens.is(i, '(') && is_call(tokens, i)) return false;
  }
  return true;
}

}  // namespace warpfiber::translate

// SPDX-License-Identifier: Apache-2.0
//
// Looks at every place where a name stands in the function: where a type stands before it, it is declared.
#include "translate/lock_step/local_variables.hpp"

#include <algorithm>
#include <string>

#include "translate/lock_step/idle_words.hpp"
#include "translate/text/parameters.hpp"
#include "translate/text/statements.hpp"

namespace warpfiber::translate {

LocalVariables::LocalVariables(const Tokens& tokens, const Function& function) : t_(tokens), f_(function) {
  std::size_t number = 0;
  for (const Parameter& one : read_parameters(t_, {f_.open + 1, f_.close})) {
    if (one.name != kNone) parameters_.emplace(t_.text(one.name), number);
    if (one.name != kNone && one.is_reference) bound_.insert(t_.text(one.name));
    ++number;
  }
}

std::size_t LocalVariables::parameter(std::string_view name) const {
  const auto found = parameters_.find(name);
  return found == parameters_.end() ? kNone : found->second;
}

const LocalVariables::Found& LocalVariables::find(std::size_t i) {
  const auto [known, is_new] = known_.try_emplace(t_.text(i));
  if (is_new) known->second = look(i);
  return known->second;
}

LocalVariables::Found LocalVariables::look(std::size_t i) const {
  const std::string_view name = t_.text(i);
  Found found;
  for (std::size_t at = f_.begin; at < f_.body.end; ++at) {
    if (!t_.is_identifier(at) || !t_.is(at, name)) continue;
    const bool is_reference = t_.is(at - 1, '&') && is_type_word(t_, at - 2);
    if ((is_reference && at >= f_.body.begin) || (t_.is(at - 1, '*') && is_type_word(t_, at - 2))) return {};
    if (!is_reference && !is_type_word(t_, at - 1) && !(t_.is(at - 1, ',') && follows_declarator(at))) continue;
    if (!is_plain_declaration(at)) return {};
    found.is_plain = true;
    found.is_array = found.is_array || t_.is(at + 1, '[');
    found.first = std::min(found.first, at);
    found.last = std::max(found.last, at);
  }
  return found;
}

bool LocalVariables::are_declared_in(std::size_t i, TokenRange where) {
  const Found& found = find(i);
  return found.is_plain && found.first >= where.begin && found.last < where.end;
}

std::size_t LocalVariables::class_of(std::size_t i) const {
  const std::string_view name = t_.text(i);
  std::size_t of = kNone;
  for (std::size_t at = f_.open; at < f_.body.end; ++at) {
    if (!t_.is_identifier(at) || !t_.is(at, name) || at == i) continue;
    const bool is_parameter = at < f_.body.begin;
    const std::size_t type = is_parameter && t_.is(at - 1, '&') ? at - 2 : at - 1;
    const bool begins = t_.is(type - 1, ';') || t_.is(type - 1, '{') || t_.is(type - 1, '}') ||
                        (is_parameter && (t_.is(type - 1, '(') || t_.is(type - 1, ',')));
    if (!t_.is_identifier(type) || is_keyword(t_, type) || !begins) continue;
    if (of != kNone || (is_parameter && type == at - 1)) return kNone;  // a copy, or two of the name
    of = type;
  }
  return of;
}

std::size_t LocalVariables::lambda_of(std::size_t i) const {
  const std::string_view name = t_.text(i);
  std::size_t of = kNone;
  for (std::size_t at = f_.body.begin; at < f_.body.end; ++at) {
    if (!t_.is_identifier(at) || !t_.is(at, name) || !t_.is(at - 1, "auto")) continue;
    if (of != kNone || !t_.is(at + 1, '=') || !t_.is(at + 2, '[')) return kNone;
    of = at + 2;
  }
  return of;
}

bool LocalVariables::is_group(std::size_t i) const {
  if (!t_.is_identifier(i)) return false;
  const std::string_view name = t_.text(i);
  for (std::size_t at = f_.body.begin; at < i; ++at) {
    if (!t_.is(at, name) || !t_.is(at + 1, '=')) continue;
    for (std::size_t by = at + 2; by < f_.body.end && !t_.is(by, ';'); ++by) {
      const bool makes = t_.is(by, "tiled_partition") || t_.is(by, "this_thread_block") || t_.is(by, "this_grid") ||
                         t_.is(by, "this_cluster");
      if (makes) return true;
    }
  }
  return false;
}

bool LocalVariables::is_barrier(std::size_t i, const std::unordered_set<std::string_view>& types) const {
  while (t_.is(i, ']') && t_.match(i) != kNone) i = t_.match(i) - 1;
  if (!t_.is_identifier(i)) return false;
  const std::string_view name = t_.text(i);
  for (std::size_t at = f_.open; at < i; ++at) {
    if (!t_.is(at, name)) continue;
    const std::size_t end = at < f_.body.begin ? at : std::min(find_mark(t_, at, f_.body.end, ';'), i);
    for (std::size_t by = first_of_statement(at); by < end; ++by) {
      if (t_.is_identifier(by) && types.contains(t_.text(by))) return true;
    }
  }
  return false;
}

/// Whether the variable at `i` is another one of a declaration: `int a = 0, b = 0;`
bool LocalVariables::follows_declarator(std::size_t i) const {
  const std::size_t first = first_of_statement(i);
  return is_type_word(t_, first) || (is_cv(t_, first) && is_type_word(t_, first + 1));
}

std::size_t LocalVariables::first_of_statement(std::size_t i) const {
  while (i > f_.begin && !t_.is(i - 1, ';') && !t_.is(i - 1, '{') && !t_.is(i - 1, '}') && !t_.is(i - 1, '(')) --i;
  return i;
}

/// A variable that is volatile, but leads to no memory that is, is one like others.
bool LocalVariables::is_plain_declaration(std::size_t i) const {
  const bool is_parameter = i < f_.body.begin;
  if (t_.is(i + 1, '[') && is_parameter) return false;
  for (std::size_t at = first_of_statement(i); at < i; ++at) {
    if (is_parameter && find_mark(t_, at, i, ',') != i) continue;  // of another one
    if (t_[at].keyword == Keyword::shared || t_.is(at, "static") || t_.is(at, "extern")) return false;
    if (t_.is(at, "volatile") && t_.is(i - 1, '&')) return false;
  }
  return true;
}

}  // namespace warpfiber::translate

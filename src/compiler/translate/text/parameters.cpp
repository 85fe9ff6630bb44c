// SPDX-License-Identifier: Apache-2.0
//
// Reads declarators from left to right without knowing which names are types: where two names follow each other, the
// last one is declared.
#include "translate/text/parameters.hpp"

#include <algorithm>

namespace warpfiber::translate {
namespace {

bool is_type_key(const Tokens& tokens, std::size_t i) {
  return tokens.is(i, "struct") || tokens.is(i, "class") || tokens.is(i, "union") || tokens.is(i, "enum");
}

bool is_type_operator(const Tokens& tokens, std::size_t i) {
  return tokens.is(i, "decltype") || tokens.is(i, "typeof") || tokens.is(i, "__typeof__") || tokens.is(i, "__typeof");
}

/// Reads specifiers and one declarator from left to right until the name is known.
class DeclaratorReader {
 public:
  DeclaratorReader(const Tokens& tokens, TokenRange range) : t_(tokens), i_(range.begin), end_(range.end) {
    place = end_;
  }

  std::size_t name = kNone;
  std::size_t place;
  bool is_pack = false;
  bool is_auto = false;
  bool is_reference = false;
  bool is_pointer = false;
  bool is_constant_pointer = false;

  /// Reads on to the name or the place for one. Returns the token after it.
  std::size_t read() {
    while (i_ < end_ && name == kNone) {
      if (const std::size_t next = std::min(skip_attributes(t_, i_), end_); next != i_) {
        i_ = next;
      } else if (!step()) {
        break;
      }
    }
    return i_;
  }

 private:
  bool step() {
    if (is_cv(t_, i_)) return cv();
    if (t_.is(i_, '*') || t_.is(i_, '&') || t_.is(i_, "&&")) return pointer();
    if (t_.is(i_, "...")) return is_pack = true, ++i_, true;
    if (t_.is(i_, '[')) return place = i_, false;
    if (t_.is(i_, '(')) return group();
    if (t_.is(i_, '{')) return i_ = after_group(t_, i_), has_type_ = true, true;
    if (t_.is_identifier(i_) || t_.is(i_, "::")) return word();
    if (t_.is(i_, '=') || t_.is(i_, ':')) return place = i_, false;
    ++i_;
    return true;
  }

  bool cv() {
    if (is_pointer && t_.is(i_, "const")) is_constant_pointer = true;
    ++i_;
    return true;
  }

  bool pointer() {
    (t_.is(i_, '*') ? is_pointer : is_reference) = true;
    is_constant_pointer = false;
    has_type_ = true;
    ++i_;
    return true;
  }

  /// `(*name)(int)`, `(&name)[4]`; anything else in parentheses comes after a name that is missing.
  bool group() {
    const std::size_t close = std::min(t_.match(i_), end_);
    place = i_;
    if (!has_type_ || close == end_) return false;
    bool declarator = false;
    for (std::size_t i = i_ + 1; i < close; i = after_group(t_, i)) {
      const bool member_pointer = t_.is(i, "::") && t_.is(i + 1, '*');
      declarator |= t_.is(i, '*') || t_.is(i, '&') || t_.is(i, "&&") || member_pointer;
      if (declarator && t_.is(i, "...")) is_pack = true;
      if (t_.is(i, '*')) is_pointer = true;
      const bool suffix = t_.is(i, '(') || t_.is(i, '[');
      if (declarator && suffix && name != kNone) break;
      if (declarator && t_.is(i, '(')) return i_ = i, group();
      if (declarator && suffix) break;
      if (declarator && t_.is_identifier(i) && !is_cv(t_, i)) name = i;
    }
    if (declarator) place = close;
    i_ = close + 1;
    return false;
  }

  bool word() {
    if (is_type_key(t_, i_)) {
      ++i_;
      i_ = std::min(skip_attributes(t_, i_), end_);
      if (t_.is_identifier(i_) || t_.is(i_, "::")) type_name();
      return has_type_ = true;
    }
    if (is_type_operator(t_, i_)) {
      i_ = t_.is(i_ + 1, '(') ? after_group(t_, i_ + 1) : i_ + 1;
      return has_type_ = true;
    }
    if (is_builtin_type(t_, i_)) {
      is_auto |= t_.is(i_, "auto");
      ++i_;
      return has_type_ = true;
    }
    if (is_keyword(t_, i_)) return ++i_, true;
    if (has_type_ && t_.is_identifier(i_) && !member_pointer()) return name = i_++, true;
    type_name();
    return has_type_ = true;
  }

  /// `C::*` of `int C::*p`.
  bool member_pointer() const {
    std::size_t i = i_;
    while (t_.is_identifier(i) && t_.is(i + 1, "::")) i += 2;
    return i > i_ && t_.is(i, '*');
  }

  void type_name() {
    for (;;) {
      if (t_.is(i_, "::")) ++i_;
      if (t_.is(i_, "template")) ++i_;
      if (t_.is_identifier(i_)) ++i_;
      if (t_.is(i_, '<')) i_ = std::max(i_ + 1, after_item(t_, i_));
      if (!t_.is(i_, "::") || i_ >= end_) break;
    }
    i_ = std::min(i_, end_);
  }

  const Tokens& t_;
  std::size_t i_;
  std::size_t end_;
  bool has_type_ = false;
};

/// Where the default or initialiser of [begin, end) starts; else `end`.
std::size_t find_default(const Tokens& tokens, TokenRange range) {
  for (std::size_t i = range.begin; i < range.end;) {
    if (tokens.is(i, '=')) return i;
    const std::size_t next = after_item(tokens, i);
    i = next <= range.end ? next : i + 1;
  }
  return range.end;
}

Parameter read_template_parameter(const Tokens& tokens, TokenRange range) {
  const std::size_t end = find_default(tokens, range);
  Parameter parameter;
  parameter.declaration = {range.begin, end};
  std::size_t i = range.begin;
  if (tokens.is(i, "template") && tokens.is(i + 1, '<')) {
    const std::size_t close = angle_close(tokens, i + 1);
    if (close != kNone && close < end) i = close + 1;
  }
  const bool is_type = tokens.is(i, "typename") || tokens.is(i, "class");
  if (is_type && tokens.is(i + 1, "...")) {
    parameter.is_pack = true;
    ++i;
  }
  if (is_type && i + 2 >= end) {
    parameter.place = i + 1;
    if (i + 2 == end && tokens.is_identifier(i + 1)) parameter.name = i + 1;
    return parameter;
  }
  return read_parameter(tokens, range);
}

}  // namespace

Parameter read_parameter(const Tokens& tokens, TokenRange range) {
  Parameter parameter;
  parameter.declaration = {range.begin, find_default(tokens, range)};
  DeclaratorReader reader(tokens, parameter.declaration);
  reader.read();
  parameter.name = reader.name;
  parameter.place = reader.place;
  parameter.is_pack = reader.is_pack;
  parameter.is_auto = reader.is_auto;
  parameter.is_reference = reader.is_reference;
  return parameter;
}

std::vector<Parameter> read_parameters(const Tokens& tokens, TokenRange list) {
  std::vector<Parameter> parameters;
  if (list.end == list.begin + 1 && tokens.is(list.begin, "void")) return parameters;
  for (const TokenRange& range : split_commas(tokens, list.begin, list.end)) {
    if (range.empty() || (range.end == range.begin + 1 && tokens.is(range.begin, "..."))) continue;
    parameters.push_back(read_parameter(tokens, range));
  }
  return parameters;
}

std::vector<Parameter> read_template_parameters(const Tokens& tokens, TokenRange list) {
  std::vector<Parameter> parameters;
  for (const TokenRange& range : split_commas(tokens, list.begin, list.end)) {
    if (!range.empty()) parameters.push_back(read_template_parameter(tokens, range));
  }
  return parameters;
}

bool has_ellipsis(const Tokens& tokens, TokenRange list) {
  return !list.empty() && tokens.is(list.end - 1, "...") &&
         (list.end - 1 == list.begin || tokens.is(list.end - 2, ',') ||
          read_parameter(tokens, split_commas(tokens, list.begin, list.end - 1).back()).name != kNone);
}

std::vector<Declarator> read_declarators(const Tokens& tokens, TokenRange statement) {
  std::vector<Declarator> declarators;
  for (const TokenRange& range : split_commas(tokens, statement.begin, statement.end)) {
    Declarator declarator;
    declarator.range = range;
    DeclaratorReader reader(tokens, range);
    std::size_t after = reader.read();
    declarator.name = reader.name;
    if (reader.name == kNone && !declarators.empty()) {
      // Without specifiers the first identifier is the name.
      for (std::size_t i = range.begin; i < range.end && declarator.name == kNone; ++i) {
        if (tokens.is_identifier(i) && !is_keyword(tokens, i)) declarator.name = i;
      }
      after = declarator.name == kNone ? range.end : declarator.name + 1;
    }
    declarator.is_reference = reader.is_reference;
    declarator.is_pointer = reader.is_pointer;
    declarator.is_constant_pointer = reader.is_constant_pointer;
    after = std::min(skip_attributes(tokens, after), range.end);
    declarator.is_array = after < range.end && tokens.is(after, '[');
    declarator.is_function = after < range.end && tokens.is(after, '(') && tokens.is(after - 1, ')') == false;
    while (after < range.end && (tokens.is(after, '[') || tokens.is(after, '('))) {
      if (tokens.is(after, '(') && declarator.is_function) break;
      after = after_group(tokens, after);
    }
    after = std::min(skip_attributes(tokens, after), range.end);
    declarator.has_initialiser = after < range.end && (tokens.is(after, '=') || tokens.is(after, '{'));
    declarators.push_back(declarator);
  }
  return declarators;
}

}  // namespace warpfiber::translate

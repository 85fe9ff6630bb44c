// SPDX-License-Identifier: Apache-2.0
//
// References that take the place of variables with static storage: in which bodies they are declared, and which lambdas
// have to capture them; and which tokens are code of the device at all.
#include <algorithm>
#include <string>

#include "translate/parameters.hpp"
#include "translate/passes.hpp"

namespace warpfiber::translate {
namespace {

/// Whether token `i` names something that is neither a member nor qualified.
bool is_free_name(const Tokens& tokens, std::size_t i, std::string_view name) {
  if (!tokens.is_identifier(i) || !tokens.is(i, name)) return false;
  return i == 0 || !(tokens.is(i - 1, '.') || tokens.is(i - 1, "->") || tokens.is(i - 1, "::"));
}

bool mentions(const Tokens& tokens, Range range, std::string_view name) {
  for (std::size_t i = range.begin; i < range.end; ++i) {
    if (is_free_name(tokens, i, name)) return true;
  }
  return false;
}

bool declares(const std::vector<Parameter>& parameters, const Tokens& tokens, std::string_view name) {
  return std::any_of(parameters.begin(), parameters.end(),
                     [&](const Parameter& parameter) { return tokens.is(parameter.name, name); });
}

bool has_parameter(const Tokens& tokens, const Function& function, std::string_view name) {
  if (declares(read_parameters(tokens, {function.open + 1, function.close}), tokens, name)) return true;
  return std::any_of(function.templates.begin(), function.templates.end(),
                     [&](const Range& list) { return declares(read_template_parameters(tokens, list), tokens, name); });
}

/// Whether a `[` at `i` can begin an expression: not after an operand, a type or `operator`.
bool may_introduce(const Tokens& tokens, std::size_t i) {
  if (i == 0 || !tokens.is(i, '[') || tokens.is(i + 1, '[')) return false;
  const Token& before = tokens[i - 1];
  if (before.kind == TokenKind::identifier) {
    return is_keyword(tokens, i - 1) && !tokens.is(i - 1, "operator") && !tokens.is(i - 1, "delete");
  }
  return before.kind == TokenKind::punctuator && !tokens.is(i - 1, ')') && !tokens.is(i - 1, ']');
}

/// Adds `&name` to the captures of a lambda that does not capture it yet.
void capture(Program& program, const Lambda& lambda, std::string_view name) {
  const Tokens& tokens = program.tokens;
  const bool by_reference = tokens.is(lambda.open + 1, '&') && !tokens.is_identifier(lambda.open + 2);
  if (by_reference || !mentions(tokens, lambda.body, name)) return;
  if (declares(read_parameters(tokens, lambda.parameters), tokens, name)) return;
  for (const Range& item : split_commas(tokens, lambda.open + 1, lambda.close)) {
    if (tokens.is(item.begin, name) || tokens.is(item.begin + 1, name)) return;
  }
  const bool first = lambda.close == lambda.open + 1;
  program.edits.insert(program.begin_of(lambda.close), (first ? "&" : ", &") + std::string(name));
}

}  // namespace

Lambda read_lambda(const Tokens& tokens, std::size_t open) {
  Lambda lambda;
  lambda.open = open;
  lambda.close = tokens.match(open);
  if (!may_introduce(tokens, open) || lambda.close == kNone) return lambda;
  bool has_parameters = false;
  std::size_t i = lambda.close + 1;
  if (tokens.is(i, '<')) {
    const std::size_t close = angle_close(tokens, i);
    if (close == kNone) return lambda;
    i = close + 1;
  }
  for (; !tokens.is(i, '{'); i = after_item(tokens, i)) {
    if (tokens.is(i, '(') && !has_parameters && tokens.match(i) != kNone) {
      lambda.parameters = {i + 1, tokens.match(i)};
      has_parameters = true;
    } else if (is_attribute_word(tokens, i) && tokens.is(i + 1, '(')) {
      i = after_group(tokens, i + 1) - 1;
    } else if (!tokens.is(i, '(') && !tokens.is(i, '[') && !tokens.is(i, "->") && !tokens.is(i, "::") &&
               !tokens.is(i, '<') && !tokens.is(i, '*') && !tokens.is(i, '&') && !tokens.is_identifier(i)) {
      return lambda;
    }
  }
  if (tokens.match(i) != kNone) lambda.body = {i, tokens.match(i) + 1};
  return lambda;
}

Lambda device_lambda(const Tokens& tokens, std::size_t word) {
  if (tokens[word].word != Word::device || word == 0) return {};
  std::size_t before = word - 1;
  while (before > 0 && is_qualifier(tokens[before].word)) --before;
  if (!tokens.is(before, ']') || tokens.match(before) == kNone) return {};
  return read_lambda(tokens, tokens.match(before));
}

void capture_in_lambdas(Program& program, std::size_t begin, std::size_t end,
                        const std::vector<std::string_view>& names) {
  for (std::size_t i = begin; i < end; ++i) {
    if (!program.tokens.is(i, '[')) continue;
    const Lambda lambda = read_lambda(program.tokens, i);
    if (lambda.body.empty()) continue;
    for (const std::string_view name : names) capture(program, lambda, name);
  }
}

void refer_in_body(Program& program, const Function& function, const std::vector<Reference>& references) {
  std::string text;
  std::vector<std::string_view> names;
  for (const Reference& reference : references) {
    if (!mentions(program.tokens, function.body, reference.name)) continue;
    if (has_parameter(program.tokens, function, reference.name)) continue;
    text += " " + reference.declaration;
    names.push_back(reference.name);
  }
  if (names.empty()) return;
  const std::size_t begin = program.end_of(function.body.begin);
  program.edits.insert(begin, hiding(program.tokens, begin, text + " {"), kLayerReferences);
  program.edits.insert(program.begin_of(function.body.end - 1), "} ");
  capture_in_lambdas(program, function.body.begin, function.body.end, names);
}

bool is_in_device_function(const Program& program, std::size_t i) {
  const std::vector<Function>& functions = program.outline.functions;
  return std::any_of(functions.begin(), functions.end(), [i](const Function& function) {
    // The initialisers of a constructor stand before its body.
    const std::size_t begin = function.close != kNone ? function.close : function.body.begin;
    return function.qualifiers.on_device() && !function.body.empty() && begin < i && i < function.body.end;
  });
}

bool is_on_device(const Program& program, std::size_t i) {
  if (is_in_device_function(program, i)) return true;
  for (const std::size_t word : program.tokens.words()) {
    if (word > i) return false;
    const Range body = device_lambda(program.tokens, word).body;
    if (!body.empty() && body.begin < i && i < body.end) return true;
  }
  return false;
}

}  // namespace warpfiber::translate

// SPDX-License-Identifier: Apache-2.0
//
// References that take the place of variables with static storage: in which bodies they are declared, and which lambdas
// have to capture them; and which tokens are code of the device at all.
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "translate/passes.hpp"
#include "translate/text/parameters.hpp"

namespace warpfiber::translate {
namespace {

/// Whether token `i` names something that is neither a member nor qualified.
bool is_free_name(const Tokens& tokens, std::size_t i) {
  if (!tokens.is_identifier(i)) return false;
  return i == 0 || !(tokens.is(i - 1, '.') || tokens.is(i - 1, "->") || tokens.is(i - 1, "::"));
}

/// Those of the names that the tokens mention.
std::set<std::string_view> free_names(const Tokens& tokens, TokenRange range,
                                      const std::vector<std::string_view>& names) {
  const std::set<std::string_view> wanted(names.begin(), names.end());
  std::set<std::string_view> found;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    if (is_free_name(tokens, i) && wanted.contains(tokens.text(i))) found.insert(tokens.text(i));
  }
  return found;
}

std::set<std::string_view> parameter_names(const Tokens& tokens, const Function& function) {
  std::set<std::string_view> names;
  const auto add = [&](const std::vector<Parameter>& parameters) {
    for (const Parameter& parameter : parameters) names.insert(tokens.text(parameter.name));
  };
  add(read_parameters(tokens, {function.open + 1, function.close}));
  for (const TokenRange& list : function.templates) add(read_template_parameters(tokens, list));
  return names;
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

/// Whether the lambda has a parameter of the name, or captures it.
bool declares(const Tokens& tokens, const Lambda& lambda, std::string_view name) {
  for (const Parameter& parameter : read_parameters(tokens, lambda.parameters)) {
    if (tokens.is(parameter.name, name)) return true;
  }
  for (const TokenRange& item : split_commas(tokens, lambda.open + 1, lambda.close)) {
    if (tokens.is(item.begin, name) || tokens.is(item.begin + 1, name)) return true;
  }
  return false;
}

/// Adds `&name` to the captures of a lambda for those names that it mentions and does not capture yet.
void capture(TranslationUnit& program, const Lambda& lambda, const std::vector<std::string_view>& names) {
  const Tokens& tokens = program.tokens;
  const bool by_reference = tokens.is(lambda.open + 1, '&') && !tokens.is_identifier(lambda.open + 2);
  if (by_reference) return;
  const std::set<std::string_view> mentioned = free_names(tokens, lambda.body, names);
  for (const std::string_view name : names) {
    if (!mentioned.contains(name) || declares(tokens, lambda, name)) continue;
    const bool first = lambda.close == lambda.open + 1;
    program.edits.insert(program.begin_of(lambda.close), (first ? "&" : ", &") + std::string(name));
  }
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
  if (tokens[word].keyword != Keyword::device || word == 0) return {};
  std::size_t before = word - 1;
  while (before > 0 && is_qualifier(tokens[before].keyword)) --before;
  if (!tokens.is(before, ']') || tokens.match(before) == kNone) return {};
  return read_lambda(tokens, tokens.match(before));
}

void capture_in_lambdas(TranslationUnit& program, std::size_t begin, std::size_t end,
                        const std::vector<std::string_view>& names) {
  auto open = std::ranges::lower_bound(program.lambdas, begin);
  for (; open != program.lambdas.end() && *open < end; ++open)
    capture(program, read_lambda(program.tokens, *open), names);
}

void Visibility::count_mentions() {
  const Tokens& tokens = p_.tokens;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens.is(i, "namespace") && !tokens.is(i, "using")) continue;
    for (++i; tokens.is_identifier(i) || tokens.is(i, "::") || tokens.is(i, '='); ++i) {
      if (tokens.is_identifier(i)) ++mentions_[tokens.text(i)];
    }
    --i;
  }
}

TokenRange Visibility::of(const Declaration& declaration) {
  const TokenRange everywhere{declaration.end, p_.tokens.size()};
  const std::vector<EnclosingScope>& scopes = p_.outline.scopes;
  std::size_t id = declaration.scope;
  while (scopes[id].kind == ScopeKind::linkage) id = scopes[id].parent;
  const EnclosingScope& scope = scopes[id];
  if (scope.kind != ScopeKind::space || scope.name.empty() || p_.tokens.is(scope.begin, "inline")) return everywhere;
  if (mentions_.empty()) count_mentions();
  const auto mentions = mentions_.find(p_.tokens.text(scope.name.end - 1));
  const std::size_t close = p_.tokens.match(scope.open);
  const bool once = mentions != mentions_.end() && mentions->second == 1;
  return once && close != kNone ? TokenRange{declaration.end, close} : everywhere;
}

void References::add(Reference reference, TokenRange where) {
  const auto [place, is_new] = places_.try_emplace(reference.name, all_.size());
  if (is_new) all_.push_back({std::move(reference), {}});
  all_[place->second].where.push_back(where);
}

std::vector<const Reference*> References::mentioned(const Tokens& tokens, const Function& function,
                                                    std::size_t at) const {
  // A function that is defined outside of its namespace sees the names there.
  bool is_qualified = false;
  for (std::size_t i = function.name.begin; i < function.name.end; ++i) is_qualified |= tokens.is(i, "::");
  const auto is_known = [&](const TokenRange& where) { return where.begin <= at && (is_qualified || at < where.end); };
  std::set<std::size_t> places;
  for (std::size_t i = function.body.begin; i < function.body.end; ++i) {
    if (!is_free_name(tokens, i)) continue;
    const auto found = places_.find(tokens.text(i));
    if (found != places_.end() && std::ranges::any_of(all_[found->second].where, is_known))
      places.insert(found->second);
  }
  std::vector<const Reference*> references;
  for (const std::size_t place : places) references.push_back(&all_[place].reference);
  return references;
}

void refer_in_body(TranslationUnit& program, const Function& function, const References& references, std::size_t at) {
  const std::vector<const Reference*> mentioned = references.mentioned(program.tokens, function, at);
  if (mentioned.empty()) return;
  const std::set<std::string_view> parameters = parameter_names(program.tokens, function);
  std::string text;
  std::vector<std::string_view> names;
  for (const Reference* reference : mentioned) {
    if (parameters.contains(reference->name)) continue;
    text += " " + reference->declaration;
    names.push_back(reference->name);
  }
  if (names.empty()) return;
  const std::size_t begin = program.end_of(function.body.begin);
  program.edits.insert(begin, hiding(program.tokens, begin, text + " {"), kLayerReferences);
  program.edits.insert(program.begin_of(function.body.end - 1), "} ");
  capture_in_lambdas(program, function.body.begin, function.body.end, names);
}

std::vector<std::size_t> lambdas(const Tokens& tokens) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (may_introduce(tokens, i) && !read_lambda(tokens, i).body.empty()) found.push_back(i);
  }
  return found;
}

std::vector<TokenRange> device_functions(const Outline& outline) {
  std::vector<TokenRange> ranges;
  for (const Function& function : outline.functions) {
    if (!function.qualifiers.on_device() || function.body.empty()) continue;
    // The initialisers of a constructor stand before its body.
    ranges.push_back({(function.close != kNone ? function.close : function.body.begin) + 1, function.body.end});
  }
  return merged(std::move(ranges));
}

std::vector<TokenRange> with_device_lambdas(const Tokens& tokens, std::vector<TokenRange> ranges) {
  for (const std::size_t word : tokens.keywords()) {
    const TokenRange body = device_lambda(tokens, word).body;
    if (!body.empty()) ranges.push_back({body.begin + 1, body.end});
  }
  return merged(std::move(ranges));
}

bool is_in_device_function(const TranslationUnit& program, std::size_t i) {
  return cover(program.device_functions, i);
}

bool is_on_device(const TranslationUnit& program, std::size_t i) {
  return cover(program.device_code, i);
}

}  // namespace warpfiber::translate

// SPDX-License-Identifier: Apache-2.0
//
// Members that have the name of a type which their class uses up to there: `Kind Kind;`, `using Base = Base<T>;`,
// `typedef Base<T> Base;`. To the language the name has then changed its meaning, and g++ refuses what NVIDIA's front
// end and clang++ take. `struct`, `class`, `union` or `enum` before the type says that it is the type that is meant,
// whatever else has its name. An alias of the class around, as in `using Element = Element;`, is named with that class.
#include <algorithm>
#include <array>
#include <string>

#include "translate/passes.hpp"
#include "translate/text/walk.hpp"

namespace warpfiber::translate {
namespace {

constexpr std::array<std::string_view, 4> kKeys = {"struct", "class", "union", "enum"};

bool is_key(const Tokens& tokens, std::size_t i) {
  return std::find(kKeys.begin(), kKeys.end(), tokens.text(i)) != kKeys.end();
}

bool is_plain_name(const Tokens& tokens, std::size_t i) {
  return tokens.is_identifier(i) && tokens[i].keyword == Keyword::none;
}

bool ends_declarator(const Tokens& tokens, std::size_t i) {
  return tokens.is(i, ';') || tokens.is(i, '=') || tokens.is(i, '{') || tokens.is(i, '[') || tokens.is(i, '(') ||
         tokens.is(i, ',');
}

/// Whether a declaration may begin at token `i`, or behind specifiers with it.
bool begins_declaration(const Tokens& tokens, std::size_t i) {
  constexpr std::array<std::string_view, 9> kBefore = {";",       "{",      "}",         ":",      "static",
                                                       "mutable", "inline", "constexpr", "typedef"};
  return std::find(kBefore.begin(), kBefore.end(), tokens.text(i - 1)) != kBefore.end() || is_cv(tokens, i - 1);
}

/// The type that the declaration of the name at `i` uses under that name; kNone where it does not.
std::size_t type_of_its_name(const Tokens& tokens, std::size_t i) {
  if (tokens.is(i - 1, "using") && tokens.is(i + 1, '=')) {
    return tokens.is(i + 2, tokens.text(i)) ? i + 2 : kNone;
  }
  if (!ends_declarator(tokens, i + 1)) return kNone;
  std::size_t type = i - 1;
  while (type > 1 && (tokens.is(type, '*') || tokens.is(type, '&') || is_cv(tokens, type))) --type;
  if (tokens.is(type, '>')) {
    const std::size_t open = angle_open(tokens, type);
    if (open == kNone || open < 2) return kNone;
    type = open - 1;
  }
  return tokens.is(type, tokens.text(i)) && begins_declaration(tokens, type) ? type : kNone;
}

/// What the first declaration of a type called `name` before token `end` starts with; empty: there is none.
std::string_view key_of(const Tokens& tokens, std::string_view name, std::size_t end) {
  for (std::size_t i = 0; i < end; ++i) {
    if (!is_key(tokens, i) || tokens.is(i - 1, "enum")) continue;
    const bool scoped = tokens.is(i, "enum") && is_key(tokens, i + 1);
    const std::size_t named = skip_attributes(tokens, i + (scoped ? 2 : 1));
    const bool declares = tokens.is(named + 1, '{') || tokens.is(named + 1, ':') || tokens.is(named + 1, ';') ||
                          tokens.is(named + 1, "final");
    if (declares && tokens.is(named, name)) return tokens.text(i);
  }
  return {};
}

/// The brace of the class of which token `i` is in a member's declaration, neither in its body nor among its
/// parameters; kNone outside of classes.
std::size_t class_around(const Tokens& tokens, const Outline& all, std::size_t i) {
  std::size_t open = kNone;
  for (const EnclosingScope& scope : all.scopes) {
    if (scope.kind != ScopeKind::type || scope.open >= i || tokens.match(scope.open) == kNone) continue;
    if (tokens.match(scope.open) > i && (open == kNone || scope.open > open)) open = scope.open;
  }
  if (open == kNone) return kNone;
  std::size_t at = open + 1;
  while (at < i) at = tokens.is(at, '{') || tokens.is(at, '(') ? after_group(tokens, at) : at + 1;
  return at == i ? open : kNone;
}

/// Where the class whose brace is `open` stands in a class that calls a type `name` by an alias before it: what names
/// that alias whatever else has its name. Empty elsewhere.
std::string class_of_alias(const Tokens& tokens, const Outline& all, std::size_t open, std::string_view name) {
  const auto inner = std::ranges::find(all.scopes, open, &EnclosingScope::open);
  if (inner == all.scopes.end()) return {};
  const EnclosingScope& outer = all.scopes[inner->parent];
  if (outer.kind != ScopeKind::type) return {};
  std::size_t key = outer.begin;
  while (key < outer.open && !is_key(tokens, key)) {
    if (tokens.is(key, '<')) key = angle_close(tokens, key);
    if (key == kNone) return {};
    ++key;
  }
  const std::size_t named = skip_attributes(tokens, key + 1);
  if (!is_plain_name(tokens, named)) return {};
  for (std::size_t i = outer.open + 1; i < open; i = tokens.is(i, '{') ? after_group(tokens, i) : i + 1) {
    if (tokens.is(i, "using") && tokens.is(i + 1, name) && tokens.is(i + 2, '=')) {
      return "typename " + std::string(tokens.text(named)) + "::";
    }
  }
  return {};
}

/// Puts `prefix` before the type wherever the class uses it before its member `member`, and in the declaration of that.
void name_kind(TranslationUnit& program, std::size_t open, std::size_t member, const std::string& prefix) {
  const Tokens& tokens = program.tokens;
  const std::size_t end = std::min(find_mark(tokens, member, tokens.match(open), ';'), tokens.match(open));
  for (std::size_t i = open + 1; i < end; i = tokens.is(i, '{') ? after_group(tokens, i) : i + 1) {
    const bool other = i == member || !tokens.is(i, tokens.text(member)) || tokens.is(i + 1, "::");
    const bool qualified = tokens.is(i - 1, "::") || tokens.is(i - 1, '.') || tokens.is(i - 1, "->");
    if (!other && !qualified && !is_key(tokens, i - 1) && !tokens.is(i - 1, "typename")) {
      program.edits.insert(program.begin_of(i), prefix);
    }
  }
}

}  // namespace

void rewrite_reused_names(TranslationUnit& program) {
  const Tokens& tokens = program.tokens;
  std::vector<std::size_t> members;
  for (std::size_t i = 4; i < tokens.size(); ++i) {
    if (is_plain_name(tokens, i) && type_of_its_name(tokens, i) != kNone) members.push_back(i);
  }
  if (members.empty()) return;
  const Outline all = outline(tokens, true);
  for (const std::size_t member : members) {
    const std::size_t open = class_around(tokens, all, member);
    if (open == kNone) continue;
    const std::string alias = class_of_alias(tokens, all, open, tokens.text(member));
    const std::string_view key = alias.empty() ? key_of(tokens, tokens.text(member), member) : "";
    const std::string prefix = key.empty() ? alias : std::string(key) + " ";
    if (!prefix.empty()) name_kind(program, open, member, prefix);
  }
}

}  // namespace warpfiber::translate

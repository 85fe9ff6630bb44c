// SPDX-License-Identifier: Apache-2.0
//
// The outline has those functions only that have a word of CUDA's. The others are looked for by their names.
#include "translate/functions_by_name.hpp"

#include <algorithm>

#include "translate/text/parameters.hpp"
#include "translate/text/walk.hpp"

namespace warpfiber::translate {
namespace {

/// The last word of a function's name, without the arguments of a specialisation.
std::size_t last_word(const Tokens& tokens, const Function& function) {
  const std::size_t last = function.name.end - 1;
  if (!tokens.is(last, '>')) return last;
  const std::size_t open = angle_open(tokens, last);
  return open == kNone || open == 0 ? last : open - 1;
}

bool contains_word(const Tokens& tokens, TokenRange range, std::string_view word) {
  for (std::size_t i = range.begin; i < range.end; ++i) {
    if (tokens.is(i, word)) return true;
  }
  return false;
}

/// How many arguments a template needs; kNone where that is not known.
std::size_t arguments_of_template(const Tokens& tokens, TokenRange parameters) {
  if (parameters.empty()) return kNone;
  std::size_t needed = 0;
  for (const TokenRange& parameter : split_commas(tokens, parameters.begin, parameters.end)) {
    if (contains_word(tokens, parameter, "...")) return kNone;
    if (find_mark(tokens, parameter.begin, parameter.end, '=') == parameter.end) ++needed;
  }
  return needed;
}

/// The name of the namespace around token `i`, past those without a name and inline ones; empty: the file.
std::string_view space_around(const Tokens& tokens, std::size_t i) {
  for (std::size_t brace = enclosing_brace(tokens, i); brace != kNone; brace = enclosing_brace(tokens, brace)) {
    const bool is_named = tokens.is_identifier(brace - 1) && !tokens.is(brace - 1, "namespace");
    const bool is_inline = tokens.is(brace - 2, "namespace") && tokens.is(brace - 3, "inline");
    if (is_named && !is_inline) return tokens.text(brace - 1);
  }
  return {};
}

bool is_class_word(const Tokens& tokens, std::size_t i) {
  return tokens.is(i, "struct") || tokens.is(i, "class") || tokens.is(i, "union");
}

/// The name of the class whose members `brace` opens; empty where it opens none.
std::string_view class_opened_by(const Tokens& tokens, std::size_t brace) {
  std::size_t i = brace;
  while (i > 0 && !tokens.is(i - 1, ';') && !tokens.is(i - 1, '{') && !tokens.is(i - 1, '}')) {
    --i;
    if (tokens.is(i, ')') && tokens.match(i) != kNone) i = tokens.match(i);
    if (!is_class_word(tokens, i) || tokens.is(i - 1, '<') || tokens.is(i - 1, ',')) continue;
    std::size_t name = skip_attributes(tokens, i + 1);
    while (tokens.is(name + 1, "::")) name += 2;
    const bool opens = tokens.is(name + 1, '{') || tokens.is(name + 1, ':') || tokens.is(name + 1, '<') ||
                       tokens.is(name + 1, "final");
    return opens && tokens.is_identifier(name) ? tokens.text(name) : std::string_view();
  }
  return {};
}

}  // namespace

std::size_t begin_of_qualified_name(const Tokens& tokens, std::size_t name) {
  std::size_t begin = name;
  while (begin > 2 && tokens.is(begin - 1, "::")) {
    std::size_t scope = begin - 2;
    if (tokens.is(scope, '>')) {
      const std::size_t open = angle_open(tokens, scope);
      if (open == kNone || open == 0) break;
      scope = open - 1;
    }
    if (!tokens.is_identifier(scope) || is_keyword(tokens, scope)) break;
    begin = scope;
  }
  return begin > 0 && tokens.is(begin - 1, "::") ? begin - 1 : begin;
}

bool opens_namespace(const Tokens& tokens, std::size_t brace) {
  std::size_t before = brace - 1;
  if (tokens[before].kind == TokenKind::string) return tokens.is(before - 1, "extern");
  while (before > 0 && (tokens.is(before, "::") || (tokens.is_identifier(before) && !tokens.is(before, "namespace")))) {
    --before;
  }
  return tokens.is(before, "namespace");
}

bool is_behind_type(const Tokens& tokens, std::size_t i) {
  const auto ends_type = [&tokens](std::size_t at) {
    return (tokens.is_identifier(at) && !is_keyword(tokens, at)) || is_builtin_type(tokens, at) || tokens.is(at, '>');
  };
  const bool of_reference = tokens.is(i - 1, '&') || tokens.is(i - 1, "&&");
  return ends_type(i - 1) || tokens.is(i - 1, '*') || (of_reference && (ends_type(i - 2) || tokens.is(i - 2, "const")));
}

FunctionsByName::FunctionsByName(const TranslationUnit& program) : p_(program), t_(program.tokens) {
  Visibility visibility(program);
  for (const Function& function : p_.outline.functions) add(function, visibility);
  look_for_others();
  if (!classes_.empty()) look_for_other_types();
}

bool FunctionsByName::none() const {
  const auto may_be_meant = [](const auto& named) {
    return named.second.are_of_one_kind || (named.second.are_apart && !named.second.of_device.empty());
  };
  return std::ranges::none_of(functions_, may_be_meant) && std::ranges::none_of(members_, may_be_meant);
}

void FunctionsByName::add(const Function& function, Visibility& visibility) {
  const std::size_t word = last_word(t_, function);
  const std::string_view name = t_.text(word);
  declared_.insert(word);
  const bool is_member = p_.outline.in_class(function) && !function.is_friend;
  // A member that is defined outside of its class has been declared in it.
  if (!is_member && t_.is(word - 1, "::") && word > function.name.begin) return;
  const std::string_view around =
      is_member ? class_opened_by(t_, p_.outline.scopes[function.scope].open) : std::string_view();
  if (is_member) classes_.insert(around);
  NamedFunctions& all = is_member ? members_[{around, name}] : functions_[name];
  const bool is_first = all.parameters.empty();
  const std::string parameters = flat_text(t_, function.open, function.close);
  const bool on_host = function.qualifiers.has(Keyword::host);
  if (is_first) {
    all.parameters = parameters;
    all.on_host = on_host;
  }
  const bool is_static = !is_member || contains_word(t_, {function.specifiers, function.name.begin}, "static");
  const bool fits = function.qualifiers.has(Keyword::device) && all.on_host == on_host && is_static;
  all.are_of_one_kind = all.are_of_one_kind && fits && !function.is_friend;
  all.are_one = all.are_one && all.parameters == parameters;
  if (!function.templates.empty() || last_word(t_, function) + 1 != function.name.end) {
    const std::size_t needed =
        function.templates.empty() ? kNone : arguments_of_template(t_, function.templates.back());
    all.are_templates = true;
    all.arguments = std::max(all.arguments, needed);
  }
  if (is_member) return;
  const bool of_device = function.qualifiers.has(Keyword::device);
  all.are_apart = all.are_apart && !function.is_friend && !all.are_templates && !(of_device && on_host) &&
                  !function.qualifiers.has(Keyword::global) && !locate(t_, p_.begin_of(function.begin)).system;
  const std::string_view space = space_around(t_, function.begin);
  if (!of_device) {
    all.of_host.push_back({space, {0, t_.size()}});
    return;
  }
  all.of_device.push_back(&function);
  all.known.push_back(visibility.of(function));
  all.spaces.insert(space);
}

/// Functions of the host alone may have the same name.
void FunctionsByName::look_for_others() {
  if (functions_.empty() && members_.empty()) return;
  std::set<std::string_view> used;  // namespaces whose names are known without them
  for (std::size_t i = 0; !t_.ends(i); ++i) {
    const bool uses = t_.is(i, "using") && t_.is(i + 1, "namespace") && !locate(t_, p_.begin_of(i)).system;
    for (std::size_t name = i + 2; uses && !t_.is(name, ';') && !t_.ends(name); ++name) used.insert(t_.text(name));
    if (t_.is(i, "using") && !uses) look_at_using(i);
  }
  std::set<std::string_view> names_in_classes;
  for (const auto& [name, all] : members_) names_in_classes.insert(name.second);
  for (std::size_t i = 1; !t_.ends(i); ++i) {
    if (!t_.is_identifier(i) || !t_.is(i + 1, '(') || declared_.contains(i) || !is_behind_type(t_, i)) continue;
    if (names_in_classes.contains(t_.text(i)) || functions_.contains(t_.text(i))) look_at_declaration(i, used);
  }
}

/// `using cpu::twice;`
void FunctionsByName::look_at_using(std::size_t word) {
  std::size_t name = word + 1;
  while (t_.is(name, "::") || (t_.is_identifier(name) && t_.is(name + 1, "::"))) ++name;
  const auto found = functions_.find(t_.text(name));
  if (!t_.is(name + 1, ';') || found == functions_.end()) return;
  if (!found->second.spaces.contains(t_.text(name - 2))) found->second.of_host.push_back({{}, {0, t_.size()}});
  found->second.are_apart = false;
}

/// In a header of the system those count that are in no namespace but used ones.
void FunctionsByName::look_at_declaration(std::size_t name, const std::set<std::string_view>& used) {
  const bool is_system = locate(t_, p_.begin_of(name)).system;
  const std::size_t innermost = enclosing_brace(t_, name);
  for (std::size_t outer = innermost; outer != kNone; outer = enclosing_brace(t_, outer)) {
    if (!opens_namespace(t_, outer)) {
      const auto member = members_.find({class_opened_by(t_, innermost), t_.text(name)});
      if (member != members_.end()) member->second.are_of_one_kind = false;
      return;
    }
    if (is_system && !t_.is(outer - 1, "namespace") && !t_.text(outer - 1).starts_with('_') &&
        !used.contains(t_.text(outer - 1)) && t_[outer - 1].kind != TokenKind::string)
      return;
  }
  const auto found = functions_.find(t_.text(name));
  if (found == functions_.end()) return;
  const std::string_view space = space_around(t_, name);
  const bool is_in_space = innermost != kNone && t_.is(innermost - 1, space) && t_.match(innermost) != kNone;
  const bool is_apart = is_in_space && !space.empty() && !used.contains(space);
  found->second.of_host.push_back(
      {space, is_apart ? TokenRange{innermost, t_.match(innermost)} : TokenRange{0, t_.size()}});
}

/// A class's name may also be that of a template's parameter, or of another type.
void FunctionsByName::look_for_other_types() {
  const auto forget = [this](std::string_view name) {
    for (auto& [in_class, all] : members_) {
      if (in_class.first == name) all.are_of_one_kind = false;
    }
  };
  for (std::size_t i = 1; !t_.ends(i); ++i) {
    if (!t_.is_identifier(i) || !classes_.contains(t_.text(i))) continue;
    const bool is_parameter = (t_.is(i - 1, "class") || t_.is(i - 1, "typename")) &&
                              (t_.is(i + 1, ',') || t_.is(i + 1, '>') || t_.is(i + 1, '=') || t_.is(i + 1, "..."));
    const bool is_alias = t_.is(i - 1, "using") && t_.is(i + 1, '=');
    const bool is_defined = t_.is(i + 1, ';') && !is_class_word(t_, i - 1) && is_behind_type(t_, i);
    if (is_parameter || is_alias || is_defined) forget(t_.text(i));
  }
}

const NamedFunctions* FunctionsByName::meant(std::size_t use) const {
  const auto found = functions_.find(t_.text(use));
  const std::size_t begin = begin_of_qualified_name(t_, use);
  if (begin != use && begin + 1 != use) {
    const std::size_t before = use - 2;
    const std::string_view scope = t_.text(t_.is(before, '>') ? angle_open(t_, before) - 1 : before);
    const auto member = members_.find({scope, t_.text(use)});
    if (member != members_.end()) return member->second.are_of_one_kind ? &member->second : nullptr;
    if (found == functions_.end() || !found->second.are_of_one_kind || classes_.contains(scope)) return nullptr;
    const auto is_there = [scope](const NamedFunctions::OfHostAlone& other) { return other.space == scope; };
    const bool is_one = found->second.spaces.contains(scope) && std::ranges::none_of(found->second.of_host, is_there);
    return is_one ? &found->second : nullptr;
  }
  if (found == functions_.end() || !found->second.are_of_one_kind) return nullptr;
  const NamedFunctions& all = found->second;
  if (begin != use) {
    const auto is_there = [](const NamedFunctions::OfHostAlone& other) { return other.space.empty(); };
    if (t_.is(use - 2, '>')) return nullptr;
    return all.spaces.contains("") && std::ranges::none_of(all.of_host, is_there) ? &all : nullptr;
  }
  const auto has = [use](const TokenRange& where) { return where.begin <= use && use < where.end; };
  const bool may_be_of_host = std::ranges::any_of(all.of_host, [&](const auto& other) { return has(other.known); });
  return !may_be_of_host && std::ranges::any_of(all.known, has) ? &all : nullptr;
}

/// All are in one namespace, so that none of them hides the others.
const NamedFunctions* FunctionsByName::may_be_meant(std::size_t use) const {
  const auto found = functions_.find(t_.text(use));
  if (found == functions_.end() || !found->second.are_apart || found->second.spaces.size() != 1) return nullptr;
  const NamedFunctions& all = found->second;
  const std::string_view space = *all.spaces.begin();
  if (std::ranges::any_of(all.of_host, [space](const auto& other) { return other.space != space; })) return nullptr;
  const std::size_t begin = begin_of_qualified_name(t_, use);
  if (begin != use) return (begin + 1 == use ? space.empty() : t_.is(use - 2, space)) ? &all : nullptr;
  bool is_inside = space.empty();
  for (std::size_t brace = enclosing_brace(t_, use); brace != kNone; brace = enclosing_brace(t_, brace)) {
    is_inside = is_inside || (t_.is(brace - 1, space) && opens_namespace(t_, brace));
  }
  const auto is_behind = [use](const Function* function) { return function->end <= use; };
  return is_inside && std::ranges::any_of(all.of_device, is_behind) ? &all : nullptr;
}

}  // namespace warpfiber::translate

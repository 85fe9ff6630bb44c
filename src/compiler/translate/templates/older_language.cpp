// SPDX-License-Identifier: Apache-2.0
//
// What C++17 allows and C++20 does not, in programs that were written for the older one: constructors and destructors
// whose name repeats the template's arguments (`A<T>() {}` in `template <class T> class A`), and classes that are
// aggregates although they declare their constructors, all defaulted. Those declarations go where the implicit ones
// mean the same. Headers of the system know every language.
#include <algorithm>

#include "translate/passes.hpp"
#include "translate/text/walk.hpp"

namespace warpfiber::translate {
namespace {

/// The name of the class that `scope` is the body of; kNone without one.
std::size_t class_name(const Tokens& tokens, const EnclosingScope& scope) {
  std::size_t i = scope.begin;
  while (i < scope.open && !tokens.is(i, "struct") && !tokens.is(i, "class") && !tokens.is(i, "union")) {
    i = tokens.is(i, "template") ? after_item(tokens, i + 1) : i + 1;
  }
  i = skip_attributes(tokens, i + 1);
  return i < scope.open && tokens.is_identifier(i) ? i : kNone;
}

/// The arguments behind the last name of a constructor or destructor, in a class of name `name` or, of a destructor,
/// outside of it; empty where it has none.
TokenRange repeated_arguments(const Tokens& tokens, const Function& function, std::size_t name) {
  std::size_t last = function.name.begin;
  while (last < function.name.end && !tokens.is(last, '~')) ++last;
  const bool is_destructor = last < function.name.end;
  last = is_destructor ? last + 1 : function.name.begin;
  if (!is_destructor && (name == kNone || tokens.text(last) != tokens.text(name))) return {};
  if (!tokens.is(last + 1, '<')) return {};
  const std::size_t close = angle_close(tokens, last + 1);
  return close != kNone && close + 1 == function.open ? TokenRange{last + 1, close + 1} : TokenRange{};
}

bool is_assignment(const Tokens& tokens, const Function& function) {
  return tokens.is(function.name.begin, "operator") && tokens.is(function.name.begin + 1, '=') &&
         function.name.end == function.name.begin + 2;
}

bool takes_rvalue(const Tokens& tokens, const Function& function) {
  for (std::size_t i = function.open + 1; i < function.close; ++i) {
    if (tokens.is(i, "&&")) return true;
  }
  return false;
}

bool is_defaulted(const Tokens& tokens, const Function& function) {
  return function.body.empty() && function.end >= 3 && tokens.is(function.end - 2, "default") &&
         tokens.is(function.end - 3, '=');
}

/// Whether a member that begins at `member` is public.
bool is_public(const Tokens& tokens, const EnclosingScope& scope, std::size_t name, std::size_t member) {
  bool is_public = !tokens.is(name - 1, "class");
  for (std::size_t i = scope.open + 1; i < member; i = after_group(tokens, i)) {
    if (tokens.is(i, "public") && tokens.is(i + 1, ':')) is_public = true;
    if ((tokens.is(i, "private") || tokens.is(i, "protected")) && tokens.is(i + 1, ':')) is_public = false;
  }
  return is_public;
}

/// Takes the tokens away but for qualifiers, which go anyway.
void erase(TranslationUnit& program, TokenRange range) {
  const Tokens& tokens = program.tokens;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    if (!is_qualifier(tokens[i].keyword)) program.edits.replace(program.begin_of(i), program.end_of(i), "");
  }
}

/// The constructors of one class.
struct Constructors {
  std::vector<const Function*> defaulted;
  bool only_defaulted = true;
  bool copies = false;
  bool moves = false;
  bool assigns_by_move = false;
  bool has_others = false;  // any assignment or a destructor

  void add(const Tokens& tokens, const Function& function) {
    const bool is_explicit = tokens.is(function.name.begin - 1, "explicit");
    only_defaulted = only_defaulted && is_defaulted(tokens, function) && function.templates.empty() && !is_explicit;
    const bool takes_another = function.open + 1 != function.close && !tokens.is(function.open + 1, "void");
    copies = copies || (takes_another && !takes_rvalue(tokens, function));
    moves = moves || takes_rvalue(tokens, function);
    defaulted.push_back(&function);
  }

  /// Next to an assignment that moves there is no implicit copy, next to any assignment or destructor no implicit move.
  bool may_go() const { return only_defaulted && !(copies && assigns_by_move) && !(moves && has_others); }
};

}  // namespace

void rewrite_older_language(TranslationUnit& program) {
  if (!program.options.older_language) return;
  const Tokens& tokens = program.tokens;
  const Outline all = outline(tokens, true);
  std::vector<Constructors> constructors(all.scopes.size());
  LineCursor where(tokens);
  for (const Function& function : all.functions) {
    const EnclosingScope& scope = all.scopes[function.scope];
    const bool assigns = is_assignment(tokens, function);
    Constructors& around = constructors[function.scope];
    around.has_others = around.has_others || assigns || tokens.is(function.name.begin, '~');
    around.assigns_by_move = around.assigns_by_move || (assigns && takes_rvalue(tokens, function));
    if (!function.is_special_member || where.at(program.begin_of(function.begin)).system) continue;
    const std::size_t name = scope.kind == ScopeKind::type ? class_name(tokens, scope) : kNone;
    if (const TokenRange arguments = repeated_arguments(tokens, function, name); !arguments.empty())
      erase(program, arguments);
    if (name == kNone || !tokens.is(function.name.begin, tokens.text(name))) continue;
    Constructors& of_class = constructors[function.scope];
    of_class.add(tokens, function);
    of_class.only_defaulted = of_class.only_defaulted && is_public(tokens, scope, name, function.begin);
  }
  for (const Constructors& of_class : constructors) {
    if (!of_class.may_go()) continue;
    for (const Function* function : of_class.defaulted) erase(program, {function->begin, function->end - 1});
  }
}

}  // namespace warpfiber::translate

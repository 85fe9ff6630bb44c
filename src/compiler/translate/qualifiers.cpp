// SPDX-License-Identifier: Apache-2.0
//
// Qualifiers have done their work when the declarations are known: their tokens go, and blanks of CUDA's own spelling
// stay, so that columns are the user's.
#include <algorithm>
#include <string>

#include "translate/passes.hpp"
#include "translate/text/walk.hpp"

namespace warpfiber::translate {
namespace {

/// Within the parentheses of __attribute__((...)) or behind gnu:: the name is the compiler's.
bool is_attribute_name(const Tokens& tokens, std::size_t i) {
  if (i == 0) return false;
  if (tokens.is(i - 1, "::")) return true;
  std::size_t before = i - 1;
  while (before > 0 && (tokens.is(before, ',') || tokens.is_identifier(before) || tokens.is(before, ')'))) {
    before = tokens.is(before, ')') && tokens.match(before) != kNone ? tokens.match(before) - 1 : before - 1;
  }
  return tokens.is(before, '(') && before > 1 && tokens.is(before - 1, '(') &&
         (tokens.is(before - 2, "__attribute__") || tokens.is(before - 2, "__attribute"));
}

void drop(TranslationUnit& program, std::size_t i) {
  const Tokens& tokens = program.tokens;
  const Token& token = tokens[i];
  std::string blank(token.end - token.begin - kOurPart.size(), ' ');
  std::size_t end = token.end;
  if (has_arguments(token.keyword) && tokens.is(i + 1, '(') && tokens.match(i + 1) != kNone) {
    end = program.end_of(tokens.match(i + 1));
    blank += line_breaks(tokens, token.end, end);
  }
  program.edits.replace(token.begin, end, blank);
}

/// `inline __forceinline__` has said inline twice when the header's macro is expanded.
void drop_second_inline(TranslationUnit& program, const Function& function) {
  const Tokens& tokens = program.tokens;
  bool seen = false;
  for (std::size_t i = function.specifiers; i < function.name.begin; i = after_item(tokens, i)) {
    if (!tokens.is(i, "inline") && !tokens.is(i, "__inline__") && !tokens.is(i, "__inline")) continue;
    if (seen) program.edits.replace(program.begin_of(i), program.end_of(i), std::string(tokens.text(i).size(), ' '));
    seen = true;
  }
}

void check(TranslationUnit& program, const Function& function) {
  if (function.qualifiers.has(Keyword::global)) return;
  for (const Keyword word : {Keyword::launch_bounds, Keyword::maxnreg, Keyword::cluster_dims, Keyword::block_size}) {
    if (!function.qualifiers.has(word)) continue;
    std::size_t i = function.begin;
    while (program.tokens[i].keyword != word) ++i;
    std::string name(program.tokens.text(i));
    name.erase(2, kOurPart.size());
    program.error(i, name + " is only allowed on a __global__ function");
  }
  for (std::size_t i = function.open; i < function.close; ++i) {
    if (program.tokens[i].keyword != Keyword::grid_constant) continue;
    program.error(i, "__grid_constant__ annotation is only allowed on a parameter of a __global__ function");
  }
}

/// The first qualifier of `variable` that says where a variable is stored, if it is the declaration of variables and
/// nothing else: what is in parentheses may be the parameters of a function.
std::size_t storage_qualifier(const Tokens& tokens, const VariableDeclaration& variable) {
  std::size_t found = kNone;
  for (std::size_t i = variable.specifiers; i < variable.end; i = after_group(tokens, i)) {
    if (tokens.is(i, '=') || tokens.is(i, '{')) break;
    if (tokens.is(i, '(') && !is_attribute_word(tokens, i - 1)) return kNone;
    const Keyword word = tokens[i].keyword;
    const bool stores =
        word == Keyword::shared || word == Keyword::constant || word == Keyword::device || word == Keyword::managed;
    if (stores && found == kNone) found = i;
  }
  return found;
}

void check(TranslationUnit& program, const VariableDeclaration& variable) {
  if (!program.outline.in_class(variable) || !variable.is_static) return;
  const std::size_t qualifier = storage_qualifier(program.tokens, variable);
  if (qualifier != kNone) program.error(qualifier, "memory qualifier on data member is not allowed");
}

}  // namespace

void drop_qualifiers(TranslationUnit& program) {
  for (const std::size_t i : program.tokens.keywords()) {
    const Keyword word = program.tokens[i].keyword;
    if (is_qualifier(word)) drop(program, i);
    if (word == Keyword::noinline && !is_attribute_name(program.tokens, i)) {
      program.edits.replace(program.begin_of(i), program.end_of(i), "__attribute__((noinline))");
    }
  }
  for (const Function& function : program.outline.functions) {
    drop_second_inline(program, function);
    check(program, function);
  }
  for (const VariableDeclaration& variable : program.outline.variables) check(program, variable);
}

}  // namespace warpfiber::translate

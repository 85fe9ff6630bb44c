// SPDX-License-Identifier: Apache-2.0
//
// Declarations of functions that a header has declared already, as programs have them to please an editor:
// `__device__ int atomicAdd(int*, int);`, `void __syncthreads();`, `int min(int, int);`. In CUDA's headers these are
// plain functions, which may be declared again. Here they have one more parameter with a default, are constexpr or
// throw nothing, so that a second declaration would be another function, or a wrong one. It goes: it says nothing new.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "translate/passes.hpp"
#include "translate/text/walk.hpp"

namespace warpfiber::translate {
namespace {

struct TypedParameter {
  std::string type;  // without names, in one spelling for each type
  bool has_default = false;
};

/// `unsigned long int` and `long unsigned` are one type, and so are `signed` and `int`.
std::string spelled(std::vector<std::string_view> words) {
  const auto has = [&](std::string_view word) { return std::find(words.begin(), words.end(), word) != words.end(); };
  if (!has("char"))
    std::erase_if(words, [](std::string_view word) { return word == "signed" || word == "__signed__"; });
  if (has("unsigned") || has("long") || has("short")) std::erase(words, "int");
  if (words.empty()) words.push_back("int");
  std::sort(words.begin(), words.end());
  std::string text;
  for (const std::string_view word : words) text += std::string(word) + " ";
  return text;
}

/// Nothing where the parameter is more than a type with pointers, references or an array, and perhaps a name.
std::optional<TypedParameter> read_typed_parameter(const Tokens& tokens, TokenRange range) {
  TypedParameter parameter;
  std::vector<std::string_view> builtin;
  std::string named, declarator;
  bool is_const = false;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    if (tokens.is(i, '=')) {
      parameter.has_default = true;
      break;
    }
    const bool in_declarator = !declarator.empty();
    if (tokens.is(i, '[') && tokens.match(i) != kNone) {
      declarator += "*";
      i = tokens.match(i);
    } else if (tokens.is(i, '*') || tokens.is(i, '&') || tokens.is(i, "&&")) {
      declarator += tokens.text(i);
    } else if (tokens.is(i, "const") && !in_declarator) {
      is_const = true;
    } else if (is_cv(tokens, i) || tokens.is(i, "struct")) {
      continue;
    } else if (is_builtin_type(tokens, i) && !in_declarator) {
      builtin.push_back(tokens.text(i));
    } else if (tokens.is_identifier(i) || tokens.is(i, "::")) {
      const bool goes_on = tokens.is(i, "::") || tokens.is(i - 1, "::");
      if (!in_declarator && builtin.empty() && (named.empty() || goes_on)) named += tokens.text(i);
    } else {
      return std::nullopt;
    }
  }
  if (named.empty() && builtin.empty()) return std::nullopt;
  parameter.type = (is_const && !declarator.empty() ? "const " : "") + (named.empty() ? spelled(builtin) : named);
  parameter.type += declarator;
  return parameter;
}

std::optional<std::vector<TypedParameter>> read_typed_parameters(const Tokens& tokens, const Function& function) {
  std::vector<TypedParameter> parameters;
  if (tokens.is(function.open + 1, "void") && function.open + 2 == function.close) return parameters;
  for (const TokenRange range : split_commas(tokens, function.open + 1, function.close)) {
    std::optional<TypedParameter> parameter = read_typed_parameter(tokens, range);
    if (!parameter) return std::nullopt;
    parameters.push_back(std::move(*parameter));
  }
  return parameters;
}

bool is_template_parameter(const Tokens& tokens, const Function& function, std::string_view type) {
  for (const TokenRange range : function.templates) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if (tokens.is(i, type)) return true;
    }
  }
  return false;
}

/// Whether a declaration with these parameters says again what the definition has said. Of our own functions, which end
/// with the place of the call, a template stands for the functions of CUDA's that it takes the place of.
bool repeats(const Tokens& tokens, const Function& definition, const std::vector<TypedParameter>& wanted) {
  auto parameters = read_typed_parameters(tokens, definition);
  if (!parameters) return false;
  const bool is_ours = !parameters->empty() && parameters->back().type == "warpfiber::Site";
  if (is_ours) parameters->pop_back();
  if (parameters->size() != wanted.size() || (!is_ours && !definition.templates.empty())) return false;
  for (std::size_t n = 0; n < wanted.size(); ++n) {
    const std::string& type = (*parameters)[n].type;
    if (wanted[n].has_default) return false;
    if (type != wanted[n].type && !is_template_parameter(tokens, definition, type)) return false;
  }
  return true;
}

bool is_global(const Outline& all, const Declaration& declaration) {
  std::size_t scope = declaration.scope;
  while (all.scopes[scope].kind == ScopeKind::linkage) scope = all.scopes[scope].parent;
  return all.scopes[scope].kind == ScopeKind::file;
}

bool is_plain_declaration(const Tokens& tokens, const Function& function) {
  return function.body.empty() && function.templates.empty() && !function.is_friend && !function.is_special_member &&
         function.name.end == function.name.begin + 1 && tokens.is(function.end - 1, ';') &&
         function.close + 2 == function.end;
}

/// Whether token `i` may be the name in a declaration of a function that has no body: `type name(...);`.
bool looks_like_declaration(const Tokens& tokens, std::size_t i) {
  if (!tokens.is_identifier(i) || !tokens.is(i + 1, '(') || tokens.match(i + 1) == kNone) return false;
  if (!tokens.is(tokens.match(i + 1) + 1, ';')) return false;
  const bool after_type = tokens.is_identifier(i - 1) && (!is_keyword(tokens, i - 1) || is_cv(tokens, i - 1));
  return after_type || tokens.is(i - 1, '*');
}

/// Whether the name at token `i` may be that of a function with a body.
bool looks_like_definition(const Tokens& tokens, std::size_t i) {
  const std::size_t close = tokens.is(i + 1, '(') ? tokens.match(i + 1) : kNone;
  return close != kNone &&
         (tokens.is(close + 1, '{') || (tokens.is(close + 1, "noexcept") && tokens.is(close + 2, '{')));
}

void sort_unique(std::vector<std::string_view>& names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
}

/// The names of functions that seem to be declared and to have a body, sorted.
std::vector<std::string_view> names_of_both(const Tokens& tokens) {
  std::vector<std::string_view> declared;
  LineCursor where(tokens);
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    if (looks_like_declaration(tokens, i) && !where.at(tokens[i].begin).system) declared.push_back(tokens.text(i));
  }
  sort_unique(declared);
  std::vector<std::string_view> both;
  for (std::size_t i = 1; !declared.empty() && i + 1 < tokens.size(); ++i) {
    if (!looks_like_definition(tokens, i)) continue;
    if (std::binary_search(declared.begin(), declared.end(), tokens.text(i))) both.push_back(tokens.text(i));
  }
  sort_unique(both);
  return both;
}

}  // namespace

void drop_redeclarations(TranslationUnit& program) {
  const Tokens& tokens = program.tokens;
  const std::vector<std::string_view> names = names_of_both(tokens);
  if (names.empty()) return;
  const Outline all = outline(tokens, true);
  std::map<std::string_view, std::vector<const Function*>> definitions;
  for (const Function& function : all.functions) {
    const bool named = std::binary_search(names.begin(), names.end(), tokens.text(function.name.begin));
    if (!named || !is_global(all, function)) continue;
    std::vector<const Function*>& its = definitions[tokens.text(function.name.begin)];
    if (!function.body.empty()) its.push_back(&function);
    const auto parameters =
        is_plain_declaration(tokens, function) ? read_typed_parameters(tokens, function) : std::nullopt;
    const bool again = parameters && std::ranges::any_of(its, [&](const Function* definition) {
                         return repeats(tokens, *definition, *parameters);
                       });
    if (!again) continue;
    for (std::size_t i = function.begin; i + 1 < function.end; ++i) {
      if (!is_qualifier(tokens[i].keyword)) program.edits.replace(program.begin_of(i), program.end_of(i), "");
    }
  }
}

}  // namespace warpfiber::translate

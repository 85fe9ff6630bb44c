// SPDX-License-Identifier: Apache-2.0
//
// `static const T limit = T(9.5);` in a template of T. C++ lets only integers and enumerations have their value there,
// and so does the host's half of nvcc where the host uses the template; NVIDIA's front end lets code of the device have
// any. As an inline variable it may be of any type.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "translate/passes.hpp"
#include "translate/text/parameters.hpp"

namespace warpfiber::translate {
namespace {

/// Whether the brace opens a class template with a parameter of this name.
bool opens_template_of(const Tokens& tokens, std::size_t brace, std::string_view name) {
  std::size_t begin = brace;
  while (begin > 0 && !tokens.is(begin - 1, ';') && !tokens.is(begin - 1, '{') && !tokens.is(begin - 1, '}')) --begin;
  while (begin < brace && !tokens.is(begin, "template")) ++begin;
  const std::size_t close = tokens.is(begin + 1, '<') ? angle_close(tokens, begin + 1) : kNone;
  if (close == kNone || close > brace) return false;
  if (!tokens.is(close + 1, "struct") && !tokens.is(close + 1, "class")) return false;
  const std::vector<Parameter> parameters = read_template_parameters(tokens, {begin + 2, close});
  return std::any_of(parameters.begin(), parameters.end(),
                     [&](const Parameter& parameter) { return tokens.is(parameter.name, name); });
}

/// Where members of class templates are defined outside of their class, by name: the last place of each.
std::map<std::string_view, std::size_t> definitions(const Tokens& tokens) {
  std::map<std::string_view, std::size_t> last;
  for (std::size_t i = 2; i < tokens.size(); ++i) {
    if (!tokens.is(i + 1, ';') || !tokens.is(i - 1, "::") || !tokens.is(i - 2, '>')) continue;
    const std::size_t open = angle_open(tokens, i - 2);
    if (open == kNone || open < 2) continue;
    // A type stands before the class, an operator or `return` where the member is used.
    if (tokens.is_identifier(open - 2) && !is_keyword(tokens, open - 2)) last[tokens.text(i)] = i;
  }
  return last;
}

}  // namespace

void rewrite_static_members(TranslationUnit& program) {
  const Tokens& tokens = program.tokens;
  if (tokens.source().find("static const ") == std::string_view::npos) return;
  const std::map<std::string_view, std::size_t> defined = definitions(tokens);
  // What is defined outside of its class may not be inline.
  const auto is_defined_later = [&](std::size_t i) {
    const auto found = defined.find(tokens.text(i));
    return found != defined.end() && found->second > i;
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool is_member = tokens.is(i, "static") && tokens.is(i + 1, "const") && tokens.is_identifier(i + 2) &&
                           tokens.is_identifier(i + 3) && tokens.is(i + 4, '=');
    if (!is_member || is_keyword(tokens, i + 2)) continue;
    const std::size_t brace = enclosing_brace(tokens, i);
    if (brace == kNone || !opens_template_of(tokens, brace, tokens.text(i + 2))) continue;
    if (locate(tokens, program.begin_of(i)).system || is_defined_later(i + 3)) continue;
    program.edits.insert(program.end_of(i), " inline");
  }
}

}  // namespace warpfiber::translate

// SPDX-License-Identifier: Apache-2.0
//
// What host code constructs with `new`, perhaps in memory that kernels access. Functions of both sides are left alone:
// a kernel's objects are right. So are headers of the system, and types in which a pointer or reference is made.
#include <string>
#include <string_view>

#include "translate/passes.hpp"
#include "translate/text/lines.hpp"

namespace warpfiber::translate {
namespace {

struct NewExpression {
  TokenRange tokens;
  bool is_array = false;
};

bool is_elaborated(const Tokens& tokens, std::size_t i) {
  for (const char* word : {"typename", "struct", "class", "template", "const", "volatile"}) {
    if (tokens.is(i, word)) return true;
  }
  return false;
}

/// Behind a class's name, `const a::B<int>::C`, that begins at `i`; kNone where none does.
std::size_t after_class_name(const Tokens& tokens, std::size_t i) {
  while (is_elaborated(tokens, i)) ++i;
  bool is_name = false;
  for (;; ++i) {
    if (tokens.is(i, "::") || (is_elaborated(tokens, i) && tokens.is(i - 1, "::"))) continue;
    if (is_name && !tokens.is(i - 1, "::") && !tokens.is(i - 1, "template")) break;
    if (!tokens.is_identifier(i) || is_keyword(tokens, i) || is_builtin_type(tokens, i)) return kNone;
    is_name = true;
    if (!tokens.is(i + 1, '<')) continue;
    i = angle_close(tokens, i + 1);
    if (i == kNone) return kNone;
  }
  while (is_cv(tokens, i)) ++i;
  return i;
}

/// The expression of the `new` at `i`; empty where it makes no objects of a class, or that cannot be seen.
NewExpression read_new(const Tokens& tokens, std::size_t i) {
  std::size_t at = i + 1;
  if (tokens.is(at, '(')) at = tokens.match(at);
  if (at == kNone) return {};
  if (tokens.is(at, ')')) ++at;
  at = after_class_name(tokens, at);
  if (at == kNone || tokens.is(at, '*') || tokens.is(at, '&') || tokens.is(at, "&&")) return {};
  NewExpression found{{tokens.is(i - 1, "::") ? i - 1 : i, at}, tokens.is(at, '[')};
  while (tokens.is(at, '[') && tokens.match(at) != kNone) at = tokens.match(at) + 1;
  if ((tokens.is(at, '(') || tokens.is(at, '{')) && tokens.match(at) != kNone) at = tokens.match(at) + 1;
  found.tokens.end = at;
  return found;
}

}  // namespace

void mark_host_objects(TranslationUnit& program) {
  const Tokens& tokens = program.tokens;
  // Headers of ours come first, and are no headers of the system where Warpfiber is not installed.
  const std::size_t declared = tokens.source().find(" built_by_host(");
  const std::size_t begin = declared == std::string_view::npos ? 0 : declared;
  for (const std::size_t i : tokens.keywords()) {
    if (i < 1 || program.begin_of(i) < begin || tokens[i].keyword != Keyword::heap || !tokens.is(i, "new") ||
        tokens.is(i - 1, "operator"))
      continue;
    if (is_on_device(program, i) || locate(tokens, program.begin_of(i)).system) continue;
    const NewExpression found = read_new(tokens, i);
    if (found.tokens.empty()) continue;
    const std::string call =
        std::string("::warpfiber::cuda::built_by_host<") + (found.is_array ? "true" : "false") + ">(";
    program.edits.insert(program.begin_of(found.tokens.begin), call);
    program.edits.insert(program.end_of(found.tokens.end - 1), ")");
  }
}

}  // namespace warpfiber::translate

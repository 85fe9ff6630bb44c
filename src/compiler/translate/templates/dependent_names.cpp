// SPDX-License-Identifier: Apache-2.0
//
// `A<T>::cast<3>(x)` without `template` before `cast`: in functions of the device NVIDIA's front end reads it as the
// call that was meant, where another compiler reads comparisons. Types among the arguments, and calls without any, are
// errors for NVIDIA's too. Only where no blank stands around the angles: nobody writes a chain of comparisons like
// that.
#include <algorithm>

#include "translate/passes.hpp"
#include "translate/text/walk.hpp"

namespace warpfiber::translate {
namespace {

/// The arguments begin with something, so that a chain of comparisons could be read, and are no types.
bool has_values(const Tokens& tokens, std::size_t open, std::size_t close) {
  if (close <= open + 1) return false;
  for (std::size_t i = open + 1; i < close; i = after_group(tokens, i)) {
    if (is_builtin_type(tokens, i) || tokens.is(i, "typename")) return false;
    if (tokens.is(i, "&&") || tokens.is(i, "||") || tokens.is(i, '?') || tokens.is(i, '=')) return false;
  }
  return true;
}

bool is_call_of_template(const Tokens& tokens, std::size_t name) {
  if (!tokens.is(name + 1, '<') || !tokens.touches_next(name)) return false;
  const std::size_t close = angle_close(tokens, name + 1);
  if (close == kNone || !tokens.touches_next(close) || !tokens.is(close + 1, '(')) return false;
  return tokens.match(close + 1) != close + 2 && has_values(tokens, name + 1, close);
}

bool contains(const Tokens& tokens, TokenRange range, std::string_view name) {
  for (std::size_t i = range.begin; i < range.end; ++i) {
    if (tokens.is(i, name)) return true;
  }
  return false;
}

bool declares_alias(const Tokens& tokens, TokenRange range, std::string_view name) {
  for (std::size_t i = range.begin; i + 1 < range.end; ++i) {
    if (tokens.is(i, "using") && tokens.is(i + 1, name)) return true;
  }
  return false;
}

/// What names around a place in a function may mean.
class NameScope {
 public:
  NameScope(const TranslationUnit& program, const Function& function)
      : tokens_(program.tokens), body_(function.body), parameters_(function.templates) {
    for (std::size_t at = function.scope; at != 0; at = program.outline.scopes[at].parent) {
      const EnclosingScope& scope = program.outline.scopes[at];
      if (scope.kind != ScopeKind::type) continue;
      classes_.push_back({scope.open, function.body.begin});
      if (tokens_.is(scope.begin, "template")) parameters_.push_back({scope.begin, scope.open});
    }
  }

  bool is_template() const { return !parameters_.empty(); }

  /// Whether `name` is a member of a template-id, of a template's parameter or of an object.
  bool is_member(std::size_t name) const {
    if (name < 2 || !tokens_.is_identifier(name)) return false;
    if (tokens_.is(name - 1, '.') || tokens_.is(name - 1, "->")) return true;
    return tokens_.is(name - 1, "::") && (tokens_.is(name - 2, '>') || may_depend(name - 2));
  }

 private:
  /// Whether the name `i` is a parameter, the class, or another name for a type: no namespace.
  bool may_depend(std::size_t i) const {
    const std::string_view name = tokens_.text(i);
    if (!tokens_.is_identifier(i)) return false;
    const auto has = [&](TokenRange range) { return contains(tokens_, range, name); };
    const auto names = [&](TokenRange range) { return declares_alias(tokens_, range, name); };
    return std::any_of(parameters_.begin(), parameters_.end(), has) ||
           std::any_of(classes_.begin(), classes_.end(), names) || names({body_.begin, i});
  }

  const Tokens& tokens_;
  TokenRange body_;
  std::vector<TokenRange> parameters_;  // with the names of class templates
  std::vector<TokenRange> classes_;     // from the brace to the function
};

}  // namespace

void rewrite_dependent_names(TranslationUnit& program) {
  for (const Function& function : program.outline.functions) {
    if (!function.qualifiers.on_device() || function.body.empty()) continue;
    const NameScope scope(program, function);
    if (!scope.is_template()) continue;
    for (std::size_t i = function.body.begin; i < function.body.end; ++i) {
      if (is_call_of_template(program.tokens, i) && scope.is_member(i))
        program.edits.insert(program.begin_of(i), "template ");
    }
  }
}

}  // namespace warpfiber::translate

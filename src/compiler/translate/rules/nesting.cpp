// SPDX-License-Identifier: Apache-2.0
//
// Statements, brackets and scopes that are nested deeper than passes and compilers can follow: an error says where,
// instead of an overflow of the stack.
#include <string>
#include <vector>

#include "translate/passes.hpp"

namespace warpfiber::translate {
namespace {

constexpr std::size_t kDeepestNesting = 2000;  // statements and brackets; programs have fewer by far

class Nesting {
 public:
  explicit Nesting(const Tokens& tokens) : t_(tokens) {}

  /// The first token that is nested too deep, or kNone.
  std::size_t too_deep() {
    for (std::size_t i = 0; i < t_.size(); ++i) {
      step(i);
      if (open_.size() > kDeepestNesting) return i;
    }
    return kNone;
  }

 private:
  enum class What { bracket, branch, other };

  void step(std::size_t i) {
    const Token& token = t_[i];
    if (token.kind == TokenKind::identifier) return word(i);
    if (token.kind != TokenKind::punctuator || token.end != token.begin + 1 || t_.match(i) == kNone) {
      if (t_.is(i, ';')) end_statement(i);
      return;
    }
    if (t_.match(i) > i) return open_.push_back(What::bracket);
    while (!open_.empty() && open_.back() != What::bracket) open_.pop_back();
    if (!open_.empty()) open_.pop_back();
    if (t_.is(i, '}')) end_statement(i);
  }

  /// What controls a statement. `else if` is one chain, however long.
  void word(std::size_t i) {
    if (t_.is(i, "if")) {
      open_.push_back(What::branch);
    } else if (t_.is(i, "for") || t_.is(i, "while") || t_.is(i, "switch") || t_.is(i, "do")) {
      open_.push_back(What::other);
    } else if (t_.is(i, "else") && !t_.is(i + 1, "if")) {
      open_.push_back(What::other);
    }
  }

  /// The statement that ends with token `i` ends those that control it, as far as no `else` follows.
  void end_statement(std::size_t i) {
    const bool goes_on = t_.is(i + 1, "else");
    while (!open_.empty() && open_.back() != What::bracket) {
      const bool is_branch = open_.back() == What::branch;
      open_.pop_back();
      if (goes_on && is_branch) return;
    }
  }

  const Tokens& t_;
  std::vector<What> open_;
};

}  // namespace

void refuse_deep_nesting(TranslationUnit& program) {
  const std::size_t deep = Nesting(program.tokens).too_deep();
  if (deep != kNone) {
    program.error(deep,
                  "statements and brackets are nested more than " + std::to_string(kDeepestNesting) + " deep here");
  }
  if (program.outline.too_deep != kNone) {
    program.error(program.outline.too_deep,
                  "namespaces and classes are nested more than " + std::to_string(Outline::kDeepest) + " deep here");
  }
}

}  // namespace warpfiber::translate

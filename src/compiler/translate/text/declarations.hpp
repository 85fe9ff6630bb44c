// SPDX-License-Identifier: Apache-2.0
//
// The functions and variables that CUDA's qualifiers stand on, found at namespace and class scope without a parse of
// C++: brackets are matched, specifiers skipped, and a declaration is a function when a parameter list follows its
// name. Declarations that have none of the translator's words are stepped over.
#pragma once

#include <cstddef>
#include <vector>

#include "translate/text/tokens.hpp"
#include "translate/text/walk.hpp"

namespace warpfiber::translate {

/// A set of Words.
class Qualifiers {
 public:
  void add(Keyword word) { bits_ |= 1U << static_cast<unsigned>(word); }
  bool has(Keyword word) const { return (bits_ >> static_cast<unsigned>(word) & 1U) != 0; }
  bool on_device() const { return has(Keyword::global) || has(Keyword::device); }
  bool none() const { return bits_ == 0; }

 private:
  unsigned bits_ = 0;
};

enum class ScopeKind { file, space, linkage, type };

/// A namespace, an extern "C" block or a class, open around a declaration.
struct EnclosingScope {
  ScopeKind kind = ScopeKind::file;
  TokenRange name;            // of a namespace: `a::b`; may be empty
  std::size_t parent;         // in Outline::scopes; of the file itself: 0
  std::size_t begin = kNone;  // the first token of its declaration
  std::size_t open = kNone;   // its brace
};

/// What functions and variables have in common.
struct Declaration {
  Qualifiers qualifiers;
  std::size_t scope = 0;              // in Outline::scopes
  std::size_t begin = kNone;          // the first token, `template` too
  std::size_t end = kNone;            // past the last one: `;` or `}`
  std::vector<TokenRange> templates;  // the parameters of each `template <...>`, without the angles
  std::size_t specifiers = kNone;     // the first token after those
};

struct Function : Declaration {
  TokenRange name;            // `k`, `ns::k`, `k<float>`, `operator()`
  std::size_t open = kNone;   // ( of the parameters
  std::size_t close = kNone;  // )
  TokenRange body;            // { and past }; empty without a body
  bool is_friend = false;
  bool is_constexpr = false;
  bool is_special_member = false;  // constructor, destructor, conversion: nothing stands before the name
};

struct VariableDeclaration : Declaration {
  bool is_extern = false;
  bool is_static = false;
  bool is_constant = false;  // const or constexpr in the specifiers
};

struct Outline {
  std::vector<EnclosingScope> scopes{{ScopeKind::file, {}, 0}};
  std::vector<Function> functions;
  std::vector<VariableDeclaration> variables;
  static constexpr int kDeepest = 200;  // scopes within scopes; nobody writes more
  std::size_t too_deep = kNone;         // the first token in deeper ones, which are not looked at

  bool in_class(const Declaration& declaration) const { return scopes[declaration.scope].kind == ScopeKind::type; }
};

/// Every function at namespace and class scope that has words of the translator and every variable with a qualifier, in
/// the order of the text; with `everything` those without, too, and types and aliases as variables.
Outline outline(const Tokens& tokens, bool everything = false);

}  // namespace warpfiber::translate

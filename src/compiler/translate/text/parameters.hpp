// SPDX-License-Identifier: Apache-2.0
//
// The names that a list of parameters declares, of functions and of templates, and where a name goes that was left out.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "translate/text/tokens.hpp"
#include "translate/text/walk.hpp"

namespace warpfiber::translate {

struct Parameter {
  TokenRange declaration;     // without a default
  std::size_t name = kNone;   // the token; kNone where it has no name
  std::size_t place = kNone;  // the token before which a name goes
  bool is_pack = false;
  bool is_auto = false;  // auto stands for its type
  bool is_reference = false;

  /// The name as a declaration of `is_pack` uses it in a call: `args...`.
  std::string as_argument(const std::string& spelling) const { return is_pack ? spelling + "..." : spelling; }
};

/// The parameter that [begin, end) declares.
Parameter read_parameter(const Tokens& tokens, TokenRange range);

/// The parameters of a function between its parentheses; none for `(void)`. A C ellipsis is no parameter.
std::vector<Parameter> read_parameters(const Tokens& tokens, TokenRange list);

/// The parameters between the angles of `template <...>`.
std::vector<Parameter> read_template_parameters(const Tokens& tokens, TokenRange list);

/// Whether the list ends in an ellipsis of C: `(int a, ...)`.
bool has_ellipsis(const Tokens& tokens, TokenRange list);

/// The names that declarators of a statement `T a, b[4], *c = x` declare; kNone where one has none.
struct Declarator {
  TokenRange range;          // of the first one: with the specifiers
  std::size_t name = kNone;  // the token
  bool has_initialiser = false;
  bool is_function = false;  // a parameter list follows its name
  bool is_array = false;
  bool is_reference = false;
  bool is_constant_pointer = false;  // `*const`
  bool is_pointer = false;
};
std::vector<Declarator> read_declarators(const Tokens& tokens, TokenRange statement);

}  // namespace warpfiber::translate

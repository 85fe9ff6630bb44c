// SPDX-License-Identifier: Apache-2.0
//
// Statements of a function's body as far as brackets and keywords distinguish them, and which of them are barriers.
#pragma once

#include <cstddef>

#include "translate/text/tokens.hpp"
#include "translate/text/walk.hpp"

namespace warpfiber::translate {

enum class CompoundKind { none, branch, loop, choice };

/// `if (c) s`, `for (...) s` and the like.
struct Compound {
  CompoundKind kind = CompoundKind::none;
  bool is_constexpr = false;
  bool is_once = false;           // do s while (0);
  TokenRange condition;           // between the parentheses
  std::size_t body = kNone;       // the first token of the statement it controls
  std::size_t otherwise = kNone;  // of the statement behind `else`
};

/// What the statement at token `i` is, if it is compound and no block.
Compound read_compound(const Tokens& tokens, std::size_t i);

/// Past the labels at `i`: `case x:`, `default:`, `name:`.
std::size_t skip_labels(const Tokens& tokens, std::size_t i);

/// The token after the statement at `i`.
std::size_t past_statement(const Tokens& tokens, std::size_t i);

/// The first token of the compound statement whose body begins at `i`, or of the block that it opens; kNone for a body
/// behind `else`, and for anything else.
std::size_t head_of(const Tokens& tokens, std::size_t i);

/// Whether tokens [begin, end) say of any memory that it is read anew each time.
bool mentions_reread(const Tokens& tokens, std::size_t begin, std::size_t end);

/// `=`, `+=` and the others.
bool is_assignment(const Tokens& tokens, std::size_t i);

/// Whether the statement at `i` is a call that lanes of a warp meet at: __syncthreads(), __syncwarp(), g.sync().
bool is_barrier(const Tokens& tokens, std::size_t i);

}  // namespace warpfiber::translate

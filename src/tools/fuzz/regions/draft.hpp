// SPDX-License-Identifier: Apache-2.0
// A random kernel while it is drawn: what has been written, and what may be written next. Its texts come from the rules
// of grammar.cpp, in the order in which they stand in the text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/fuzz/program/drawing.hpp"

namespace warpfiber::tools::fuzz {

/// For which threads the flow of control is uniform at a statement: those of the block that have not returned, those of
/// each warp, or none but itself. Only the first may meet at barriers, and only the first two in collectives of warps.
enum class Uniform { block, warp, lane };

/// A loop around the next statement, or a branch in it.
struct Around {
  bool is_loop = false;
  Uniform uniform = Uniform::block;
};

/// What of a draft is the kernel's or the function's that is being written.
struct DraftBody {
  std::vector<std::string> lines;
  std::vector<std::string> uniforms{"u0", "u1"};  // names of variables that all threads of the block agree on
  std::vector<Around> around;                     // from the innermost loop on
  unsigned depth = 1;
  unsigned left = 0;           // statements
  unsigned loops = 0;          // around the next statement
  bool is_function = false;    // which the kernel calls
  bool has_returned = false;   // some thread, or none
  bool may_have_left = false;  // those of a part of a warp, before the next statement
};

class KernelDraft {
 public:
  /// `mistakes`: some barriers and collectives stand where not all come that take part. `matrices`: warps have
  /// operations on matrices.
  KernelDraft(std::uint64_t seed, bool mistakes, bool matrices);

  /// A text that stands for the rule.
  std::string drawn(std::string_view rule);
  /// The text with what its "@(...)" stand for.
  std::string expanded(std::string_view text);
  /// Adds these lines to the body.
  void write(const std::string& text);
  std::string new_name();

  Drawing& drawing() { return drawing_; }
  bool has_mistakes() const { return has_mistakes_; }
  bool has_matrices() const { return has_matrices_; }
  const std::string& name() const { return name_; }

  DraftBody body;
  std::vector<std::string> functions;  // names of those that may be called
  unsigned function_count = 0;
  std::vector<std::string> written;  // lines of the functions
  unsigned threads = 0;              // of a block

 private:
  struct DrawnNames;
  std::string drawn(std::string_view rule, DrawnNames& names);
  std::string expanded(std::string_view text, DrawnNames& names);
  unsigned number(std::string_view word) const;

  Drawing drawing_;
  bool has_mistakes_;
  bool has_matrices_;
  std::string name_;
  unsigned names_ = 0;
};

/// The name of the rule for texts that are uniform so: "block_condition", "warp_condition", …
std::string rule_for(Uniform uniform, std::string_view rule);

// What a random kernel is written of: rules, each with the texts that may stand for it. In a text, "@(NAME)" stands for
// another rule and "@(3..9)" for a number. "@(new)" is a new name of a variable, which the rest of the text calls
// "@(same)", and "@(let NAME)" what it calls "@(kept)". Some names depend on the kernel so far (draft.cpp).

struct KernelText {
  std::string_view text;
  unsigned weight = 1;
};

/// The texts that may stand for a rule; none: there is no such rule.
std::span<const KernelText> texts_of(std::string_view rule);

/// Writes statements, with branches, switches, loops and calls that hold others, until as many are there as the body is
/// to have.
void write_statements(KernelDraft& draft);

/// Writes what kernels and functions begin with: where the thread is.
void write_position(KernelDraft& draft);

}  // namespace warpfiber::tools::fuzz

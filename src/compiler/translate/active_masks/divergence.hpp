// SPDX-License-Identifier: Apache-2.0
//
// Where in a function's body lanes of a warp may have come apart: in and after a branch or loop whose condition may
// differ from lane to lane. A barrier brings them together again, and so does nothing else: what a compiler or a device
// does after a branch is not promised. Names are followed and not types, so this is a guess that fits common text.
// Pure.
#pragma once

#include <cstddef>
#include <set>
#include <string_view>
#include <vector>

#include "translate/text/tokens.hpp"
#include "translate/text/walk.hpp"

namespace warpfiber::translate {

/// What is known where a body begins.
struct LanesAtBegin {
  std::set<std::string_view> varying;  // names of what may differ from lane to lane
  bool are_apart = false;

  friend bool operator==(const LanesAtBegin&, const LanesAtBegin&) = default;
};

class Divergence {
 public:
  Divergence(const Tokens& tokens, TokenRange body) : t_(tokens), body_(body) {}

  void follow(const LanesAtBegin& begin);

  /// Whether lanes that come to token `i` of the body may be without others that are on the way there.
  bool is_apart(std::size_t i) const { return i - body_.begin < diverged_.size() && diverged_[i - body_.begin]; }
  /// Whether the value of an expression may differ from lane to lane.
  bool is_varying(TokenRange expression) const;

 private:
  bool list(TokenRange statements, bool inside, bool diverged);
  bool statement(std::size_t i, std::size_t end, bool inside, bool diverged);
  bool branch(std::size_t i, bool inside, bool diverged);
  bool loop(std::size_t i, bool inside, bool diverged);
  bool controlled(std::size_t i, bool inside, bool diverged);
  void groups_in(TokenRange expression, bool inside, bool diverged);
  void note(TokenRange tokens, bool inside, bool diverged);
  void note_assignment(std::size_t at, TokenRange within, bool inside);
  std::size_t assigned_name(std::size_t at) const;
  bool leaves(std::size_t i) const;

  const Tokens& t_;
  TokenRange body_;
  std::set<std::string_view> varying_;
  std::vector<bool> diverged_;
  bool left_loop_ = false;  // some lanes have left the loop that is looked at, or this pass of it
};

/// The condition that decides whether the loop at `i` goes on, in the parentheses of its head.
TokenRange test_of_loop(const Tokens& tokens, std::size_t i, TokenRange head);

}  // namespace warpfiber::translate

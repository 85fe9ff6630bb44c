// SPDX-License-Identifier: Apache-2.0
//
// Walks through the statements in the order of the text, until no further name turns out to vary.
#include "translate/active_masks/divergence.hpp"

#include <algorithm>
#include <utility>

#include "translate/text/statements.hpp"

namespace warpfiber::translate {
namespace {

// Words by which a value is one of the lane's own.
constexpr std::string_view kOfLane[] = {"threadIdx", "thread_rank", "thread_index",  "laneid",
                                        "laneId",    "lane_id",     "LaneId",        "warpLaneId",
                                        "clock",     "clock64",     "__lanemask_lt", "globaltimer"};

constexpr std::string_view kLeavingWords[] = {"return", "break", "continue"};

template <class Words>
bool is_one_of(const Words& words, std::string_view word) {
  return std::ranges::find(words, word) != std::end(words);
}

}  // namespace

TokenRange test_of_loop(const Tokens& tokens, std::size_t i, TokenRange head) {
  if (!tokens.is(i, "for")) return head;
  const std::size_t first = find_mark(tokens, head.begin, head.end, ';');
  if (first == head.end) return {};  // over a range
  return {first + 1, find_mark(tokens, first + 1, head.end, ';')};
}

void Divergence::follow(const LanesAtBegin& begin) {
  constexpr int kMostRounds = 6;
  varying_ = begin.varying;
  diverged_.assign(body_.end - body_.begin, false);
  for (int round = 0; round < kMostRounds; ++round) {
    const std::size_t known = varying_.size();
    list(body_, false, begin.are_apart);
    if (varying_.size() == known) return;
  }
}

bool Divergence::is_varying(TokenRange expression) const {
  for (std::size_t i = expression.begin; i < expression.end; ++i) {
    if (!t_.is_identifier(i)) continue;
    const std::string_view word = t_.text(i);
    if (is_one_of(kOfLane, word) || word.starts_with("atomic")) return true;
    const bool is_member = i > expression.begin && (t_.is(i - 1, '.') || t_.is(i - 1, "->"));
    if (!is_member && varying_.contains(word)) return true;
  }
  return false;
}

bool Divergence::list(TokenRange statements, bool inside, bool diverged) {
  for (std::size_t i = statements.begin; i < statements.end;) {
    i = skip_attributes(t_, skip_labels(t_, i));
    if (i >= statements.end) break;
    const std::size_t next = std::max(past_statement(t_, i), i + 1);
    diverged = statement(i, std::min(next, statements.end), inside, diverged);
    i = next;
  }
  return diverged;
}

/// Whether lanes may be apart behind the statement.
bool Divergence::statement(std::size_t i, std::size_t end, bool inside, bool diverged) {
  if (t_.is(i, '{') && t_.match(i) != kNone) {
    note({i, i + 1}, inside, diverged);
    return list({i + 1, t_.match(i)}, inside, diverged);
  }
  switch (read_compound(t_, i).kind) {
    case CompoundKind::branch:
    case CompoundKind::choice: return branch(i, inside, diverged);
    case CompoundKind::loop: return loop(i, inside, diverged);
    case CompoundKind::none: break;
  }
  note({i, end}, inside, diverged);
  groups_in({i, end}, inside, diverged);
  if (inside && (t_.is(i, "break") || t_.is(i, "continue"))) left_loop_ = true;
  return is_barrier(t_, i) ? inside : diverged;
}

bool Divergence::branch(std::size_t i, bool inside, bool diverged) {
  const Compound read = read_compound(t_, i);
  const bool varies = !read.is_constexpr && is_varying(read.condition);
  note(read.condition, inside, diverged);
  bool behind = controlled(read.body, inside || varies, diverged);
  if (read.otherwise != kNone) {
    behind = controlled(read.otherwise, inside || varies, diverged) || behind;
  } else {
    // Lanes that go on have all taken the same way past those that leave.
    if (read.kind == CompoundKind::branch && leaves(read.body)) return diverged;
    behind = behind || diverged;
  }
  return behind || varies;
}

bool Divergence::loop(std::size_t i, bool inside, bool diverged) {
  const Compound read = read_compound(t_, i);
  const bool left = std::exchange(left_loop_, false);
  note(read.condition, inside, diverged);
  const bool varies = !read.is_once && is_varying(test_of_loop(t_, i, read.condition));
  bool behind = controlled(read.body, inside || varies, diverged);
  // The second pass begins as the first ends.
  if ((behind || left_loop_) && !diverged && !varies) behind = controlled(read.body, inside, true);
  behind = behind || varies || left_loop_;
  left_loop_ = left;
  return behind;
}

bool Divergence::controlled(std::size_t i, bool inside, bool diverged) {
  const std::size_t first = skip_attributes(t_, i);
  return statement(first, past_statement(t_, first), inside, diverged);
}

/// The bodies of lambdas.
void Divergence::groups_in(TokenRange expression, bool inside, bool diverged) {
  for (std::size_t i = expression.begin; i < expression.end; ++i) {
    const std::size_t close = t_.is(i, '{') ? t_.match(i) : kNone;
    if (close == kNone || close > expression.end) continue;
    list({i + 1, close}, inside, diverged);
    i = close;
  }
}

/// `return;`, `{ ...; break; }`
bool Divergence::leaves(std::size_t i) const {
  i = skip_attributes(t_, i);
  if (!t_.is(i, '{')) return is_one_of(kLeavingWords, t_.text(i));
  const std::size_t close = t_.match(i);
  for (std::size_t at = i + 1; close != kNone && at < close;) {
    const std::size_t next = std::max(past_statement(t_, at), at + 1);
    if (next >= close) return is_one_of(kLeavingWords, t_.text(at));
    at = next;
  }
  return false;
}

void Divergence::note(TokenRange tokens, bool inside, bool diverged) {
  for (std::size_t i = tokens.begin; i < tokens.end; ++i) {
    if (inside || diverged) diverged_[i - body_.begin] = true;
    const bool steps = t_.is(i, "++") || t_.is(i, "--");
    if (is_assignment(t_, i) || (steps && inside)) note_assignment(i, tokens, inside);
    // `const int lane(threadIdx.x)`, `int lane{threadIdx.x}`
    const bool opens = t_.is(i, '(') || t_.is(i, '{');
    if (opens && i > tokens.begin + 1 && t_.is_identifier(i - 1) && t_.is_identifier(i - 2) && !is_keyword(t_, i - 2) &&
        t_.match(i) != kNone && is_varying({i + 1, t_.match(i)}))
      varying_.insert(t_.text(i - 1));
  }
}

void Divergence::note_assignment(std::size_t at, TokenRange within, bool inside) {
  const std::size_t name = assigned_name(at);
  if (name == kNone) return;
  const std::size_t end = std::min(find_mark(t_, at + 1, within.end, ';'), find_mark(t_, at + 1, within.end, ','));
  // What is declared in a branch is of its lanes only, and the same for them.
  const bool is_declared = name > within.begin && t_.is_identifier(name - 1) && !t_.is(name - 1, "return");
  if ((inside && !is_declared) || is_varying({at + 1, end})) varying_.insert(t_.text(name));
}

/// `x = ...`, `x.y = ...`, `++x`; what an element or a pointer leads to has its name from others.
std::size_t Divergence::assigned_name(std::size_t at) const {
  if (at == 0 || at <= body_.begin) return kNone;
  std::size_t name = at - 1;
  if (!t_.is_identifier(name)) {
    return t_.is_identifier(at + 1) && !t_.is(name, ']') && !is_assignment(t_, at) ? at + 1 : kNone;
  }
  while (name > body_.begin + 1 && t_.is(name - 1, '.') && t_.is_identifier(name - 2)) name -= 2;
  const bool is_reached =
      t_.is(name - 1, "->") || t_.is(name - 1, '.') || (t_.is(name - 1, '*') && !t_.is_identifier(name - 2));
  return is_reached ? kNone : name;
}

}  // namespace warpfiber::translate

// SPDX-License-Identifier: Apache-2.0
//
// Reads statement by statement, and expressions token by token: every call has to be one that is known, every
// assignment one to a variable of the function.
#include "translate/lock_step/idle_text.hpp"

#include <algorithm>
#include <utility>

#include "translate/lock_step/idle_words.hpp"

namespace warpfiber::translate {
namespace {

/// The conditions of all compound statements in `text`, with the other parts of the heads of loops.
std::vector<TokenRange> conditions_in(const Tokens& tokens, TokenRange text) {
  std::vector<TokenRange> all;
  for (std::size_t i = text.begin; i < text.end; ++i) {
    if (!tokens.is_identifier(i)) continue;
    const bool controls = tokens.is(i, "if") || tokens.is(i, "while") || tokens.is(i, "for") || tokens.is(i, "switch");
    const std::size_t open = tokens.is(i + 1, "constexpr") ? i + 2 : i + 1;
    if (controls && tokens.is(open, '(') && tokens.match(open) != kNone) all.push_back({open + 1, tokens.match(open)});
  }
  return all;
}

}  // namespace

bool IdleText::is_left_out(std::size_t i) const {
  return std::ranges::any_of(left_out_, [i](TokenRange one) { return i >= one.begin && i < one.end; });
}

bool IdleText::read_statements(TokenRange text) {
  for (std::size_t i = text.begin; i < text.end;) {
    i = skip_labels(t_, i);
    const std::size_t next = std::min(past_statement(t_, i), text.end);
    if (i >= text.end) return true;
    if (!read_statement({i, next})) return false;
    i = next;
  }
  return true;
}

bool IdleText::read_statement(TokenRange statement) {
  if (depth_ >= kDeepest) return false;
  ++depth_;
  bool read = false;
  const Compound compound = read_compound(t_, statement.begin);
  if (compound.kind == CompoundKind::branch) {
    read = read_branch(compound, statement);
  } else if (compound.kind != CompoundKind::none) {
    read = read_loop(compound, statement);
  } else if (t_.is(statement.begin, '{')) {
    read = t_.match(statement.begin) != kNone && read_statements({statement.begin + 1, t_.match(statement.begin)});
  } else {
    read = read_simple(statement);
  }
  --depth_;
  return read;
}

/// What a branch does that leaves the loop is no part of a pass.
bool IdleText::read_branch(const Compound& branch, TokenRange statement) {
  if (!read_expression(branch.condition)) return false;
  const std::size_t around = under_.size();
  const std::size_t continued = continues_.size();
  under_.push_back(branch.condition);
  for (const std::size_t begin : {branch.body, branch.otherwise}) {
    if (begin == kNone) continue;
    const TokenRange part{begin, std::min(past_statement(t_, begin), statement.end)};
    if (leaves_at_end(begin)) {
      leave(part, {});
    } else if (!read_statement(part)) {
      return false;
    }
  }
  // What follows a `continue` in the pass depends on what that does.
  if (continues_.size() == continued) under_.resize(around);
  return true;
}

/// How often its statements are executed depends on all conditions in it.
bool IdleText::read_loop(const Compound& loop, TokenRange statement) {
  TokenRange head = loop.condition;
  const std::size_t first = find_mark(t_, head.begin, head.end, ';');
  const bool is_for = t_.is(statement.begin, "for");
  if (head.empty() || (is_for && first == head.end)) return false;
  if (is_for) {
    if (!read_expression({head.begin, first})) return false;
    head.begin = first + 1;
  }
  const std::size_t around = under_.size();
  for (const TokenRange& one : conditions_in(t_, statement)) under_.push_back(one);
  const unsigned is_loop = loop.kind == CompoundKind::loop ? 1 : 0;
  loops_ += is_loop;
  ++breakables_;
  const bool read = read_expression(head) && read_statement({loop.body, past_statement(t_, loop.body)});
  loops_ -= is_loop;
  --breakables_;
  if (loops_ != 0 || is_loop != 0 || continues_.empty()) under_.resize(around);
  return read;
}

/// Whether the statement at `i` leaves the loop by what it does last.
bool IdleText::leaves_at_end(std::size_t i) const {
  if (is_function() || lambda_ != kNone) return false;
  if (t_.is(i, '{')) {
    std::size_t last = i + 1;
    if (t_.match(i) == kNone) return false;
    for (std::size_t at = last; at < t_.match(i); at = past_statement(t_, at)) last = at;
    i = last;
  }
  return t_.is(i, "return") || (t_.is(i, "break") && breakables_ == 0);
}

void IdleText::leave(TokenRange statement, TokenRange value) {
  exits_.push_back({statement, value, under_});
}

bool IdleText::read_simple(TokenRange statement) {
  const std::size_t i = statement.begin;
  if (t_.is(i, "break")) {
    if (breakables_ == 0) leave(statement, {});
    return breakables_ != 0 || (!is_function() && lambda_ == kNone);
  }
  if (t_.is(i, "continue")) {
    if (loops_ == 0) continues_.push_back(i);
    return loops_ != 0 || (!is_function() && lambda_ == kNone);
  }
  if (!t_.is(i, "return")) return read_expression(statement);
  const TokenRange value{i + 1, statement.end - 1};
  if (lambda_ != kNone) {
    if (!read_expression(value)) return false;
    note(lambda_, value, false);
    return true;
  }
  leave(statement, is_function() ? value : TokenRange{});
  return !is_function() || read_expression(value);
}

bool IdleText::read_expression(TokenRange text) {
  for (std::size_t i = text.begin; i < text.end;) {
    const std::size_t next = read_token(i, text);
    if (next == kNone) return false;
    i = next;
  }
  return true;
}

/// Past what stands at `i`; kNone where it may do more than this class knows.
std::size_t IdleText::read_token(std::size_t i, TokenRange text) {
  if (t_.is(i, '[') && !is_subscript(i)) {
    const Lambda lambda = read_lambda(t_, i);
    return lambda.body.empty() || t_.is(lambda.body.end, '(') ? kNone : lambda.body.end;
  }
  if (t_.is(i, "++") || t_.is(i, "--")) return count(i) ? i + 1 : kNone;
  if (is_assignment(t_, i)) return assign(i, text) ? i + 1 : kNone;
  if (!t_.is_identifier(i)) return i + 1;
  const std::string_view word = t_.text(i);
  if (is_never_idle(word) || word == "return" || word == "break" || word == "continue") return kNone;
  if (t_.is(i, "asm") || t_.is(i, "__asm__")) return past_asm(i);
  const std::size_t arguments =
      t_.is(i + 1, '<') && angle_close(t_, i + 1) != kNone ? angle_close(t_, i + 1) + 1 : i + 1;
  return t_.is(arguments, '(') ? read_call(i, arguments) : i + 1;
}

std::size_t IdleText::read_call(std::size_t i, std::size_t arguments) {
  const std::string_view name = t_.text(i);
  const std::size_t close = t_.match(arguments);
  if (close == kNone) return kNone;
  const bool is_member = t_.is(i - 1, '.') || t_.is(i - 1, "->");
  const bool meets = is_member ? is_meeting_of_group(name) && locals_.is_group(i - 2) : is_meeting(name);
  if (meets) said_.push_back({arguments, close});
  if (meets || (is_member && is_meeting_of_barrier(name) && locals_.is_barrier(i - 2, calls_.barriers()))) {
    asks_others_ = true;
    return i + 1;
  }
  if (is_pause(name)) left_out_.push_back({arguments, close});
  if (is_clock(name)) clocks_.insert(i);
  reads_ = reads_ || is_read_by_name(name);
  if (is_type_word(t_, i) || is_pause(name) || is_pure(name) || is_clock(name) || is_read_by_name(name)) return i + 1;
  if (is_member) {
    const std::size_t type = t_.is(i - 1, '.') && t_.is_identifier(i - 2) ? locals_.class_of(i - 2) : kNone;
    return type != kNone && take(calls_.of_member(i, type), i, arguments, i - 2) ? i + 1 : kNone;
  }
  if (const std::size_t lambda = locals_.lambda_of(i); lambda != kNone) {
    return close == arguments + 1 && read_lambda_at(lambda, i) ? i + 1 : kNone;
  }
  return !locals_.are_plain(i) && take(calls_.of_function(i), i, arguments, kNone) ? i + 1 : kNone;
}

/// `object`: for which the member is called.
bool IdleText::take(const IdleCall& call, std::size_t i, std::size_t arguments, std::size_t object) {
  constexpr std::size_t kMost = 64;
  const std::vector<TokenRange> all = split_commas(t_, arguments + 1, t_.match(arguments));
  if (!call.is_idle || all.size() > kMost) return false;
  calls_functions_ = true;
  reads_ = reads_ || call.reads;
  asks_others_ = asks_others_ || call.asks_others;
  if (call.has_clock) clocks_.insert(i);
  for (std::size_t number = 0; number < all.size(); ++number) {
    const TokenRange one = all[number];
    if ((call.moved >> number & 1U) != 0) {
      const bool is_variable = one.end == one.begin + 1 && t_.is_identifier(one.begin) && may_change(one.begin);
      if (!is_variable) return false;
      note(one.begin, {arguments + 1, t_.match(arguments)}, true);
    }
    const bool matters = (call.matters >> number & 1U) != 0;
    if (!matters) left_out_.push_back(one);
    if (matters && call.asks_others) said_.push_back(one);
  }
  if (object == kNone) return true;
  if (call.moves_object) {
    if (!is_function() && locals_.is_bound(t_.text(object))) return false;
    note(object, {}, true);
  }
  if (!call.object_matters) left_out_.push_back({object, object + 1});
  if (call.object_matters && call.asks_others) said_.push_back({object, object + 1});
  return true;
}

/// What the lambda returns is what its name stands for. Its text is that of the function, and so are its variables.
bool IdleText::read_lambda_at(std::size_t open, std::size_t name) {
  calls_functions_ = true;
  if (!lambdas_.insert(open).second) return true;
  const Lambda lambda = read_lambda(t_, open);
  if (lambda.body.empty() || !lambda.parameters.empty() || lambda_ != kNone) return false;
  lambda_bodies_.push_back(lambda.body);
  lambda_ = name;
  lambda_body_ = lambda.body;
  const bool read = read_statements({lambda.body.begin + 1, lambda.body.end - 1});
  lambda_ = kNone;
  return read;
}

std::size_t IdleText::past_asm(std::size_t i) {
  const bool pauses = is_pause_of_ptx(t_, i);
  const bool loads = is_load_of_ptx(t_, i);
  std::size_t open = i + 1;
  while (!t_.is(open, '(') && t_.is_identifier(open)) ++open;
  if (t_.match(open) == kNone || (!pauses && !loads)) return kNone;
  const std::size_t end = t_.match(open);
  if (pauses) return end + 1;
  reads_ = true;
  const std::size_t outputs = find_mark(t_, open + 1, end, ':');
  const std::size_t inputs = find_mark(t_, std::min(outputs + 1, end), end, ':');
  for (std::size_t at = outputs; at < inputs; ++at) {
    if (!t_.is(at, '(') || !t_.text(at - 1).starts_with("\"=")) continue;
    if (!t_.is(at + 2, ')') || !may_change(at + 1)) return kNone;
    note(at + 1, {inputs, end}, false);
  }
  return end + 1;
}

/// The name of the array of the function whose element ends at `close`, or kNone.
std::size_t IdleText::element_of(std::size_t close) const {
  std::size_t name = close;
  while (t_.is(name, ']') && t_.match(name) != kNone) name = t_.match(name) - 1;
  const bool is_part = t_.is(name - 1, '.') || t_.is(name - 1, "->") || t_.is(name - 1, "::") || t_.is(name - 1, '*');
  return t_.is_identifier(name) && !is_part && locals_.is_array(name) ? name : kNone;
}

bool IdleText::count(std::size_t i) {
  std::size_t target = kNone;
  if (t_.is_identifier(i + 1)) {
    target = t_.is(i + 2, '[') ? element_of(t_.match(i + 2)) : is_whole(i + 1) ? i + 1 : kNone;
  } else if (t_.is(i - 1, ']')) {
    target = element_of(i - 1);
  } else if (t_.is_identifier(i - 1) && is_whole(i - 1)) {
    target = i - 1;
  }
  if (target == kNone || !may_change(target)) return false;
  note(target, {}, true);
  return true;
}

bool IdleText::assign(std::size_t i, TokenRange text) {
  const bool is_element = t_.is(i - 1, ']');
  const std::size_t target = is_element ? element_of(i - 1) : i - 1;
  if (!t_.is_identifier(target) || (!is_element && !is_whole(target)) || !may_change(target)) return false;
  std::size_t end = i + 1;
  while (end < text.end && !t_.is(end, ';') && !t_.is(end, ',') && !t_.is(end, ')')) end = after_group(t_, end);
  note(target, {i + 1, std::min(end, text.end)}, is_element || !t_.is(i, '='));
  return true;
}

/// Whether the name at `i` is a variable of the function, or of the object whose member the function is.
bool IdleText::may_change(std::size_t i) {
  if (locals_.are_plain(i)) return is_function() || !locals_.is_bound(t_.text(i));
  if (!is_function() || !calls_.is_member_variable(locals_.function(), t_.text(i))) return false;
  return moves_object_ = true;
}

void IdleText::note(std::size_t name, TokenRange by, bool keeps_old) {
  const bool is_inner = name == lambda_ || (!is_function() && locals_.are_declared_in(name, pass_)) ||
                        (lambda_ != kNone && locals_.are_declared_in(name, lambda_body_));
  assignments_.push_back({t_.text(name), by, under_, is_inner, keeps_old});
}

/// Whether `x` stands alone: no member, no element, nothing that is pointed at.
bool IdleText::is_whole(std::size_t i) const {
  const bool is_part = t_.is(i - 1, '.') || t_.is(i - 1, "->") || t_.is(i - 1, "::") || t_.is(i - 1, '*');
  const bool has_part = t_.is(i + 1, '.') || t_.is(i + 1, "->") || t_.is(i + 1, '[') || t_.is(i + 1, '(');
  return !is_part && !has_part;
}

}  // namespace warpfiber::translate

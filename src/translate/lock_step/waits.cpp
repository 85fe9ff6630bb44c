// SPDX-License-Identifier: Apache-2.0
//
// Loops that wait for a volatile word to change and do nothing meanwhile, or count: `while (flag[b] != goal);`. Each
// pass through such a loop is a poll, after a few of which the thread lets others run. A loop that calls nothing would
// go on until the clock takes its turn away. Loops that search, or do work, are left alone: who polls so often without
// end is told to be in a livelock.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "translate/lock_step/lock_step.hpp"
#include "translate/lock_step/statements.hpp"

namespace warpfiber::translate {
namespace {

constexpr std::string_view kWaits = "::warpfiber::cuda::waits(static_cast<bool>(";
constexpr std::string_view kWaited = "::warpfiber::cuda::waited(static_cast<bool>(";

class Polls {
 public:
  Polls(Program& program, const Function& function, const std::vector<VolatileAccess>& accesses)
      : p_(program), t_(program.tokens), f_(function), accesses_(accesses) {}

  void rewrite() {
    for (std::size_t i = f_.body.begin; i < f_.body.end; ++i) {
      if (t_.is(i, "do")) {
        until(read_compound(t_, i));
      } else if ((t_.is(i, "while") || t_.is(i, "for")) && !closes_do(i)) {
        during(read_compound(t_, i));
      }
    }
  }

 private:
  /// `while (c) ;`, `for (; c;) { }`, `while (c) ++looks;`, `while (true) { if (c) break; }`
  void during(const Compound& loop) {
    if (loop.kind != Compound::Kind::loop) return;
    const Range condition =
        is_for_without_step(loop.condition) ? Range{loop.condition.begin + 1, loop.condition.end - 1} : loop.condition;
    const Range inside = within(loop.body);
    if (inside.end == kNone) return;
    if (is_for_ever(condition)) {
      const Compound test = read_compound(t_, inside.begin);
      if (only_leaves(test, inside)) ask(test.condition, kWaited);
    } else if (does_nothing(inside)) {
      ask(condition, kWaits);
    }
  }

  /// `do { } while (c);`, `do { x = flag; } while (x != goal);`
  void until(const Compound& loop) {
    if (loop.condition.empty() || !t_.is(loop.body, '{') || t_.match(loop.body) == kNone) return;
    const Range inside = within(loop.body);
    if (is_look(inside)) {
      wrap(loop.condition, kWaits);
    } else if (does_nothing(inside)) {
      ask(loop.condition, kWaits);
    }
  }

  /// The statement at `i`, or what is between its braces.
  Range within(std::size_t i) const {
    return t_.is(i, '{') ? Range{i + 1, t_.match(i)} : Range{i, past_statement(t_, i)};
  }

  void ask(Range condition, std::string_view call) {
    if (reads(condition) && !changes_a_variable(condition)) wrap(condition, call);
  }

  void wrap(Range condition, std::string_view call) {
    p_.edits.insert(p_.begin_of(condition.begin), std::string(call));
    p_.edits.insert(p_.end_of(condition.end - 1), "))");
  }

  /// Nothing, `;`, `++n;` or `n++;`
  bool does_nothing(Range inside) const {
    if (inside.empty() || t_.is(inside.begin, ';')) return inside.end <= inside.begin + 1;
    const bool before = counts(inside.begin) && t_.is_identifier(inside.begin + 1);
    const bool behind = t_.is_identifier(inside.begin) && counts(inside.begin + 1);
    return (before || behind) && t_.is(inside.begin + 2, ';') && inside.end == inside.begin + 3;
  }
  bool counts(std::size_t i) const { return t_.is(i, "++") || t_.is(i, "--"); }

  /// `x = flag;` and nothing else.
  bool is_look(Range inside) const {
    const bool assigns = t_.is_identifier(inside.begin) && t_.is(inside.begin + 1, '=');
    return assigns && past_statement(t_, inside.begin) == inside.end && reads({inside.begin + 2, inside.end});
  }

  /// `if (flag == goal) break;` and nothing else.
  bool only_leaves(const Compound& test, Range inside) const {
    if (test.kind != Compound::Kind::branch || test.otherwise != kNone) return false;
    const Range then = within(test.body);
    return t_.is(then.begin, "break") && then.end == then.begin + 2 && past_statement(t_, inside.begin) == inside.end;
  }

  /// Between the parentheses of `for (; c;)`.
  bool is_for_without_step(Range head) const {
    return t_.is(head.begin, ';') && head.end > head.begin + 1 && t_.is(head.end - 1, ';');
  }

  /// `true`, `1`, or nothing
  bool is_for_ever(Range condition) const {
    if (condition.empty()) return true;
    return condition.end == condition.begin + 1 && (t_.is(condition.begin, "true") || t_.is(condition.begin, "1"));
  }

  /// A search, a count or a declaration: `while (v[++i] != x);`, `while (int x = *v);`
  bool changes_a_variable(Range condition) const {
    for (std::size_t i = condition.begin; i < condition.end; ++i) {
      if (counts(i) || t_.is(i, ';') || (is_assignment(t_, i) && !t_.is(i, '='))) return true;
    }
    return find_mark(t_, condition.begin, condition.end, '=') != condition.end;
  }

  /// Whether memory is read that may have changed.
  bool reads(Range range) const {
    if (mentions_reread(t_, range.begin, range.end)) return true;
    const auto begin_of = [](const VolatileAccess& access) { return access.element.begin; };
    auto access = std::ranges::lower_bound(accesses_, range.begin, {}, begin_of);
    for (; access != accesses_.end() && access->element.begin < range.end; ++access) {
      if (access->is_read && access->element.end <= range.end) return true;
    }
    return false;
  }

  /// Whether the `while` at `i` ends a loop that `do` began.
  bool closes_do(std::size_t i) const {
    if (t_.is(i, "for") || !t_.is(i - 1, '}') || t_.match(i - 1) == kNone) return false;
    return t_.is(t_.match(i - 1) - 1, "do");
  }

  Program& p_;
  const Tokens& t_;
  const Function& f_;
  const std::vector<VolatileAccess>& accesses_;
};

}  // namespace

void add_polls(Program& program, const Function& function, const std::vector<VolatileAccess>& accesses) {
  Polls(program, function, accesses).rewrite();
}

}  // namespace warpfiber::translate

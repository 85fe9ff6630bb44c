// SPDX-License-Identifier: Apache-2.0
//
// The barrier is the one that the thread of the second access waits for last before it, and that the role of the first
// access arrives at. Where it arrives behind its access, the phase ends too early: the count is too small, or not all
// arrive. Where it arrives in front of its access only, it says too early that it is done. A wait that comes behind the
// second access is too late.
#include "report/fixes/race_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "report/fixes/finding_lines.hpp"
#include "report/fixes/source/barrier_calls.hpp"
#include "report/fixes/source/statements.hpp"

namespace warpfiber::report {
namespace {

using record::Finding;
using record::Place;
using record::Role;

/// Whether a thread that comes to line `one` may come to line `other`: they are not in different branches of an if.
bool may_come_to(const Statement& all, unsigned one, unsigned other) {
  for (const Statement* around : statements_around(all, one, other)) {
    if (around->control != Statement::Control::branch || around->parts.size() < 2) continue;
    const bool in_first = around->parts.front().contains(one) && around->parts.front().contains(other);
    const bool in_second = around->parts.back().contains(one) && around->parts.back().contains(other);
    if (!in_first && !in_second && one != other) return false;
  }
  return true;
}

bool leaves(const Statement& of) {
  if (of.control == Statement::Control::simple && has_word(of.words, "return")) return true;
  return of.control == Statement::Control::block && !of.parts.empty() && leaves(of.parts.back());
}

/// Whether no thread comes to both lines: they are in different branches, or one is in a branch that is left by a
/// return.
bool are_apart(const Statement& all, unsigned one, unsigned other) {
  if (!may_come_to(all, one, other)) return true;
  const auto is_left = [&](unsigned in, unsigned out) {
    return std::ranges::any_of(statements_around(all, in, in), [&](const Statement* around) {
      return around->control == Statement::Control::branch && around->last < out && leaves(around->parts.front());
    });
  };
  return is_left(one, other) || is_left(other, one);
}

/// The calls by which the second access waits for the first.
struct HandOverCalls {
  BarrierCall wait{};
  BarrierCall arrival{};
  bool is_early = false;    // the arrival comes before the access
  bool is_late = false;     // the wait comes behind the second access
  bool is_partial = false;  // some threads leave it out
};

class Roles {
 public:
  Roles(const Finding& finding, SourceText& sources)
      : first_(finding.parties[0].place),
        second_(finding.parties[1].place),
        file_(statements_of(sources, first_.file)),
        around_(statements_around(file_, first_.line, second_.line)),
        function_(*around_[around_.size() > 1 ? 1 : 0]) {}

  std::optional<HandOverCalls> find() const {
    if (around_.size() < 2 || !are_apart(function_, first_.line, second_.line)) return std::nullopt;
    const std::vector<BarrierCall> calls = barrier_calls_in(function_);
    if (auto late = late_wait(calls)) return late;
    for (auto wait = calls.rbegin(); wait != calls.rend(); ++wait) {
      if (!wait->waits() || wait->line > second_.line || are_apart(function_, second_.line, wait->line)) continue;
      if (auto found = arrival_at(*wait, calls)) return found;
    }
    return std::nullopt;
  }

  std::optional<MadeFor> made(const BarrierCall& call) const { return made_for(function_, call.barrier); }

 private:
  std::optional<HandOverCalls> arrival_at(const BarrierCall& wait, const std::vector<BarrierCall>& calls) const {
    std::optional<HandOverCalls> early;
    for (const BarrierCall& call : calls) {
      if (call.barrier != wait.barrier || !call.arrives() || are_apart(function_, first_.line, call.line)) continue;
      // What both roles come to says nothing about one of them.
      if (!are_apart(function_, second_.line, call.line)) continue;
      if (call.line >= first_.line) return HandOverCalls{wait, call, false, false, is_partial(call)};
      if (!call.waits()) early = HandOverCalls{wait, call, true, false, is_partial(call)};
    }
    return early;
  }

  /// The thread of the second access arrives before it, where that of the first one arrives behind its own, and waits
  /// after it.
  std::optional<HandOverCalls> late_wait(const std::vector<BarrierCall>& calls) const {
    const auto of_second = [&](const BarrierCall& call) { return !are_apart(function_, second_.line, call.line); };
    for (const BarrierCall& wait : calls) {
      if (!wait.waits() || wait.arrives() || wait.line <= second_.line || !of_second(wait)) continue;
      const auto is_of_barrier = [&wait](const BarrierCall& call) {
        return call.barrier == wait.barrier && call.arrives();
      };
      const bool arrives = std::ranges::any_of(calls, [&](const BarrierCall& call) {
        return is_of_barrier(call) && !call.waits() && call.line < second_.line && of_second(call);
      });
      const auto first = std::ranges::find_if(calls, [&](const BarrierCall& call) {
        return is_of_barrier(call) && call.line >= first_.line && !are_apart(function_, first_.line, call.line) &&
               !of_second(call);
      });
      if (arrives && first != calls.end()) return HandOverCalls{wait, *first, false, true, false};
    }
    return std::nullopt;
  }

  /// Whether threads of the first access may leave the call out: it is in a branch of its own that depends on them.
  bool is_partial(const BarrierCall& call) const {
    const auto dependent = thread_dependent(function_, false);
    return std::ranges::any_of(statements_around(function_, call.line, call.line), [&](const Statement* around) {
      return around->control == Statement::Control::branch && !around->contains(first_.line) &&
             depends_on(around->words, dependent);
    });
  }

  const Place& first_;
  const Place& second_;
  const Statement file_;
  const std::vector<const Statement*> around_;
  const Statement& function_;
};

bool may_have_roles(const Finding& finding) {
  if (!finding.order.has_value() || finding.parties.size() < 2 || finding.order->width > record::Width::block)
    return false;
  const Place& one = finding.parties[0].place;
  const Place& other = finding.parties[1].place;
  return one.known() && other.known() && is_same_file(one.file, other.file) &&
         (one.function == other.function || one.function.empty() || other.function.empty());
}

const char* name_of(Role role) {
  return role == Role::write ? "write" : "read";
}

class RoleExplanation {
 public:
  RoleExplanation(Finding& finding, const Roles& roles, const HandOverCalls& calls, SourceText& sources)
      : finding_(finding), calls_(calls), made_(roles.made(calls.wait)), lines_(finding, sources) {}

  void write() {
    const record::Party& first = finding_.parties[0];
    const record::Party& second = finding_.parties[1];
    const std::string access = fmt::format("the {} at {}", name_of(first.role), lines_.at(first.place));
    finding_.why = fmt::format("{} at {} is to make the {} at {} wait for {}, ", calls_.wait.text(), at(calls_.wait),
                               name_of(second.role), lines_.at(second.place), access);
    finding_.insertions.clear();
    finding_.order->fix_is_exact = true;
    if (calls_.is_early) return explain_early(access);
    if (calls_.is_late) return explain_late();
    finding_.why += "but its phase ends before all threads have arrived that do this: ";
    finding_.why += made_.has_value()
                        ? fmt::format("{} was made for {} arrivals at {}", calls_.wait.barrier, made_->count,
                                      lines_.at({.file = first.place.file, .line = made_->line}))
                        : "it ends with the arrivals that the barrier was made for";
    if (calls_.is_partial) finding_.why += fmt::format(", and not all of them arrive at {}", at(calls_.arrival));
    finding_.why += ".";
    explain_count(access);
  }

 private:
  std::string at(const BarrierCall& call) const {
    return lines_.at({.file = finding_.parties[0].place.file, .line = call.line});
  }

  void explain_early(const std::string& access) {
    finding_.why += fmt::format("but {} at {}, before that access, says that it is over.", calls_.arrival.text(),
                                at(calls_.arrival));
    finding_.fix =
        fmt::format("{} only behind {}: move the call from {}", calls_.arrival.text(), access, at(calls_.arrival));
  }

  void explain_late() {
    finding_.why += "but comes behind it.";
    finding_.fix = fmt::format("{} in front of {}: move the call from {}", calls_.wait.text(),
                               lines_.at(finding_.parties[1].place), at(calls_.wait));
  }

  void explain_count(const std::string& access) {
    const std::string each = fmt::format("let each thread of {} arrive there behind it", access);
    const std::string init =
        made_.has_value()
            ? fmt::format(
                  "make {} at {} for the number of threads that arrive in one phase: those "
                  "of {}, and those that call arrive_and_wait()",
                  calls_.wait.barrier, lines_.at({.file = finding_.parties[0].place.file, .line = made_->line}), access)
            : fmt::format("make {} for the number of threads that arrive in one phase", calls_.wait.barrier);
    finding_.fix = fmt::format("{}, and {}", init, each);
    if (calls_.wait.names_parity())
      finding_.fix += "; or, where that is so, wait for the right phase: its parity changes with each";
  }

  Finding& finding_;
  const HandOverCalls& calls_;
  const std::optional<MadeFor> made_;
  const FindingLines lines_;
};

}  // namespace

bool explain_roles(Finding& finding, SourceText& sources) {
  if (!may_have_roles(finding)) return false;
  const Roles roles(finding, sources);
  const auto calls = roles.find();
  if (!calls.has_value()) return false;
  RoleExplanation(finding, roles, *calls, sources).write();
  return true;
}

bool is_wait_of_roles(const Finding& race, unsigned line, SourceText& sources) {
  if (!may_have_roles(race)) return false;
  const Statement all = statements_of(sources, race.parties[0].place.file);
  const auto calls = Roles(race, sources).find();
  if (!calls.has_value()) return false;
  return std::ranges::any_of(barrier_calls_in(all), [&](const BarrierCall& call) {
    return call.line == line && call.barrier == calls->wait.barrier;
  });
}

}  // namespace warpfiber::report

// SPDX-License-Identifier: Apache-2.0
//
// What the source says of the barrier: the call that waits for it, and the number of arrivals that it was made for.
#include "report/fixes/race_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "report/fixes/finding_lines.hpp"
#include "report/fixes/source/barrier_calls.hpp"
#include "report/fixes/source/statements.hpp"

namespace warpfiber::report {
namespace {

using record::Finding;
/// The first call that waits and begins after line `after` and before line `before`.
std::optional<BarrierCall> wait_between(const Statement& of, unsigned after, unsigned before) {
  const std::vector<BarrierCall> calls = barrier_calls_in(of);
  const auto found = std::ranges::find_if(calls, [&](const BarrierCall& call) {
    return call.is_method && call.waits() && call.line > after && call.line < before;
  });
  return found == calls.end() ? std::nullopt : std::optional(*found);
}

/// The value of "blockDim.x / 2" or "64": numbers and the block's sizes, from left to right.
class CountReader {
 public:
  CountReader(std::string_view text, const base::Triple& block) : text_(text), block_(block) {}

  std::optional<std::uint64_t> read() {
    std::optional<std::uint64_t> value = factor();
    while (value.has_value() && !text_.empty()) {
      const char sign = text_.front();
      text_.remove_prefix(1);
      const std::optional<std::uint64_t> next = factor();
      if (!next.has_value()) return std::nullopt;
      if (sign == '*') {
        *value *= *next;
      } else if (sign == '/' && *next != 0) {
        *value /= *next;
      } else {
        return std::nullopt;  // a sum may follow a product: not read
      }
    }
    return value;
  }

 private:
  std::optional<std::uint64_t> factor() {
    const std::size_t end = std::min(text_.find_first_of("*/"), text_.size());
    const std::string_view word = text_.substr(0, end);
    text_.remove_prefix(end);
    if (word == "blockDim.x") return block_.x;
    if (word == "blockDim.y") return block_.y;
    if (word == "blockDim.z") return block_.z;
    return base::parse_number(word);
  }

  std::string_view text_;
  const base::Triple& block_;
};

bool releases(const Statement& of) {
  return has_word(of.words, "consumer_release") || std::ranges::any_of(of.parts, releases);
}

/// The line where the stage of a pipeline is given back, in a block in which `line` comes after it; 0: not so.
unsigned early_release(const Statement& all, unsigned line) {
  for (const Statement* around : statements_around(all, line, line)) {
    if (around->control != Statement::Control::block) continue;
    unsigned before = 0;
    bool after = false;
    for (const Statement& part : around->parts) {
      const bool is_release = part.control == Statement::Control::simple && releases(part) && !part.contains(line);
      if (is_release && part.last < line) before = part.first;
      after = after || (is_release && part.first > line);
    }
    if (before != 0 && !after) return before;
  }
  return 0;
}

bool may_have_phase(const Finding& finding, const Gap& gap) {
  return finding.order->width <= record::Width::block && !gap.one_line && !gap.next_turn && !gap.next_call &&
         gap.branches == 0 && !gap.file.empty();
}

class PhaseExplanation {
 public:
  PhaseExplanation(Finding& finding, const Gap& gap, const Statement& all, BarrierCall wait, SourceText& sources)
      : finding_(finding),
        gap_(gap),
        wait_(std::move(wait)),
        made_(made_for(all, wait_.barrier)),
        dropped_(drop_before(all, wait_)),
        lines_(finding, sources) {}

  void write() {
    const std::string call = fmt::format("{} at {}", wait_.text(), at(wait_.line));
    finding_.insertions.clear();
    finding_.order->fix_is_exact = true;
    if (dropped_ != 0) return explain_drop(call);
    if (wait_.function.ends_with("parity")) return explain_parity(call);
    finding_.why =
        fmt::format("{} stands between these accesses, but lets threads go on before others have arrived", call);
    const std::uint64_t threads = base::volume(finding_.launch.block);
    if (!made_.has_value()) {
      finding_.why += ": a phase ends with the arrivals that the barrier was made for.";
      finding_.fix = fmt::format(
          "init() {} with as many arrivals as threads meet at it, and wait for the phase of the "
          "own arrival",
          wait_.barrier);
      return;
    }
    const auto count = CountReader(made_->count, finding_.launch.block).read();
    const std::string number = count.has_value() ? base::counted(*count, "arrival") : made_->count + " arrivals";
    const bool is_too_small = count.has_value() && *count < threads;
    finding_.why += fmt::format(": it was made for {} at {}, and the block has {}.", number, at(made_->line),
                                base::counted(threads, "thread"));
    finding_.fix = is_too_small ? fmt::format(
                                      "init() {} at {} with the number of all threads that meet at it: {} if those are "
                                      "the block's",
                                      wait_.barrier, at(made_->line), threads)
                                : fmt::format(
                                      "let each thread arrive at {} once in a phase, and wait for the phase of its own "
                                      "arrival; who used arrive_and_drop() does not count any more",
                                      wait_.barrier);
  }

 private:
  void explain_parity(const std::string& call) {
    finding_.why = fmt::format(
        "{} stands between these accesses, but waits for no phase that is still open: one with the "
        "parity that it names is over already.",
        call);
    finding_.fix = fmt::format(
        "change the parity that {} waits for with each phase: 0 for the first, 1 for the second{}", wait_.barrier,
        gap_.loop == 0 ? std::string() : fmt::format(", in each iteration of the loop at {}", at(gap_.loop)));
  }
  void explain_drop(const std::string& call) {
    finding_.why = fmt::format(
        "{} stands between these accesses, but lets threads go on before others have arrived: threads that have called "
        "arrive_and_drop() at {} are not expected any more, and arrive in place of those that are.",
        call, at(dropped_));
    finding_.fix = fmt::format(
        "let threads that call {}.arrive_and_drop() at {} return, or skip all further calls on {}; threads that go on "
        "call arrive_and_wait() only",
        wait_.barrier, at(dropped_), wait_.barrier);
  }
  std::string at(unsigned line) const { return lines_.at({.file = gap_.file, .line = line}); }

  Finding& finding_;
  const Gap& gap_;
  const BarrierCall wait_;
  const std::optional<MadeFor> made_;
  const unsigned dropped_;  // line of an arrive_and_drop() behind which threads still come to the wait; 0: none
  const FindingLines lines_;
};

/// The thread arrives between the accesses, and waits behind both.
bool explain_late_wait(Finding& finding, const Gap& gap, const Statement& all, SourceText& sources) {
  const std::vector<BarrierCall> calls = barrier_calls_in(all);
  for (const BarrierCall& arrival : calls) {
    if (!arrival.is_method || !arrival.arrives() || arrival.line <= gap.after || arrival.line >= gap.before) continue;
    const auto wait = std::ranges::find_if(calls, [&](const BarrierCall& call) {
      return call.barrier == arrival.barrier && call.waits() && call.line > gap.before;
    });
    const auto together = statements_around(all, arrival.line, gap.before).size();
    if (wait == calls.end() || statements_around(all, arrival.line, wait->line).size() != together) continue;
    const FindingLines lines(finding, sources);
    const auto at = [&](unsigned line) { return lines.at({.file = gap.file, .line = line}); };
    finding.why = fmt::format("{} at {} says that a thread is done, but waits for no other; {} comes at {} only.",
                              arrival.text(), at(arrival.line), wait->text(), at(wait->line));
    finding.fix = fmt::format("{} in front of {}: move the call from {}", wait->text(), at(gap.before), at(wait->line));
    finding.insertions.clear();
    finding.order->fix_is_exact = true;
    return true;
  }
  return false;
}

}  // namespace

bool explain_release(Finding& finding, SourceText& sources) {
  for (const record::Party& reader : {finding.parties[0], finding.parties[1]}) {
    if (reader.role != record::Role::read || !reader.place.known()) continue;
    const Statement all = statements_of(sources, reader.place.file);
    const unsigned line = early_release(all, reader.place.line);
    if (line == 0) continue;
    const FindingLines lines(finding, sources);
    const std::string released = lines.at({.file = reader.place.file, .line = line});
    finding.why = fmt::format(
        "consumer_release() at {} gives the stage back before it is read at {}: the next copy may write to it "
        "meanwhile.",
        released, lines.at(reader.place));
    finding.fix = fmt::format("move the consumer_release() at {} behind {}", released, lines.at(reader.place));
    return true;
  }
  return false;
}

bool explain_phase(Finding& finding, const Gap& gap, SourceText& sources) {
  if (!may_have_phase(finding, gap)) return false;
  const Statement all = statements_of(sources, gap.file);
  auto wait = wait_between(all, gap.after, gap.before);
  if (!wait.has_value()) return explain_late_wait(finding, gap, all, sources);
  PhaseExplanation(finding, gap, all, std::move(*wait), sources).write();
  return true;
}

unsigned phase_between(const Finding& finding, const Gap& gap, SourceText& sources) {
  if (!may_have_phase(finding, gap)) return 0;
  const auto wait = wait_between(statements_of(sources, gap.file), gap.after, gap.before);
  return wait.has_value() ? wait->line : 0;
}

}  // namespace warpfiber::report

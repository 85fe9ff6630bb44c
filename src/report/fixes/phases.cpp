// SPDX-License-Identifier: Apache-2.0
//
// What the source says of the barrier: the call that waits for it, and the number of arrivals that it was made for.
#include "report/fixes/phases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "report/fixes/finding_lines.hpp"
#include "report/fixes/source/statements.hpp"
#include "report/fixes/source/uniform.hpp"

namespace warpfiber::report {
namespace {

using record::Finding;
/// "bar" and "arrive_and_wait" of a statement at `line`.
struct WaitCall {
  std::string barrier{};
  std::string function{};
  unsigned line = 0;
};

constexpr std::string_view kWaits[] = {"arrive_and_wait", "wait_parity", "try_wait_parity", "try_wait", "wait"};

std::string without_spaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

/// The object of "bar . wait (": the last name in front of the point.
std::optional<WaitCall> wait_in(const std::string& words, unsigned line) {
  for (const std::string_view function : kWaits) {
    const std::string call = fmt::format(" . {} (", function);
    const std::size_t at = words.find(call);
    if (at == std::string::npos) continue;
    const std::size_t name = words.rfind(' ', at == 0 ? 0 : at - 1);
    return WaitCall{words.substr(name == std::string::npos ? 0 : name + 1, at - (name + 1)), std::string(function),
                    line};
  }
  return std::nullopt;
}

/// The first such call that begins after line `after` and before line `before`.
std::optional<WaitCall> wait_between(const Statement& of, unsigned after, unsigned before) {
  if (of.first > after && of.first < before) {
    if (auto found = wait_in(of.words, of.first)) return found;
  }
  for (const Statement& part : of.parts) {
    if (auto found = wait_between(part, after, before)) return found;
  }
  return std::nullopt;
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

/// What a barrier was made for: "init ( & bar , blockDim . x / 2 )".
struct MadeFor {
  std::string count{};
  unsigned line = 0;
};

std::optional<MadeFor> made_for(const Statement& of, const std::string& barrier) {
  const std::string call = fmt::format("init ( & {} , ", barrier);
  if (const std::size_t at = of.words.find(call); at != std::string::npos) {
    const std::size_t from = at + call.size();
    const std::size_t end = of.words.find(" )", from);
    return MadeFor{without_spaces(of.words.substr(from, end - from)), of.first};
  }
  for (const Statement& part : of.parts) {
    if (auto found = made_for(part, barrier)) return found;
  }
  return std::nullopt;
}

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
  PhaseExplanation(Finding& finding, const Gap& gap, const Statement& all, WaitCall wait, SourceText& sources)
      : finding_(finding),
        gap_(gap),
        wait_(std::move(wait)),
        made_(made_for(all, wait_.barrier)),
        lines_(finding, sources) {}

  void write() {
    const std::string call = fmt::format("{}.{}() at {}", wait_.barrier, wait_.function, at(wait_.line));
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
  std::string at(unsigned line) const { return lines_.at({.file = gap_.file, .line = line}); }

  Finding& finding_;
  const Gap& gap_;
  const WaitCall wait_;
  const std::optional<MadeFor> made_;
  const FindingLines lines_;
};

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
  if (!wait.has_value()) return false;
  PhaseExplanation(finding, gap, all, std::move(*wait), sources).write();
  return true;
}

unsigned phase_between(const Finding& finding, const Gap& gap, SourceText& sources) {
  if (!may_have_phase(finding, gap)) return 0;
  const auto wait = wait_between(statements_of(sources, gap.file), gap.after, gap.before);
  return wait.has_value() ? wait->line : 0;
}

}  // namespace warpfiber::report

// SPDX-License-Identifier: Apache-2.0
//
// The order of a hand-over is: first access, write of the word; its read, second access. On the first way a barrier is
// missing where one thread sets the word for others, and a fence; on the second way a fence.
#include "report/fixes/race_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "report/fixes/finding_lines.hpp"
#include "report/fixes/source/source_words.hpp"
#include "report/fixes/source/statements.hpp"

namespace warpfiber::report {
namespace {

using record::Finding;
using record::HandOver;
using record::Place;
using record::Role;
using record::Width;

constexpr std::array<std::string_view, 4> kBarriers{"__syncwarp()", "__syncthreads()", "cluster.sync()", "grid.sync()"};

bool is_in_one_function(const Place& one, const Place& other) {
  return one.known() && other.known() && is_same_file(one.file, other.file) &&
         (one.function == other.function || one.function.empty() || other.function.empty());
}

bool follows(const Place& one, const Place& other) {
  return is_in_one_function(one, other) && one.line > other.line;
}

/// Whether the lines of one function come in this order.
bool is_between(const Place& low, const Place& at, const Place& high) {
  return follows(at, low) && (follows(high, at) || is_of_one_line(at, high));
}

/// Whether both races are about what the same threads hand over by the same writes and reads of a word.
bool is_of_one_word(const Finding& one, const Finding& other) {
  if (one.verdict != other.verdict || !other.order.has_value() || !other.order->hand_over.has_value()) return false;
  const HandOver& word = *one.order->hand_over;
  const HandOver& same = *other.order->hand_over;
  return is_of_one_line(word.set, same.set) && is_of_one_line(word.seen, same.seen) && word.is_lock == same.is_lock &&
         word.fenced_before_set == same.fenced_before_set && word.fenced_after_seen == same.fenced_after_seen &&
         word.set_by_other == same.set_by_other && other.parties.size() > 1;
}

class HandOverExplanation {
 public:
  HandOverExplanation(Finding& finding, const HandOverSpan& span, SourceText& sources)
      : finding_(finding),
        word_(*finding.order->hand_over),
        first_(span.first),
        second_(span.second),
        sources_(sources),
        lines_(finding, sources) {
    name_ = word_.name.empty() ? written_variable(lines_.text_of(word_.set)) : word_.name;
    if (name_.empty()) name_ = word_.is_lock ? "the lock" : "the flag";
    set_ = fmt::format("{} is {} at {}", name_, word_.is_lock ? "released" : "set", lines_.at(word_.set));
    seen_ = fmt::format("{} is {} at {}", name_, word_.is_lock ? "taken" : "read", lines_.at(word_.seen));
    fence_ = fence_of(finding.order->width);
  }

  bool write() {
    if (is_phase(lines_.text_of(word_.set)) || is_phase(lines_.text_of(word_.seen))) return false;
    if (is_set_too_early()) return explain_early(), true;
    const bool lacks_barrier = word_.set_by_other.has_value() && follows(word_.set, first_) && !has_barrier();
    const bool lacks_fence = !word_.fenced_before_set;
    if (!can_hand_over() || (!lacks_barrier && !lacks_fence && word_.fenced_after_seen)) return false;
    if (word_.is_guess && !decides()) return false;
    if (lacks_barrier) {
      add_barrier(lacks_fence);
    } else if (lacks_fence) {
      add_release();
    }
    if (!word_.fenced_after_seen) add_acquire();
    finding_.fix = fmt::format("{}", fmt::join(parts_, ", and "));
    finding_.order->fix_is_exact = true;
    if (are_insertions_) finding_.insertions.push_back(std::move(insertions_));
    return true;
  }

 private:
  /// Barriers in memory are words, too, and order by themselves.
  static bool is_phase(std::string_view line) {
    constexpr std::string_view kCalls[] = {".arrive", ".wait(std::move", ".wait_parity", ".try_wait", "mbarrier"};
    return std::ranges::any_of(kCalls, [line](std::string_view call) { return line.find(call) != line.npos; });
  }

  bool can_hand_over() const {
    // Two accesses that are no race by themselves are one by what the word is meant for.
    const bool strong = finding_.parties[0].strong && finding_.parties[1].strong;
    const bool one_line = !strong && is_of_one_line(first_, second_) && is_of_one_line(first_, word_.set);
    return !one_line && (word_.fenced_before_set || !follows(first_, word_.set)) &&
           (word_.fenced_after_seen || !follows(word_.seen, second_));
  }

  /// The word is set, by the thread itself, before what it is to hand over is written. Who sets it at the line where it
  /// is read takes a number, and hands nothing over.
  bool is_set_too_early() const {
    return !word_.is_lock && !word_.set_by_other.has_value() && !is_of_one_line(word_.set, word_.seen) &&
           finding_.parties[0].role == Role::write && finding_.parties[1].role == Role::read &&
           follows(first_, word_.set) && follows(second_, word_.seen);
  }
  void explain_early() {
    finding_.why = fmt::format("{}, before the write at {}: who reads {} at {} may find the old value. No fence helps.",
                               set_, lines_.at(first_), name_, lines_.at(word_.seen));
    finding_.fix = fmt::format(
        "set {}, or a flag of its own, only after {}, with a {} between the two; let who reads at {} wait for that",
        name_, lines_.at(first_), fence_, lines_.at(second_));
    finding_.order->fix_is_exact = true;
  }

  /// Barriers that their threads have passed, at one of the lines as well.
  bool has_barrier() const {
    return std::ranges::any_of(finding_.order->barriers, [this](const record::PassedBarrier& one) {
      return one.width >= *word_.set_by_other && is_same_file(one.place.file, first_.file) &&
             one.place.line >= first_.line && one.place.line <= word_.set.line;
    });
  }

  /// Whether a loop or branch, around the second access or in front of it, asks for what was read of the word.
  bool decides() const {
    if (!is_in_one_function(word_.seen, second_)) return false;
    const std::string seen = lines_.text_of(word_.seen);
    const std::string taken = written_variable(seen.substr(0, seen.find('=') + 1));
    const Statement all = statements_of(sources_, second_.file);
    return asks(all, taken);
  }
  bool asks(const Statement& of, const std::string& taken) const {
    const bool control = of.control == Statement::Control::loop || of.control == Statement::Control::branch;
    if (control && of.first >= word_.seen.line && of.first <= second_.line &&
        (of.first == word_.seen.line || has_word(of.words, name_) || (!taken.empty() && has_word(of.words, taken))))
      return true;
    return std::ranges::any_of(of.parts, [&](const Statement& part) { return asks(part, taken); });
  }

  void add_barrier(bool lacks_fence) {
    const std::string barrier(barrier_of(*word_.set_by_other));
    const char* const others = *word_.set_by_other == Width::warp ? "warp" : "block";
    finding_.why = fmt::format(
        "One thread sets {} at {} for others of its {}, and no barrier lies between their writes at {} and that: they "
        "may come later.",
        name_, lines_.at(word_.set), others, lines_.at(first_));
    if (finding_.parties[0].role != Role::write)
      finding_.why.replace(finding_.why.find("their writes"), 12, "their accesses");
    const std::string also = lacks_fence ? fmt::format(", then {}", fence_) : std::string();
    parts_.push_back(fmt::format("{}{} after {} and before {}", barrier, also, lines_.at(first_), set_));
    insert(first_, word_.set, barrier + ";" + (lacks_fence ? " " + fence_ + ";" : std::string()));
  }

  void add_release() {
    finding_.why = fmt::format("The {} at {} may become visible after {}: {}.",
                               finding_.parties[0].role == Role::write ? "write" : "access", lines_.at(first_), set_,
                               what_orders(word_.narrow_before_set));
    parts_.push_back(
        fmt::format("{} after {} and before {}{}", fence_, lines_.at(first_), set_, instead(word_.narrow_before_set)));
    insert(first_, word_.set, fence_ + ";");
  }

  void add_acquire() {
    const std::string before = is_of_one_line(word_.seen, second_) ? "the access there" : lines_.at(second_);
    const std::string side = fmt::format("after {} and before {}{}", seen_, before, instead(word_.narrow_after_seen));
    if (parts_.empty()) {
      finding_.why = fmt::format("The access at {} may take place before {}: {}.", lines_.at(second_), seen_,
                                 what_orders(word_.narrow_after_seen));
    }
    const bool fences_first = !parts_.empty() && !word_.fenced_before_set;
    parts_.push_back((fences_first && parts_.front().starts_with(fence_) ? "another one" : fence_) + " " + side);
    insert(word_.seen, second_, fence_ + ";");
  }

  static const char* what_orders(bool narrow) {
    return narrow ? "what orders them does so only for threads of their block" : "no fence lies between them";
  }
  static const char* instead(bool narrow) { return narrow ? ", instead of a fence for the block" : ""; }

  void insert(const Place& after, const Place& before, const std::string& text) {
    if (!is_in_one_function(after, before)) {
      are_insertions_ = false;
      return;
    }
    const auto made = insertion_between(sources_, first_.file, after.line, before.line, text);
    are_insertions_ = are_insertions_ && made.has_value();
    if (made.has_value()) insertions_.push_back(*made);
  }

  Finding& finding_;
  const HandOver& word_;
  const Place& first_;
  const Place& second_;
  SourceText& sources_;
  const FindingLines lines_;
  std::string name_;
  std::string set_;   // "flag is set at line 4"
  std::string seen_;  // "flag is read at line 7"
  std::string fence_;
  std::vector<std::string> parts_;  // of the fix
  std::vector<record::Insertion> insertions_;
  bool are_insertions_ = true;
};

}  // namespace

std::string_view barrier_of(Width width) {
  return kBarriers[static_cast<std::size_t>(width)];
}

std::string_view fence_of(Width width) {
  return width <= Width::block ? "__threadfence_block()" : "__threadfence()";
}

HandOverSpan span_of(const Finding& finding, std::span<const Finding> findings) {
  HandOverSpan span{finding.parties[0].place, finding.parties[1].place};
  const HandOver& word = *finding.order->hand_over;
  for (const Finding& other : findings) {
    if (!is_of_one_word(finding, other)) continue;
    const Place& first = other.parties[0].place;
    const Place& second = other.parties[1].place;
    // One fence is for all that is handed over.
    if (is_between(span.first, first, word.set)) span.first = first;
    if (is_between(word.seen, second, span.second) && !is_of_one_line(second, span.second)) span.second = second;
  }
  return span;
}

bool explain_hand_over(Finding& finding, const HandOverSpan& span, SourceText& sources) {
  return HandOverExplanation(finding, span, sources).write();
}

}  // namespace warpfiber::report

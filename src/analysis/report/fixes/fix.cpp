// SPDX-License-Identifier: Apache-2.0
//
// The sentences of races.
#include "report/fixes/fix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "report/fixes/finding_lines.hpp"
#include "report/fixes/placement.hpp"
#include "report/fixes/race_parts.hpp"
#include "report/fixes/source/source_words.hpp"
#include "report/fixes/source/statements.hpp"

namespace warpfiber::report {
namespace {

using record::Finding;
using record::MissingOrder;
using record::Party;
using record::Place;
using record::Role;
using record::Width;

constexpr std::array<std::string_view, 4> kUnits{"warp", "block", "cluster", "grid"};

/// The party that writes first, and the other one.
std::pair<const Party*, const Party*> writer_and_reader(const Finding& race) {
  const bool writes_first = race.parties[0].role == Role::write;
  return {&race.parties[writes_first ? 0 : 1], &race.parties[writes_first ? 1 : 0]};
}

bool is_of_one_thread(const record::Members& one, const record::Members& other) {
  if (one.blocks.empty() || one.threads.empty() || other.blocks.empty() || other.threads.empty()) return false;
  return one.blocks.front().first == other.blocks.front().first &&
         one.threads.front().first == other.threads.front().first;
}

bool comes_first(const Party& one, const Party& other) {
  return one.place.known() && one.place.file == other.place.file && one.place.function == other.place.function &&
         one.place.line < other.place.line && is_of_one_thread(one.who, other.who);
}

/// One thread of the block looks for all, and a barrier of the block comes between.
bool comes_first_in_block(const Party& one, const Party& other, const Finding& race) {
  const bool same_function = one.place.known() && one.place.file == other.place.file &&
                             one.place.function == other.place.function && one.place.line < other.place.line;
  if (!same_function || !race.order.has_value() || one.who.blocks.empty() || other.who.blocks.empty()) return false;
  return one.who.blocks.front().first == other.who.blocks.front().first &&
         std::ranges::any_of(race.order->barriers, [&](const record::PassedBarrier& barrier) {
           return barrier.width == Width::block && barrier.place.line >= one.place.line &&
                  barrier.place.line <= other.place.line && is_same_file(barrier.place.file, one.place.file);
         });
}

/// Whether the threads of `race` hand over what it is about by a plain variable, of which `flag` is the race.
bool is_handed_over_by(const Finding& race, const Finding& flag) {
  if (race.parties.size() < 2 || flag.parties.size() < 2) return false;
  const auto [writer, reader] = writer_and_reader(race);
  const auto [sets, polls] = writer_and_reader(flag);
  return writer->role == Role::write && sets->role == Role::write && comes_first(*writer, *sets) &&
         (comes_first(*polls, *reader) || comes_first_in_block(*polls, *reader, race));
}

/// Whether one of the accesses waits for the other. One of them is plain.
bool is_polled(const Finding& race, SourceText& sources) {
  const std::string_view variable = race.object.has_value() ? variable_of(race.object->name) : std::string_view();
  return race.order.has_value() && std::ranges::any_of(race.parties, [&](const Party& party) {
           return party.role == Role::read && is_polling(party.place, variable, sources);
         });
}

class RaceExplanation {
 public:
  RaceExplanation(Finding& finding, const std::optional<Gap>& gap, SourceText& sources)
      : finding_(finding), order_(*finding.order), gap_(gap), sources_(sources), lines_(finding, sources) {}

  /// What the race's threads hand over by a word, with all other races that have to do with it.
  void set_span(std::span<const Finding> findings) {
    if (order_.hand_over.has_value()) span_ = span_of(finding_, findings);
  }

  void write() {
    if (span_.has_value() && explain_hand_over(finding_, *span_, sources_)) return;
    if (order_.pointers_apart.has_value() && !order_.both_write && arrays_differ())
      return explain_overlap(*order_.pointers_apart);
    if (explain_release(finding_, sources_)) return;
    if (!polled() && explain_roles(finding_, sources_)) return;
    if (gap_.has_value() && !polled() && explain_phase(finding_, *gap_, sources_)) return;
    finding_.why = why();
    choose_fix();
    finding_.order->fix_is_exact = gap_.has_value() && !polled() && (gap_->checks || gap_->is_call || !gap_->one_line);
    if (order_.one_atomic && !polled())
      finding_.fix += "; or make the other access atomic as well, if only this value matters";
  }

  bool polled() const { return is_polled(finding_, sources_); }

  /// The race may be a consequence of an access out of bounds at one of its lines.
  void note_out_of_bounds(const Finding& outside) {
    for (const Party& party : outside.parties) {
      const bool here = std::ranges::any_of(finding_.parties,
                                            [&](const Party& one) { return is_of_one_line(one.place, party.place); });
      if (here) {
        finding_.why += fmt::format(" An access at {} is out of bounds, which may cause this race.", at(party.place));
        return;
      }
    }
  }

  /// A barrier in a loop that threads leave at different times is a mistake of its own.
  void even_out(unsigned loop) {
    finding_.fix =
        fmt::format("let all threads make as many iterations of the loop at {}, and then {}", at(loop), finding_.fix);
    finding_.insertions.clear();
  }

  /// What is handed over by a flag that is itself a plain variable: one defect.
  void explain_plain_flag(Finding& flag) {
    const auto [sets, polls] = writer_and_reader(flag);
    const std::string variable = written_variable(text_of(sets->place));
    const std::string name = variable.empty() ? "the flag" : variable;
    const std::string plain =
        sets->strong    ? fmt::format("The read of {} at {} is plain, so it does", name, at(polls->place))
        : polls->strong ? fmt::format("The write to {} at {} is plain, so it does", name, at(sets->place))
                        : fmt::format("The accesses to {} at {} and {} are plain, so they do", name, at(sets->place),
                                      at(polls->place));
    finding_.why = plain + " not order these two accesses.";
    set_exact_fix(fmt::format("make {} atomic or volatile, with a {} before it is set at {} and after it is read at {}",
                              name, fence_of(order_.width), at(sets->place), at(polls->place)));
    copy_to(flag);
  }

  /// Who finds the flag unset initialises the data and sets it; who finds it set uses the data.
  void explain_checked_flag(Finding& flag) {
    const auto [sets, checks] = writer_and_reader(flag);
    const std::string variable = written_variable(text_of(sets->place));
    const std::string name = variable.empty() ? "the flag" : variable;
    finding_.why = fmt::format(
        "Who finds {} set at {} uses what was written before it was set at {}, but neither of these accesses of {} "
        "orders anything.",
        name, at(checks->place), at(sets->place), name);
    set_exact_fix(
        fmt::format("read {} at {} by an acquire load and set it at {} by a release store (cuda::atomic_ref), or make "
                    "both atomic, with a {} before it is set and after it is read",
                    name, at(checks->place), at(sets->place), fence_of(order_.width)));
    copy_to(flag);
  }

 private:
  void choose_fix() {
    if (polled()) {
      finding_.fix = fix_of_polling();
    } else if (gap_.has_value() && gap_->checks) {
      finding_.fix = fix_of_check();
    } else {
      MissingBarrier missing = missing_barrier(finding_, gap_, sources_);
      finding_.fix = std::move(missing.fix);
      finding_.insertions = std::move(missing.insertions);
    }
  }

  std::string fix_of_check() const {
    const std::string lines =
        gap_->one_line ? "the check and the write at " + at(gap_->after)
                       : fmt::format("the check at {} and the write at {}", at(gap_->after), at(gap_->before));
    const std::string line = text_of(Place{.file = gap_->file, .line = gap_->after});
    const bool equal = line.find("==") != std::string::npos || line.find('!') != std::string::npos;
    return fmt::format("one atomic function in place of {}, such as {}", lines,
                       equal ? "atomicCAS()" : "atomicMin(), atomicMax() or atomicCAS()");
  }

  std::string why() const {
    std::string text = "No barrier separates these two accesses.";
    if (order_.width == Width::warp)
      text += " Both threads are in one warp, whose lanes do not run in lock-step since sm_70.";
    if (order_.width == Width::cluster)
      text = "No barrier of the cluster separates these two accesses of threads in different blocks.";
    if (order_.width == Width::grid) {
      text =
          "The threads are in different blocks, and no grid barrier and no flag with fences orders these two accesses.";
    }
    if (gap_.has_value() && gap_->too_narrow.place.known()) {
      const Width narrow = gap_->too_narrow.width;
      text += fmt::format(" The barrier at {} orders only threads of one {}.", at(gap_->too_narrow.place.line),
                          kUnits[static_cast<std::size_t>(narrow)]);
    }
    if (gap_.has_value() && gap_->next_call)
      text += " The barrier between the lines is none between one call and the next.";
    if (gap_.has_value() && gap_->skipped != 0)
      text += fmt::format(" Some iterations leave out the barrier at {}.", at(gap_->skipped));
    if (order_.one_atomic) text += " Only one of them is atomic or volatile.";
    return text;
  }

  std::string at(const Place& place) const { return lines_.at(place); }
  std::string at(unsigned line) const { return at(Place{.file = gap_->file, .line = line}); }

  std::string fix_of_polling() const {
    const auto [writer, reader] = writer_and_reader(finding_);
    if (reader->strong) {
      return fmt::format(
          "make the write at {} atomic or volatile as well: a compiler may delay or leave out a plain one",
          at(writer->place));
    }
    return "poll with an atomic load (cuda::atomic_ref, or atomicAdd() of 0) or declare the variable volatile: a "
           "compiler may read a plain variable once and loop for ever";
  }

  std::string text_of(const Place& place) const { return lines_.text_of(place); }

  void copy_to(Finding& flag) const {
    flag.why = finding_.why;
    flag.fix = finding_.fix;
    flag.insertions.clear();
    flag.order->fix_is_exact = true;
  }

  void set_exact_fix(std::string fix) {
    finding_.fix = std::move(fix);
    finding_.insertions.clear();
    finding_.order->fix_is_exact = true;
  }

  /// Whether the two accesses name different arrays.
  bool arrays_differ() const {
    const Party* writer = &finding_.parties[0];
    const Party* reader = &finding_.parties[1];
    if (writer->role != Role::write) std::swap(writer, reader);
    if (writer->role != Role::write || reader->role != Role::read) return false;
    const std::string written = written_variable(text_of(writer->place));
    const std::vector<std::string> read = read_arrays(text_of(reader->place));
    return !written.empty() && !read.empty() && std::ranges::find(read, written) == read.end();
  }

  void explain_overlap(std::uint64_t apart) {
    const bool writes_first = finding_.parties[0].role == Role::write;
    const std::string written = written_variable(text_of(finding_.parties[writes_first ? 0 : 1].place));
    const std::string read = read_arrays(text_of(finding_.parties[writes_first ? 1 : 0].place)).front();
    finding_.why = fmt::format("The arrays {} and {} overlap: the kernel writes {} and reads {}, and both point ",
                               written, read, written, read);
    finding_.why += apart == 0 ? "to the same place." : fmt::format("into this allocation, {} bytes apart.", apart);
    set_exact_fix(fmt::format("pass arrays {} and {} that do not overlap", written, read));
  }

  Finding& finding_;
  const MissingOrder& order_;
  const std::optional<Gap>& gap_;
  std::optional<HandOverSpan> span_;
  SourceText& sources_;
  const FindingLines lines_;
};

/// Whether one barrier would end both: the same gap, and an access in common.
bool share_gap(const Finding& one, const std::optional<Gap>& gap, const Finding& other,
               const std::optional<Gap>& other_gap) {
  if (!gap.has_value() || !other_gap.has_value() || one.verdict != other.verdict) return false;
  if (gap->file != other_gap->file || gap->loop != other_gap->loop || gap->next_turn != other_gap->next_turn ||
      gap->one_line || other_gap->one_line || gap->checks || other_gap->checks)
    return false;
  if (std::max(gap->after, other_gap->after) >= std::min(gap->before, other_gap->before) && !gap->next_turn)
    return false;
  return std::ranges::any_of(one.parties, [&](const Party& party) {
    return std::ranges::any_of(other.parties,
                               [&](const Party& another) { return is_of_one_line(party.place, another.place); });
  });
}

/// Whether threads have missed a barrier in the loop that the race is in, because its head differs from thread to
/// thread. A loop that the race itself makes uneven needs no more than what ends the race.
bool is_uneven(const Gap& gap, std::span<const Finding> findings, SourceText& sources) {
  if (gap.loop == 0) return false;
  const Statement all = statements_of(sources, gap.file);
  return std::ranges::any_of(findings, [&](const Finding& other) {
    if (other.verdict != record::Verdict::barrier_divergence || other.parties.empty()) return false;
    const Place& barrier = other.parties.front().place;
    const auto around = statements_around(all, barrier.line, gap.after);
    if (!is_same_file(barrier.file, gap.file) || around.size() < 2) return false;
    const auto dependent = thread_dependent(*around[1], false);
    return std::ranges::any_of(around, [&](const Statement* one) {
      return one->control == Statement::Control::loop && one->first == gap.loop && depends_on(one->words, dependent);
    });
  });
}

/// A plain flag and what it hands over are one defect: a flag that is polled, or checked and set by who finds it unset.
void explain_flags(std::span<Finding> findings, const std::vector<std::optional<Gap>>& gaps, SourceText& sources) {
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!findings[i].order.has_value() || is_polled(findings[i], sources)) continue;
    for (std::size_t j = 0; j < findings.size(); ++j) {
      if (i == j || !findings[j].order.has_value() || !is_handed_over_by(findings[i], findings[j])) continue;
      const bool checks = gaps[j].has_value() && gaps[j]->checks && !(gaps[i].has_value() && gaps[i]->checks);
      RaceExplanation explanation(findings[i], gaps[i], sources);
      if (is_polled(findings[j], sources)) {
        explanation.explain_plain_flag(findings[j]);
      } else if (checks) {
        explanation.explain_checked_flag(findings[j]);
      }
    }
  }
}

}  // namespace

void explain_races(std::span<Finding> findings, SourceText& sources) {
  std::vector<std::optional<Gap>> gaps;
  for (const Finding& finding : findings) gaps.push_back(gap_of(finding, sources));
  for (std::size_t i = 0; i < findings.size(); ++i) {
    for (std::size_t j = 0; j < findings.size(); ++j) {
      if (i == j || !share_gap(findings[i], gaps[i], findings[j], gaps[j])) continue;
      findings[i].order->width = std::max(findings[i].order->width, findings[j].order->width);
      gaps[i]->first = std::min(gaps[i]->first, gaps[j]->first);
      gaps[i]->last = std::max(gaps[i]->last, gaps[j]->last);
      gaps[i]->after = std::max(gaps[i]->after, gaps[j]->after);
      gaps[i]->before = std::min(gaps[i]->before, gaps[j]->before);
    }
  }
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!findings[i].order.has_value()) continue;
    if (findings[i].order->lost_update) {
      explain_lost_update(findings[i], sources);
      continue;
    }
    RaceExplanation explanation(findings[i], gaps[i], sources);
    explanation.set_span(findings);
    explanation.write();
    for (const Finding& other : findings)
      if (record::is_out_of_bounds(other.verdict)) explanation.note_out_of_bounds(other);
    if (gaps[i].has_value() && is_uneven(*gaps[i], findings, sources)) explanation.even_out(gaps[i]->loop);
  }
  explain_flags(findings, gaps, sources);
}

}  // namespace warpfiber::report

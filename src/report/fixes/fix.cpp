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

#include "report/fixes/placement.hpp"
#include "report/fixes/source_words.hpp"

namespace warpfiber::report {
namespace {

using record::Finding;
using record::HandOver;
using record::MissingOrder;
using record::Party;
using record::Place;
using record::Role;
using record::Width;

/// In the order of Width.
constexpr std::array<std::string_view, 4> kBarriers{"__syncwarp()", "__syncthreads()", "cluster.sync()", "grid.sync()"};
constexpr std::array<std::string_view, 4> kUnits{"warp", "block", "cluster", "grid"};

std::string_view barrier_of(Width width) {
  return kBarriers[static_cast<std::size_t>(width)];
}

std::string_view fence_of(Width width) {
  return width <= Width::block ? "__threadfence_block()" : "__threadfence()";
}

bool is_of_one_line(const Place& one, const Place& other) {
  return one.known() && one.line == other.line && one.file == other.file;
}

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

/// Whether the threads of `race` hand over what it is about by a plain variable, of which `flag` is the race.
bool is_handed_over_by(const Finding& race, const Finding& flag) {
  if (race.parties.size() < 2 || flag.parties.size() < 2) return false;
  const auto [writer, reader] = writer_and_reader(race);
  const auto [sets, polls] = writer_and_reader(flag);
  return writer->role == Role::write && sets->role == Role::write && comes_first(*writer, *sets) &&
         comes_first(*polls, *reader);
}

/// Whether one of the accesses waits for the other. One of them is plain.
bool is_polled(const Finding& race, SourceText& sources) {
  return race.order.has_value() && std::ranges::any_of(race.parties, [&sources](const Party& party) {
           return party.role == Role::read && is_polling(party.place, sources);
         });
}

class RaceExplanation {
 public:
  RaceExplanation(Finding& finding, const std::optional<Gap>& gap, SourceText& sources)
      : finding_(finding), order_(*finding.order), gap_(gap), sources_(sources) {}

  void write() {
    if (order_.hand_over.has_value() && can_hand_over(*order_.hand_over)) return explain_hand_over(*order_.hand_over);
    if (order_.pointers_apart.has_value() && !order_.both_write && arrays_differ())
      return explain_overlap(*order_.pointers_apart);
    finding_.why = why();
    finding_.fix = chosen_fix();
    finding_.order->fix_is_exact = gap_.has_value() && !polled() && (gap_->checks || !gap_->one_line);
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
    flag.why = finding_.why;
    flag.fix = finding_.fix;
    flag.order->fix_is_exact = true;
  }

 private:
  std::string chosen_fix() const {
    if (polled()) return fix_of_polling();
    if (!gap_.has_value()) return fix();
    if (gap_->checks) return fix_of_check();
    return gap_->one_line ? fix_in_line() : fix();
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

  /// No barrier may stand in a loop that threads leave at different times, or in a branch that only some take.
  std::string fix_of_division() const {
    const std::string barrier(barrier_of(order_.width));
    if (!gap_->divided_loop) {
      return fmt::format(
          "end the branch at {} after {}, then {} for all threads, then a branch with the same condition",
          at(gap_->divided), at(gap_->after), barrier);
    }
    return fmt::format(
        "atomic accesses on both sides, or a loop for each side with {} between the two: threads may leave the loop at "
        "{} at different times, so a barrier in it would be divergent",
        barrier, at(gap_->divided));
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
    if (order_.one_atomic) text += " Only one of them is atomic or volatile.";
    return text;
  }

  /// "line 12", or with its file where that is not the one that the finding is all about.
  std::string at(const Place& place) const {
    const bool same = std::ranges::all_of(
        finding_.parties, [&](const Party& party) { return !party.place.known() || party.place.file == place.file; });
    if (same) return fmt::format("line {}", place.line);
    return fmt::format("{}:{}", place.file.substr(place.file.find_last_of('/') + 1), place.line);
  }
  std::string at(unsigned line) const { return at(Place{.file = gap_->file, .line = line}); }

  /// "after line 8 and before line 11".
  std::string where() const {
    std::string text = fmt::format("after {} and before {}", at(gap_->after), at(gap_->before));
    if (gap_->next_turn) text += fmt::format(" in the next iteration of the loop at {}", at(gap_->loop));
    return text;
  }

  std::string fix() const {
    const std::string barrier(barrier_of(order_.width));
    if (order_.width == Width::grid) return fix_between_blocks();
    if (!gap_.has_value()) return barrier + " between the two accesses, reached by all threads";
    if (gap_->too_narrow.place.known() && !gap_->both_ways) {
      return fmt::format("{} in place of the barrier at {}", barrier, at(gap_->too_narrow.place.line));
    }
    if (gap_->divided != 0) return fix_of_division();
    if (gap_->last_update != 0) return fix_of_updates();
    std::string text = barrier + " " + where();
    if (gap_->both_ways) {
      text += fmt::format(", and another one after {} and before {} in the next iteration of the loop at {}",
                          at(gap_->last), at(gap_->first), at(gap_->loop));
    }
    if (gap_->inner_loop != 0)
      text += fmt::format(", and another one at the end of each iteration of the loop at {}", at(gap_->inner_loop));
    return text;
  }

  /// Each statement of a row reads what other threads write in it, and in the one before.
  std::string fix_of_updates() const {
    const std::string_view barrier = barrier_of(order_.width);
    return fmt::format(
        "at each of the updates from {} to {}, read the values into variables, then {}, then write, then {}{}",
        at(gap_->after), at(gap_->last_update), barrier, barrier,
        order_.width == Width::warp ? "; or exchange the values with __shfl_down_sync()" : "");
  }

  std::string fix_between_blocks() const {
    if (!gap_.has_value()) {
      return "two kernel launches, or grid.sync() between the two accesses in a cooperative launch; or atomic "
             "accesses on both sides, if either value will do";
    }
    if (gap_->next_turn)
      return "one kernel launch for each iteration, or grid.sync() " + where() + ", in a cooperative launch";
    return "two kernel launches, split " + where() +
           ", or grid.sync() there in a cooperative launch; or atomic accesses on both sides, if either value "
           "will do";
  }

  /// Both threads execute the same line.
  std::string fix_in_line() const {
    const std::string line = text_of(finding_.parties.front().place);
    const std::string function = atomic_function_for(line);
    if (order_.both_write && !function.empty())
      return function + " in place of the plain update" +
             (order_.width == Width::grid ? "" : ", or let one thread do it for all");
    if (order_.both_write) return "let one thread write it, or give each thread an element of its own; or an atomic";
    if (order_.width == Width::grid) return fix_in_line_of_grid(line);
    const std::string barrier(barrier_of(order_.width));
    const std::string split = fmt::format("read the value into a variable, then {}, then write", barrier);
    if (!gap_->next_turn) return split;
    if (!updated_array(line).empty())
      return fmt::format("{}, then {}, in every iteration of the loop at {}", split, barrier, at(gap_->loop));
    return fmt::format("{} after {}, in every iteration of the loop at {}", barrier, at(gap_->after), at(gap_->loop));
  }

  std::string fix_in_line_of_grid(const std::string& line) const {
    if (gap_->loop == 0 || !updated_array(line).empty())
      return "write to a second array instead of the one that is read, and swap the two between launches";
    return fmt::format(
        "one kernel launch for each iteration of the loop at {}, or grid.sync() in it, in a cooperative launch",
        at(gap_->loop));
  }

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

  std::string text_of(const Place& place) const {
    return place.known() ? sources_.line(place.file, place.line).value_or("") : std::string();
  }

  void explain_hand_over(const HandOver& word) {
    std::string name = word.name.empty() ? written_variable(text_of(word.set)) : word.name;
    if (name.empty()) name = word.is_lock ? "the lock" : "the flag";
    const Place& first = finding_.parties[0].place;
    const Place& second = finding_.parties[1].place;
    const std::string set = fmt::format("{} is {} at {}", name, word.is_lock ? "released" : "set", at(word.set));
    const std::string seen = fmt::format("{} is {} at {}", name, word.is_lock ? "taken" : "read", at(word.seen));
    const std::string fence(fence_of(order_.width));
    std::string missing;
    if (!word.fenced_before_set) {
      finding_.why = fmt::format("The {} at {} may become visible after {}: {}.",
                                 finding_.parties[0].role == Role::write ? "write" : "access", at(first), set,
                                 what_orders(word.narrow_before_set));
      missing = fmt::format("{} after {} and before {}{}", fence, at(first), set, instead(word.narrow_before_set));
    }
    if (!word.fenced_after_seen) {
      const std::string side =
          fmt::format("after {} and before {}{}", seen, at(second), instead(word.narrow_after_seen));
      if (missing.empty()) {
        finding_.why = fmt::format("The access at {} may take place before {}: {}.", at(second), seen,
                                   what_orders(word.narrow_after_seen));
      }
      missing += missing.empty() ? fence + " " + side : ", and another one " + side;
    }
    set_exact_fix(missing);
  }
  static const char* what_orders(bool narrow) {
    return narrow ? "what orders them does so only for threads of their block" : "no fence lies between them";
  }
  static const char* instead(bool narrow) { return narrow ? ", instead of a fence for the block" : ""; }

  /// Whether the lines can be in the order of a hand-over: first access, write of the word; its read, second access.
  bool can_hand_over(const HandOver& word) const {
    const Place& first = finding_.parties[0].place;
    const Place& second = finding_.parties[1].place;
    const auto follows = [](const Place& one, const Place& other) {
      return one.known() && one.file == other.file && one.function == other.function && one.line > other.line;
    };
    const bool one_line = is_of_one_line(first, second) && is_of_one_line(first, word.set);
    return !one_line && (word.fenced_before_set || !follows(first, word.set)) &&
           (word.fenced_after_seen || !follows(word.seen, second));
  }

  void set_exact_fix(std::string fix) {
    finding_.fix = std::move(fix);
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
  SourceText& sources_;
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
    RaceExplanation explanation(findings[i], gaps[i], sources);
    explanation.write();
    for (Finding& other : findings) {
      if (record::is_out_of_bounds(other.verdict)) explanation.note_out_of_bounds(other);
      if (!explanation.polled() && is_polled(other, sources) && is_handed_over_by(findings[i], other))
        explanation.explain_plain_flag(other);
    }
  }
}

}  // namespace warpfiber::report

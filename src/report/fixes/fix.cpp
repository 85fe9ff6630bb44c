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

class Explanation {
 public:
  Explanation(Finding& finding, const std::optional<Gap>& gap, SourceText& sources)
      : finding_(finding), order_(*finding.order), gap_(gap), sources_(sources) {}

  void write() {
    if (order_.hand_over.has_value()) return explain_hand_over(*order_.hand_over);
    if (order_.pointers_apart.has_value() && !order_.both_write && arrays_differ())
      return explain_overlap(*order_.pointers_apart);
    finding_.why = why();
    finding_.fix = polled() ? fix_of_polling() : gap_.has_value() && gap_->one_line ? fix_in_line() : fix();
    if (order_.one_atomic && !polled())
      finding_.fix += "; or make the other access atomic as well, if only this value matters";
  }

 private:
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
    if (order_.one_atomic) text += " Only one of them is atomic.";
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
    std::string text = barrier + " " + where();
    if (gap_->both_ways) {
      text +=
          fmt::format(", and another one after {} and before {} in the next iteration of the loop at {}",
                      at(std::max(gap_->after, gap_->before)), at(std::min(gap_->after, gap_->before)), at(gap_->loop));
    }
    return text;
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
      return fmt::format("{} in place of the plain update, or let one thread do it for all", function);
    if (order_.both_write) return "let one thread write it, or give each thread an element of its own; or an atomic";
    if (order_.width == Width::grid)
      return "write to a second array instead of the one that is read, and swap the two between launches";
    const std::string barrier(barrier_of(order_.width));
    if (gap_->next_turn)
      return fmt::format("{} after {}, in every iteration of the loop at {}", barrier, at(gap_->after), at(gap_->loop));
    return fmt::format("read the value into a variable, then {}, then write", barrier);
  }

  bool polled() const {
    return std::ranges::any_of(finding_.parties, [this](const Party& party) {
      return party.role == Role::read && !party.strong && is_polling(party.place, sources_);
    });
  }
  static std::string fix_of_polling() {
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
    const char* const set = word.is_lock ? "released" : "set";
    const char* const seen = word.is_lock ? "taken" : "read";
    const std::string fence(fence_of(order_.width));
    std::string missing;
    if (!word.fenced_before_set) {
      finding_.why =
          fmt::format("The {} at {} may become visible after {} is {} at {}: no fence lies between them.",
                      finding_.parties[0].role == Role::write ? "write" : "access", at(first), name, set, at(word.set));
      missing = fmt::format("{} after {} and before {} is {} at {}", fence, at(first), name, set, at(word.set));
    }
    if (!word.fenced_after_seen) {
      const std::string side = fmt::format("after {} is {} at {} and before {}", name, seen, at(word.seen), at(second));
      if (missing.empty()) {
        finding_.why = fmt::format("The access at {} may take place before {} is {} at {}: no fence lies between them.",
                                   at(second), name, seen, at(word.seen));
      }
      missing += missing.empty() ? fence + " " + side : ", and another one " + side;
    }
    finding_.fix = missing;
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
    finding_.why = "Two arguments of the kernel point into this allocation, ";
    finding_.why += apart == 0 ? "to the same place" : fmt::format("{} bytes apart", apart);
    finding_.why += ": the array that is written and the one that is read overlap.";
    finding_.fix = "give the kernel arrays that do not overlap";
  }

  Finding& finding_;
  const MissingOrder& order_;
  const std::optional<Gap>& gap_;
  SourceText& sources_;
};

bool is_of_one_line(const Place& one, const Place& other) {
  return one.known() && one.line == other.line && one.file == other.file;
}

/// Whether one barrier would end both: the same gap, and an access in common.
bool share_gap(const Finding& one, const std::optional<Gap>& gap, const Finding& other,
               const std::optional<Gap>& other_gap) {
  if (!gap.has_value() || !other_gap.has_value() || one.id != other.id) return false;
  if (gap->file != other_gap->file || gap->loop != other_gap->loop || gap->next_turn != other_gap->next_turn ||
      gap->one_line || other_gap->one_line)
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
      gaps[i]->after = std::max(gaps[i]->after, gaps[j]->after);
      gaps[i]->before = std::min(gaps[i]->before, gaps[j]->before);
    }
  }
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (findings[i].order.has_value()) Explanation(findings[i], gaps[i], sources).write();
  }
}

}  // namespace warpfiber::report

// SPDX-License-Identifier: Apache-2.0
//
// From the gap between two accesses to the change that closes it. No barrier is put where only some threads come.
#include "report/fixes/race_parts.hpp"

#include <fmt/format.h>

#include <utility>

#include "report/fixes/finding_lines.hpp"
#include "report/fixes/source/source_words.hpp"

namespace warpfiber::report {
namespace {

using record::Finding;
using record::MissingOrder;
using record::Place;
using record::Width;

class BarrierFix {
 public:
  BarrierFix(const Finding& finding, const std::optional<Gap>& gap, SourceText& sources)
      : finding_(finding),
        order_(*finding.order),
        gap_(gap),
        sources_(sources),
        lines_(finding, sources),
        barrier_(barrier_of(order_.width)) {}

  MissingBarrier make() {
    std::string fix = gap_.has_value() && gap_->one_line ? fix_in_line() : this->fix();
    MissingBarrier made{std::move(fix)};
    if (!are_whole_ || insertions_.empty()) return made;
    made.insertions.push_back(insertions_);
    if (order_.width == Width::warp && gap_->divided == 0) made.insertions.push_back(of_the_block());
    return made;
  }

 private:
  std::string at(unsigned line) const { return lines_.at({.file = gap_->file, .line = line}); }

  /// "after line 8 and before line 11".
  std::string where() const {
    std::string text = fmt::format("after {} and before {}", at(gap_->after), at(gap_->before));
    if (gap_->next_turn) text += fmt::format(" in the next iteration of the loop at {}", at(gap_->loop));
    if (gap_->next_call) text += " in the next call";
    return text;
  }

  std::string fix() {
    if (order_.width == Width::grid) return fix_between_blocks();
    if (!gap_.has_value()) return barrier_ + " between the two accesses, reached by all threads";
    if (gap_->branches != 0) return fix_of_branches();
    if (gap_->too_narrow.place.known() && !gap_->both_ways) {
      insert_after(gap_->too_narrow.place.line);
      return fmt::format("{} in place of the barrier at {}", barrier_, at(gap_->too_narrow.place.line));
    }
    if (gap_->divided != 0) return fix_of_division();
    if (gap_->last_update != 0) return fix_of_updates();
    return fix_at_place();
  }

  std::string fix_at_place() {
    std::string text = barrier_ + " " + where();
    if (gap_->next_turn || gap_->next_call) {
      insert_after(gap_->after);
    } else {
      insert(insertion_between(sources_, gap_->file, gap_->after, gap_->before, statement()));
    }
    if (gap_->both_ways) {
      text += fmt::format(", and another one after {} and before {} in the next iteration of the loop at {}",
                          at(gap_->last), at(gap_->first), at(gap_->loop));
      if (gap_->inner_loop == 0) insert_after(gap_->last);
    }
    if (gap_->inner_loop != 0) {
      text += fmt::format(", and another one at the end of each iteration of the loop at {}", at(gap_->inner_loop));
      are_whole_ = false;
    }
    return text;
  }

  /// No barrier may stand in a loop that threads leave at different times, or in a branch that only some take.
  std::string fix_of_division() const {
    if (!gap_->divided_loop) {
      return fmt::format(
          "end the branch at {} after {}, then {} for all threads, then a branch with the same condition",
          at(gap_->divided), at(gap_->after), barrier_);
    }
    return fmt::format(
        "let all threads make as many iterations, with the work behind an if and {} outside of that, or a loop for "
        "each side with {} between the two: threads may leave the loop at {} at different times, so a barrier in it as "
        "it is would be divergent",
        barrier_, barrier_, at(gap_->divided));
  }

  /// Threads that take one branch do not come to a barrier in the other.
  std::string fix_of_branches() const {
    const bool first_writes = finding_.parties[0].role == record::Role::write;
    const Place& first = finding_.parties[0].place;
    const Place& second = finding_.parties[1].place;
    const Place& earlier = first_writes ? first : second;
    const Place& later = first_writes ? second : first;
    return fmt::format(
        "end the if at {} after {}, then {} for all threads, then an if of its own for {}; or a named barrier "
        "(bar.sync) "
        "that the threads of both lines pass between them: the same number, and the count of both",
        at(gap_->branches), lines_.at(earlier), barrier_, lines_.at(later));
  }

  /// Each statement of a row reads what other threads write in it, and in the one before.
  std::string fix_of_updates() const {
    return fmt::format(
        "at each of the updates from {} to {}, read the values into variables, then {}, then write, then {}{}",
        at(gap_->after), at(gap_->last_update), barrier_, barrier_,
        order_.width == Width::warp ? "; or exchange the values with __shfl_down_sync()" : "");
  }

  std::string fix_between_blocks() const {
    if (!gap_.has_value() || gap_->branches != 0) {
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
  std::string fix_in_line() {
    const std::string line = lines_.text_of({.file = gap_->file, .line = gap_->before});
    if (gap_->is_call) return fix_of_call();
    const std::string function = atomic_function_for(line);
    if (order_.both_write && !function.empty())
      return function + " in place of the plain update" +
             (order_.width == Width::grid ? "" : ", or let one thread do it for all");
    if (order_.both_write) return "let one thread write it, or give each thread an element of its own; or an atomic";
    if (order_.width == Width::grid) return fix_in_line_of_grid(line);
    const bool needs_split = !updated_array(line).empty() && !gap_->reads_beyond;
    if (gap_->next_turn && gap_->divided_loop) return fix_of_division();
    const std::string split =
        gap_->divided != 0
            ? fmt::format(
                  "read the value into a variable, end the branch at {}, then {} for all threads, then write in "
                  "a branch with the same condition",
                  at(gap_->divided), barrier_)
            : fmt::format("read the value into a variable, then {}, then write", barrier_);
    if (!gap_->next_turn) return split;
    if (needs_split)
      return fmt::format("{}, then {}, in every iteration of the loop at {}", split, barrier_, at(gap_->loop));
    return fix_in_every_turn();
  }

  std::string fix_in_every_turn() {
    insert_after(gap_->after);
    const std::string instead = gap_->skipped == 0
                                    ? std::string()
                                    : fmt::format("; the one at {} is left out by some iterations", at(gap_->skipped));
    return fmt::format("{} after {}, in every iteration of the loop at {}{}", barrier_, at(gap_->after), at(gap_->loop),
                       instead);
  }

  /// A function of a library makes both accesses, in one call of it or in two.
  std::string fix_of_call() {
    if (order_.width == Width::grid) return fix_between_blocks_of_call();
    if (!gap_->next_turn)
      return fmt::format("{} before the next call at {} that uses the same memory, or memory of its own for each call",
                         barrier_, at(gap_->before));
    if (gap_->divided_loop) return fix_of_division();
    insert_after(gap_->after);
    return fmt::format("{} after {}, before the next iteration of the loop at {}", barrier_, at(gap_->after),
                       at(gap_->loop));
  }
  std::string fix_between_blocks_of_call() const {
    return fmt::format("give each block memory of its own in the call at {}, or two kernel launches", at(gap_->before));
  }

  std::string fix_in_line_of_grid(const std::string& line) const {
    if (gap_->loop == 0 || !updated_array(line).empty())
      return "write to a second array instead of the one that is read, and swap the two between launches";
    return fmt::format(
        "one kernel launch for each iteration of the loop at {}, or grid.sync() in it, in a cooperative launch",
        at(gap_->loop));
  }

  /// What stands in the source; the barrier of a cluster is named as its group is.
  std::string statement() const {
    return order_.width == Width::cluster ? "cooperative_groups::this_cluster().sync();" : barrier_ + ";";
  }
  void insert(std::optional<record::Insertion> made) {
    are_whole_ = are_whole_ && made.has_value();
    if (made.has_value()) insertions_.push_back(std::move(*made));
  }
  /// The same places, with a barrier for more threads than were seen in a race.
  std::vector<record::Insertion> of_the_block() const {
    std::vector<record::Insertion> wider = insertions_;
    for (record::Insertion& one : wider) one.text = std::string(barrier_of(Width::block)) + ";";
    return wider;
  }
  /// A loop that is one line has no place in it.
  void insert_after(unsigned line) {
    insert(line == gap_->loop ? std::nullopt : insertion_after(sources_, gap_->file, line, statement()));
  }

  const Finding& finding_;
  const MissingOrder& order_;
  const std::optional<Gap>& gap_;
  SourceText& sources_;
  const FindingLines lines_;
  const std::string barrier_;
  std::vector<record::Insertion> insertions_;
  bool are_whole_ = true;  // nothing of the fix is missing among them
};

}  // namespace

MissingBarrier missing_barrier(const Finding& finding, const std::optional<Gap>& gap, SourceText& sources) {
  return BarrierFix(finding, gap, sources).make();
}

}  // namespace warpfiber::report

// SPDX-License-Identifier: Apache-2.0
// The program's order of two accesses is not the order in which they ran: of two lines in a loop either may come first.
// Which one does follows from the barriers that were passed: the gap is where none was.
#include "report/fixes/placement.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/fixes/finding_lines.hpp"
#include "report/fixes/source/source_words.hpp"
#include "report/fixes/source/statements.hpp"
#include "symbols/user_code.hpp"

namespace warpfiber::report {
namespace {

using record::Finding;
using record::PassedBarrier;
using record::Place;

bool is_loop(const Statement* one) {
  return one->control == Statement::Control::loop;
}

bool leaves_pass(const Statement& statement) {
  if (is_loop(&statement)) return false;  // only itself
  return has_word(statement.words, "break") || has_word(statement.words, "continue") ||
         std::ranges::any_of(statement.parts, leaves_pass);
}

using Dependent = std::set<std::string, std::less<>>;

/// Whether some threads may leave the loop's pass where others go on.
bool is_left_apart(const Statement& of, const Dependent& dependent) {
  return std::ranges::any_of(of.parts, [&](const Statement& part) {
    if (is_loop(&part)) return false;
    const bool branch = part.control == Statement::Control::branch;
    return (branch && depends_on(part.words, dependent) && leaves_pass(part)) || is_left_apart(part, dependent);
  });
}

/// Calls that wait for asynchronous copies of their thread: a barrier for what was copied comes after.
bool waits_for_copies(std::string_view words) {
  constexpr std::string_view kCalls[] = {"__pipeline_commit", "__pipeline_wait_prior", "wait_prior",   "wait",
                                         "producer_commit",   "consumer_wait",         "commit_group", "wait_group",
                                         "wait_all",          "arrive_and_wait"};
  return std::ranges::any_of(kCalls, [words](std::string_view call) { return has_word(words, call); });
}

/// "t" of "t < n" where the line reads "[t + n]": what threads read there no other one of them writes.
bool reads_beyond(std::string_view condition, std::string_view line) {
  const std::size_t sign = condition.find(" < ");
  if (sign == std::string_view::npos) return false;
  std::string index(line);
  std::erase_if(index, [](char c) { return c == ' '; });
  std::string low(condition.substr(0, sign));
  std::string high(condition.substr(sign + 3));
  for (std::string* word : {&low, &high}) std::erase_if(*word, [](char c) { return c == ' ' || c == '(' || c == ')'; });
  return index.find("[" + low + "+" + high + "]") != std::string::npos;
}

class Gaps {
 public:
  Gaps(const Finding& finding, SourceText& sources, std::string file, unsigned low, unsigned high)
      : order_(*finding.order),
        sources_(sources),
        file_(std::move(file)),
        all_(statements_of(sources, file_)),
        low_(low),
        high_(high),
        written_(written_variable(sources.line(file_, high_).value_or(""))),
        object_(finding.object.has_value() ? variable_of(finding.object->name) : std::string_view()) {}

  std::optional<Gap> find() const {
    const std::vector<const Statement*> around = statements_around(all_, low_, high_);
    const Statement& inner = *around.back();
    if (is_check(around)) return Gap{.after = low_, .before = high_, .checks = true, .file = file_};
    // Between the branches of an if, or the head of a loop and its body, nothing can stand.
    if (inner.control == Statement::Control::branch && part_with(inner, low_) != nullptr)
      return Gap{.after = low_, .before = high_, .branches = inner.first, .file = file_};
    if (inner.control != Statement::Control::block) return std::nullopt;
    std::optional<Gap> gap = find_in(around, [](const Statement&) { return true; });
    if (gap.has_value()) return gap;
    // All barriers that there are were passed; some iterations leave one out.
    const Statement* loop = innermost_loop(around);
    if (loop == nullptr || (skipped_barrier(*loop) == 0)) return std::nullopt;
    gap = find_in(around, [this](const Statement& branch) { return branch.contains(low_) || branch.contains(high_); });
    if (gap.has_value()) gap->skipped = skipped_barrier(*loop);
    return gap;
  }

  /// `is_call`: the line calls what makes both accesses.
  Gap find_at_one_line(bool is_call) const {
    const std::vector<const Statement*> around = statements_around(all_, low_, low_);
    Gap gap{
        .after = low_, .before = low_, .one_line = true, .checks = is_check(around), .is_call = is_call, .file = file_};
    const Statement* loop = innermost_loop(around);
    if (loop == nullptr) return gap;
    gap.loop = loop->first;
    gap.skipped = skipped_barrier(*loop);
    gap.next_turn = gap.skipped != 0 ||
                    (!has_barrier(loop->first - 1, loop->last + 1) && (is_call || !has_barrier_elsewhere(around)));
    find_division(around, gap);
    // Behind the branches that only some threads take.
    const auto inside = std::find_if(std::next(std::ranges::find(around, loop)), around.end(),
                                     [](const Statement* one) { return one->control != Statement::Control::block; });
    if (inside != around.end()) gap.after = (*inside)->last;
    gap.reads_beyond = inside != around.end() && reads_beyond((*inside)->words, line(low_));
    return gap;
  }

  /// The accesses are in one function, in this order, with a barrier between them, so that they are of two calls of it.
  void find_next_call(Gap& gap, const std::vector<Place>& callers, SourceText& sources) const {
    const std::vector<const Statement*> around = statements_around(all_, low_, high_);
    gap.after = last_line_with(*around.back(), high_);
    gap.before = first_line_with(*around.back(), low_);
    gap.next_call = true;
    gap.file = file_;
    for (auto caller = callers.rbegin(); caller != callers.rend(); ++caller) {
      const Statement all = statements_of(sources, caller->file);
      const std::vector<const Statement*> calling = statements_around(all, caller->line, caller->line);
      const Statement* loop = innermost_loop(calling);
      if (loop == nullptr) continue;
      const Statement& function = *calling[calling.size() > 1 ? 1 : 0];
      const Dependent dependent = thread_dependent(function, false);
      gap.divided_loop = depends_on(loop->words, dependent) || is_left_apart(*loop, dependent);
      if (gap.divided_loop) gap.divided = loop->first;
      return;
    }
  }
  bool may_be_of_two_calls() const {
    const std::vector<const Statement*> around = statements_around(all_, low_, high_);
    return around.back()->control == Statement::Control::block && innermost_loop(around) == nullptr &&
           order_.width <= record::Width::block && low_ < high_ && has_barrier(low_, high_);
  }

 private:
  /// Whether what is written is looked at in the head of the innermost branch, which begins at the first line.
  bool is_check(const std::vector<const Statement*>& around) const {
    const auto branch = std::find_if(around.rbegin(), around.rend(),
                                     [](const Statement* one) { return one->control == Statement::Control::branch; });
    return branch != around.rend() && (*branch)->first == low_ && !written_.empty() &&
           has_word((*branch)->words, written_);
  }

  using Counts = std::function<bool(const Statement& branch)>;

  /// `counts`: whether a barrier in such a branch does.
  std::optional<Gap> find_in(const std::vector<const Statement*>& around, const Counts& counts) const {
    const Statement& inner = *around.back();
    const Statement* loop = innermost_loop(around);
    const auto ordered_between = [&](unsigned after, unsigned before) {
      return std::ranges::any_of(order_.barriers, [&](const PassedBarrier& one) {
        return one.width >= order_.width && is_between(one, after, before) && is_certain(one.place.line, loop, counts);
      });
    };
    const bool next_ordered = loop == nullptr || ordered_between(high_, loop->last + 1) ||
                              ordered_between(loop->first - 1, low_) || has_barrier_elsewhere(around);
    Gap gap{.loop = loop == nullptr ? 0 : loop->first, .file = file_};
    find_division(around, gap);
    if (!ordered_between(low_, high_)) {
      gap.before = first_line_with(inner, high_);
      gap.after = last_write_before(inner, gap.before);
      gap.both_ways = !next_ordered;
      gap.first = first_line_with(inner, low_);
      gap.last = last_line_with(inner, high_);
      gap.inner_loop = racing_loop(inner);
      gap.last_update = last_update(inner);
      gap.too_narrow = narrower_in(low_, high_);
      return gap.after < gap.before ? std::optional(gap) : std::nullopt;
    }
    if (next_ordered) return std::nullopt;
    gap.after = last_use_in_turn(inner, *loop);
    gap.before = first_line_with(inner, low_);
    gap.next_turn = true;
    return gap;
  }
  /// Whether each pass of the loop comes to the line, as far as `counts` says.
  bool is_certain(unsigned line, const Statement* loop, const Counts& counts) const {
    if (loop == nullptr || !loop->contains(line)) return true;
    const std::vector<const Statement*> around = statements_around(all_, line, line);
    return std::none_of(std::next(std::ranges::find(around, loop)), around.end(), [&](const Statement* one) {
      return one->control == Statement::Control::branch && !counts(*one);
    });
  }

  /// The line of a barrier in the loop that is in a branch without either access.
  unsigned skipped_barrier(const Statement& loop) const {
    for (const PassedBarrier& one : order_.barriers) {
      const bool inside = is_same_file(one.place.file, file_) && loop.contains(one.place.line);
      const auto has_access = [this](const Statement& branch) {
        return branch.contains(low_) || branch.contains(high_);
      };
      if (inside && !is_certain(one.place.line, &loop, has_access)) return one.place.line;
    }
    return 0;
  }

  /// The last statement of the loop's pass that uses what is written at the first line: all readers are to be done.
  unsigned last_use_in_turn(const Statement& of, const Statement& loop) const {
    unsigned last = last_line_with(of, high_);
    const std::string written =
        object_.empty() || line(high_).find(object_) == std::string::npos ? written_variable(line(low_)) : object_;
    if (written.empty() || line(high_).find(written) == std::string::npos) return last;
    for (const Statement& part : of.parts) {
      if (part.first > last && part.last <= loop.last && uses(part, written)) last = part.last;
    }
    return last;
  }
  static bool uses(const Statement& of, const std::string& variable) {
    return has_word(of.words, variable) ||
           std::ranges::any_of(of.parts, [&](const Statement& part) { return uses(part, variable); });
  }

  /// The outermost loop, or else branch, that threads which the barrier is to order take differently. A barrier in it
  /// that they have passed shows that they do not; of the lanes of a warp, names do not show it for branches.
  void find_division(const std::vector<const Statement*>& around, Gap& gap) const {
    const Dependent dependent = thread_dependent(function(), order_.width == record::Width::grid);
    for (const Statement* one : around) {
      const bool loop = is_loop(one);
      if (!loop && (one->control != Statement::Control::branch || order_.width == record::Width::warp)) continue;
      const bool apart = depends_on(one->words, dependent) || (loop && is_left_apart(*one, dependent));
      if (!apart || has_barrier(one->first - 1, one->last + 1)) continue;
      if (gap.divided != 0 && !(loop && !gap.divided_loop)) continue;
      gap.divided = one->first;
      gap.divided_loop = loop;
    }
  }

  const Statement& function() const {
    const std::vector<const Statement*> around = statements_around(all_, low_, low_);
    return *around[around.size() > 1 ? 1 : 0];
  }
  static const Statement* innermost_loop(const std::vector<const Statement*>& around) {
    const auto loop = std::find_if(around.rbegin(), around.rend(),
                                   [](const Statement* one) { return one->control == Statement::Control::loop; });
    return loop == around.rend() ? nullptr : *loop;
  }
  static const Statement* part_with(const Statement& of, unsigned line) {
    const auto part = std::ranges::find_if(of.parts, [line](const Statement& one) { return one.contains(line); });
    return part == of.parts.end() ? nullptr : &*part;
  }
  static unsigned last_line_with(const Statement& of, unsigned line) {
    const Statement* part = part_with(of, line);
    return part == nullptr ? line : part->last;
  }
  static unsigned first_line_with(const Statement& of, unsigned line) {
    const Statement* part = part_with(of, line);
    return part == nullptr ? line : part->first;
  }

  /// The last line of the statements from the first access on that write its variable and do not read it: the barrier
  /// belongs behind all of them.
  unsigned last_write_before(const Statement& of, unsigned before) const {
    unsigned last = last_line_with(of, low_);
    for (const Statement& part : of.parts) {
      if (is_copy(line(low_)) && part.first > last && part.last < before && waits_for_copies(part.words))
        last = part.last;
    }
    const std::string written = written_variable(line(low_));
    if (written.empty() || line(high_).find(written) == std::string::npos) return last;
    for (const Statement& part : of.parts) {
      if (part.first <= last) continue;
      if (part.last >= before || !only_writes(part, written)) return last;
      last = part.last;
    }
    return last;
  }
  bool only_writes(const Statement& part, const std::string& variable) const {
    bool writes = false;
    for (unsigned at = part.first; at <= part.last; ++at) {
      const std::vector<std::string> read = read_arrays(line(at));
      if (std::ranges::find(read, variable) != read.end()) return false;
      writes = writes || written_variable(line(at)) == variable;
    }
    return writes;
  }

  static bool is_copy(std::string_view text) {
    return text.find("memcpy_async") != text.npos || text.find("cp.async") != text.npos;
  }

  /// The loop that the later access is in and the earlier one is not, if its threads write there what others read. Not
  /// where threads leave it at different times, or its updates are atomic.
  unsigned racing_loop(const Statement& around) const {
    const Statement* loop = part_with(around, high_);
    if (loop == nullptr || !is_loop(loop) || loop->contains(low_) || order_.one_atomic) return 0;
    const Dependent dependent = thread_dependent(function(), false);
    if (depends_on(loop->words, dependent) || is_left_apart(*loop, dependent)) return 0;
    const bool updates = !written_.empty() && updated_array(line(high_)) == written_;
    const bool ordered = has_barrier(loop->first - 1, loop->last + 1);
    return updates && !ordered && written_variable(line(low_)) == written_ ? loop->first : 0;
  }

  /// The last of the statements from the first access on that all update the same array, of which the later access is
  /// one; 0 if it is not.
  unsigned last_update(const Statement& of) const {
    const std::string updated = updated_array(line(low_));
    unsigned last = 0;
    for (const Statement& part : of.parts) {
      if (part.last < low_) continue;
      if (updated.empty() || part.control != Statement::Control::simple || updated_array(line(part.first)) != updated)
        break;
      last = part.last;
    }
    return last >= high_ ? last : 0;
  }

  std::string line(unsigned number) const { return sources_.line(file_, number).value_or(""); }

  bool is_between(const PassedBarrier& one, unsigned after, unsigned before) const {
    return is_same_file(one.place.file, file_) && one.place.line > after && one.place.line < before;
  }
  bool has_barrier(unsigned after, unsigned before) const {
    return std::ranges::any_of(order_.barriers, [&](const PassedBarrier& one) {
      return one.width >= order_.width && is_between(one, after, before);
    });
  }
  /// In a function that the accesses are not in: the loop may call it.
  bool has_barrier_elsewhere(const std::vector<const Statement*>& around) const {
    const Statement& function = *around[around.size() > 1 ? 1 : 0];
    return std::ranges::any_of(order_.barriers, [&](const PassedBarrier& one) {
      return one.width >= order_.width && !(is_same_file(one.place.file, file_) && function.contains(one.place.line));
    });
  }
  PassedBarrier narrower_in(unsigned after, unsigned before) const {
    const auto found =
        std::ranges::find_if(order_.barriers, [&](const PassedBarrier& one) { return is_between(one, after, before); });
    return found == order_.barriers.end() ? PassedBarrier{} : *found;
  }

  const record::MissingOrder& order_;
  SourceText& sources_;
  const std::string file_;
  const Statement all_;
  const unsigned low_;
  const unsigned high_;
  const std::string written_;  // by the line that comes last
  const std::string object_;   // the variable that the race is about, as the checker names it
};

}  // namespace

std::optional<Gap> gap_of(const Finding& finding, SourceText& sources) {
  if (!finding.order.has_value() || finding.parties.size() < 2) return std::nullopt;
  const auto [one, other, callers] = lines_in_one_function(finding);
  if (!one.known() || !other.known() || !is_same_file(one.file, other.file)) return std::nullopt;
  if (one.function != other.function && !one.function.empty() && !other.function.empty()) return std::nullopt;
  const Gaps gaps(finding, sources, one.file, std::min(one.line, other.line), std::max(one.line, other.line));
  const auto is_access = [&](const Place& line) {
    return is_of_one_line(line, finding.parties[0].place) || is_of_one_line(line, finding.parties[1].place);
  };
  if (one.line == other.line) return gaps.find_at_one_line(!is_access(one));
  std::optional<Gap> gap = gaps.find();
  if (!gap.has_value() && gaps.may_be_of_two_calls()) gaps.find_next_call(gap.emplace(), callers, sources);
  return gap;
}

bool is_polling(const Place& place, std::string_view variable, SourceText& sources) {
  if (!place.known()) return false;
  const Statement all = statements_of(sources, place.file);
  const std::vector<const Statement*> around = statements_around(all, place.line, place.line);
  const std::string text = sources.line(place.file, place.line).value_or("");
  return std::ranges::any_of(around, [&](const Statement* one) {
    if (!is_loop(one) || one->first != place.line || one->parts.empty()) return false;
    const Statement& body = one->parts.front();
    const bool is_empty = body.is_empty || (body.control == Statement::Control::block && body.parts.empty());
    // Another statement of the line may be what reads the variable.
    const bool is_elsewhere =
        !variable.empty() && !has_word(one->words, variable) && text.find(variable) != std::string::npos;
    return is_empty && !is_elsewhere;
  });
}

// Two ways are compared from the kernel on: the first line that differs is in a function of both.

namespace {

using record::Finding;
using record::Place;

/// The calls that lead to a party's access and the access, outermost first; of the program's own code, if any is.
std::vector<Place> way_to(const record::Party& party) {
  std::vector<Place> way(party.stack.rbegin(), party.stack.rend());
  way.push_back(party.place);
  const auto library = std::ranges::find_if(way, [](const Place& one) { return symbols::is_cuda_library(one.file); });
  if (library != way.begin()) way.erase(library, way.end());
  return way;
}

}  // namespace

LinesOfFunction lines_in_one_function(const Finding& finding) {
  const std::vector<Place> one = way_to(finding.parties[0]);
  const std::vector<Place> other = way_to(finding.parties[1]);
  std::vector<Place> callers;
  for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i) {
    const bool known = one[i].known() && other[i].known() && is_same_file(one[i].file, other[i].file);
    if (!known) break;
    if (one[i].line != other[i].line) return {one[i], other[i], callers};
    callers.push_back(one[i]);
  }
  if (!callers.empty() && one.size() == other.size()) callers.pop_back();
  return {one.back(), other.back(), callers};
}

}  // namespace warpfiber::report

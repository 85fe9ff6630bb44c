// SPDX-License-Identifier: Apache-2.0
//
// The program's order of two accesses is not the order in which they ran: of two lines in a loop either may come first.
// Which one does follows from the barriers that were passed: the gap is where none was.
#include "report/fixes/placement.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "report/fixes/source_words.hpp"
#include "report/fixes/statements.hpp"
#include "report/fixes/uniform.hpp"

namespace warpfiber::report {
namespace {

using record::Finding;
using record::PassedBarrier;
using record::Place;

/// Variables and calls know their file as the compiler was given it, instructions by its whole path.
bool is_same_file(const std::string& one, const std::string& other) {
  const auto ends = [](const std::string& path, const std::string& part) {
    return path.ends_with(part) && (path.size() == part.size() || path[path.size() - part.size() - 1] == '/');
  };
  return ends(one, other) || ends(other, one);
}

/// The calls that lead to a party's access and the access, outermost first.
std::vector<Place> way_to(const record::Party& party) {
  std::vector<Place> way(party.stack.rbegin(), party.stack.rend());
  way.push_back(party.place);
  return way;
}

/// The first lines at which the ways to two accesses differ, which are in one function; else the accesses' own.
std::pair<Place, Place> lines_in_one_function(const Finding& finding) {
  const std::vector<Place> one = way_to(finding.parties[0]);
  const std::vector<Place> other = way_to(finding.parties[1]);
  for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i) {
    const bool known = one[i].known() && other[i].known() && is_same_file(one[i].file, other[i].file);
    if (!known) break;
    if (one[i].line != other[i].line) return {one[i], other[i]};
  }
  return {finding.parties[0].place, finding.parties[1].place};
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
        written_(written_variable(sources.line(file_, high_).value_or(""))) {}

  std::optional<Gap> find() const {
    const std::vector<const Statement*> around = statements_around(all_, low_, high_);
    const Statement& inner = *around.back();
    if (is_check(around)) return Gap{.after = low_, .before = high_, .checks = true, .file = file_};
    // Between the branches of an if, or the head of a loop and its body, nothing can stand.
    if (inner.control != Statement::Control::block) return std::nullopt;
    const Statement* loop = innermost_loop(around);
    const bool ordered = has_barrier(low_, high_);
    const bool next_ordered = loop == nullptr || has_barrier(high_, loop->last + 1) ||
                              has_barrier(loop->first - 1, low_) || has_barrier_elsewhere(around);
    Gap gap{.loop = loop == nullptr ? 0 : loop->first, .file = file_};
    find_division(around, gap);
    if (!ordered) {
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
    gap.after = last_line_with(inner, high_);
    gap.before = first_line_with(inner, low_);
    gap.next_turn = true;
    return gap;
  }

  Gap find_at_one_line() const {
    const std::vector<const Statement*> around = statements_around(all_, low_, low_);
    Gap gap{.after = low_, .before = low_, .one_line = true, .checks = is_check(around), .file = file_};
    const Statement* loop = innermost_loop(around);
    if (loop == nullptr) return gap;
    gap.loop = loop->first;
    gap.next_turn = !has_barrier(loop->first - 1, loop->last + 1) && !has_barrier_elsewhere(around);
    // Behind the branches that only some threads take.
    const auto inside = std::find_if(std::next(std::ranges::find(around, loop)), around.end(),
                                     [](const Statement* one) { return one->control != Statement::Control::block; });
    if (inside != around.end()) gap.after = (*inside)->last;
    return gap;
  }

 private:
  /// Whether what is written is looked at in the head of the innermost branch, which begins at the first line.
  bool is_check(const std::vector<const Statement*>& around) const {
    const auto branch = std::find_if(around.rbegin(), around.rend(),
                                     [](const Statement* one) { return one->control == Statement::Control::branch; });
    return branch != around.rend() && (*branch)->first == low_ && !written_.empty() &&
           has_word((*branch)->words, written_);
  }

  /// The outermost loop, or else branch, that threads which the barrier is to order take differently. A barrier in it
  /// that they have passed shows that they do not; of the lanes of a warp, names do not show it for branches.
  void find_division(const std::vector<const Statement*>& around, Gap& gap) const {
    const Statement& function = *around[around.size() > 1 ? 1 : 0];
    const auto dependent = thread_dependent(function, order_.width == record::Width::grid);
    for (const Statement* one : around) {
      const bool loop = one->control == Statement::Control::loop;
      if (!loop && (one->control != Statement::Control::branch || order_.width == record::Width::warp)) continue;
      if (!depends_on(one->words, dependent) || has_barrier(one->first - 1, one->last + 1)) continue;
      if (gap.divided != 0 && !(loop && !gap.divided_loop)) continue;
      gap.divided = one->first;
      gap.divided_loop = loop;
    }
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

  /// The loop that the later access is in and the earlier one is not, if its threads write there what others read.
  unsigned racing_loop(const Statement& around) const {
    const Statement* loop = part_with(around, high_);
    if (loop == nullptr || loop->control != Statement::Control::loop || loop->contains(low_)) return 0;
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
};

}  // namespace

std::optional<Gap> gap_of(const Finding& finding, SourceText& sources) {
  if (!finding.order.has_value() || finding.parties.size() < 2) return std::nullopt;
  const auto [one, other] = lines_in_one_function(finding);
  if (!one.known() || !other.known() || !is_same_file(one.file, other.file)) return std::nullopt;
  if (one.function != other.function && !one.function.empty() && !other.function.empty()) return std::nullopt;
  const Gaps gaps(finding, sources, one.file, std::min(one.line, other.line), std::max(one.line, other.line));
  return one.line == other.line ? gaps.find_at_one_line() : gaps.find();
}

bool is_polling(const Place& place, SourceText& sources) {
  if (!place.known()) return false;
  const Statement all = statements_of(sources, place.file);
  const std::vector<const Statement*> around = statements_around(all, place.line, place.line);
  return std::ranges::any_of(around, [&](const Statement* one) {
    if (one->control != Statement::Control::loop || one->first != place.line || one->parts.empty()) return false;
    const Statement& body = one->parts.front();
    return body.is_empty || (body.control == Statement::Control::block && body.parts.empty());
  });
}

}  // namespace warpfiber::report

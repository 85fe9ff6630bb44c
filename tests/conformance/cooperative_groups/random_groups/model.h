// SPDX-License-Identifier: Apache-2.0
//
// The sequential model: a group is a list of threads, a partition makes lists of a list, a collective is a function
// from what the threads of a list bring to what each gets. Knows nothing of warps beyond which ranks share one.
#pragma once

#include <algorithm>

#include "fold.h"

namespace random_groups {

struct Group {
  Kind kind;
  std::vector<unsigned> threads;  // by rank in the group; each its rank in the block
  unsigned meta_rank, meta_size;
  unsigned which;  // among the groups of the last partition, where that is told apart by more than the meta rank

  unsigned size() const { return unsigned(threads.size()); }
};

/// Which list of actions a thread does.
struct Part {
  int plan, actions;
};

class Model {
 public:
  /// `told`, unless it is null: what threads told. Groups of coalesced_threads() are then taken from it, each of which
  /// has to lie in one warp and on one side of the branch; else they are all threads of a warp and a side.
  Model(const Case& drawn, unsigned threads, const std::uint64_t* told)
      : case_(drawn), told_(told), results_(threads * kSlots), parts_(threads) {
    Group block = {Kind::block, {}, 0, 1, 0};
    for (unsigned t = 0; t < threads; ++t) block.threads.push_back(t);
    tell(block, 0);
    if (case_.root.cut == Cut::none) {
      act(block, 0);
    } else {
      for (const Group& group : cut(block, case_.root)) {
        const bool found = case_.root.cut == Cut::mask;
        walk(group, 1, int(group.which & 1));
        for (unsigned r = 0; found && r < group.size(); ++r) {
          slot(group, r, 1) = tell_found(group.size(), r, group.threads[0]);
        }
      }
    }
  }

  const std::vector<std::uint64_t>& results() const { return results_; }
  const Part& part(unsigned thread) const { return parts_[thread]; }

 private:
  using Groups = std::vector<Group>;
  using Row = std::vector<std::uint64_t>;

  void tell(const Group& group, int level) {
    const bool told = group.kind != Kind::dynamic;
    for (unsigned r = 0; r < group.size(); ++r) {
      slot(group, r, level) = tell_place(group.size(), r, told ? group.meta_rank : 0, told ? group.meta_size : 0);
    }
  }

  std::uint64_t& slot(const Group& group, unsigned rank, int index) {
    return results_[group.threads[rank] * kSlots + unsigned(index)];
  }

  void walk(const Group& group, int level, int plan) {
    tell(group, level);
    const Plan& chosen = case_.plans[plan];
    if (level == kDepth || chosen.steps[level - 1].cut == Cut::none) return act(group, plan);
    for (const Group& next : cut(group, chosen.steps[level - 1])) walk(next, level + 1, plan);
  }

  // Partitions.

  Groups cut(const Group& parent, const Step& step) const {
    switch (step.cut) {
      case Cut::tile: return pieces(parent, step.size, step.size > 32 ? Kind::large_tile : Kind::tile);
      case Cut::dynamic:
        if (parent.kind != Kind::coalesced) return pieces(parent, step.size, Kind::dynamic);
        if (parent.size() <= step.size) return {parent};
        return pieces(parent, step.size, Kind::coalesced);
      case Cut::mask: return sides(parent, step);
      case Cut::binary:
      case Cut::label_bool: return halves(parent, step);
      default: return labelled(parent, step);
    }
  }

  static Groups pieces(const Group& parent, unsigned size, Kind kind) {
    Groups groups;
    const unsigned count = (parent.size() + size - 1) / size;
    for (unsigned i = 0; i < count; ++i) {
      const auto first = parent.threads.begin() + i * size;
      const auto last = parent.threads.begin() + std::min((i + 1) * size, parent.size());
      groups.push_back({kind, {first, last}, i, count, i});
    }
    return groups;
  }

  static std::uint64_t bits(const Step& step, unsigned thread) { return draw(step.seed, step.distinct, thread); }

  Groups sides(const Group& block, const Step& step) const {
    Groups groups;
    for (const Group& warp : pieces(block, 32, Kind::coalesced)) {
      const std::size_t before = groups.size();
      for (const unsigned t : warp.threads) {
        const bool side = label_bool(bits(step, t));
        const auto together = [&](const Group& other) {
          return other.which == side && (told_ == nullptr || found(other.threads[0]) == found(t));
        };
        const auto group = std::find_if(groups.begin() + std::ptrdiff_t(before), groups.end(), together);
        if (group != groups.end()) {
          group->threads.push_back(t);
        } else {
          groups.push_back({Kind::coalesced, {t}, 0, 1, side});
        }
      }
    }
    return groups;
  }

  unsigned found(unsigned thread) const { return first_found(told_[thread * kSlots + 1]); }

  static Groups halves(const Group& parent, const Step& step) {
    Group no = {Kind::coalesced, {}, 0, 2, 0};
    Group yes = {Kind::coalesced, {}, 1, 2, 1};
    for (const unsigned t : parent.threads) (label_bool(bits(step, t)) ? yes : no).threads.push_back(t);
    if (no.size() != 0 && yes.size() != 0) return {no, yes};
    return {{Kind::coalesced, parent.threads, 0, 1, 0}};
  }

  static std::uint64_t label(const Step& step, unsigned thread) {
    if (step.cut == Cut::label_int) return std::uint64_t(label_int(bits(step, thread)));
    if (step.cut == Cut::label_long) return std::uint64_t(label_long(bits(step, thread)));
    return bits(step, thread);
  }

  /// In the order of the lowest ranks.
  static Groups labelled(const Group& parent, const Step& step) {
    Groups groups;
    for (const unsigned t : parent.threads) {
      const auto same = [&](const Group& group) { return label(step, group.threads[0]) == label(step, t); };
      const auto found = std::find_if(groups.begin(), groups.end(), same);
      if (found != groups.end())
        found->threads.push_back(t);
      else
        groups.push_back({Kind::coalesced, {t}, unsigned(groups.size()), 0, unsigned(groups.size())});
    }
    for (Group& group : groups) group.meta_size = unsigned(groups.size());
    return groups;
  }

  // Actions.

  void act(const Group& group, int plan) {
    const int chosen = int((group.kind == Kind::dynamic ? group.which : group.meta_rank) & 1);
    const Actions& actions = case_.plans[plan].actions[chosen];
    for (unsigned r = 0; r < group.size(); ++r) parts_[group.threads[r]] = {plan, chosen};
    for (int i = 0; i < actions.count; ++i) {
      const Row row = collective(group, actions.list[i]);
      for (unsigned r = 0; r < group.size(); ++r) slot(group, r, kLevels + i) = row[r];
    }
  }

  static Row collective(const Group& group, const Action& action) {
    switch (action.call) {
      case Call::sync: return neighbours(group, action);
      case Call::invoke_one: return Row(group.size(), 1);
      case Call::invoke_one_broadcast: return Row(group.size(), scramble(action.seed));
      case Call::any:
      case Call::all:
      case Call::ballot: return votes(group, action);
      default: break;
    }
    if (is_update(action.call)) return updates(group, action);
    switch (action.element) {
      case Element::int32: return typed<int>(group, action);
      case Element::uint32: return typed<unsigned>(group, action);
      case Element::int64: return typed<long long>(group, action);
      case Element::float32: return typed<float>(group, action);
      case Element::float64: return typed<double>(group, action);
      default: return shuffled<Triple>(group, action);
    }
  }

  template <class T>
  static std::vector<T> brought(const Group& group, const Action& action) {
    std::vector<T> values;
    for (const unsigned t : group.threads) values.push_back(Values<T>::from(draw(action.seed, action.distinct, t)));
    return values;
  }

  static Row neighbours(const Group& group, const Action& action) {
    const std::vector<unsigned> values = brought<unsigned>(group, action);
    Row row;
    for (unsigned r = 0; r < group.size(); ++r) row.push_back(values[(r + 1) % group.size()]);
    return row;
  }

  static Row votes(const Group& group, const Action& action) {
    std::uint64_t ranks = 0;
    unsigned ayes = 0;
    for (unsigned r = 0; r < group.size(); ++r) {
      if ((draw(action.seed, action.distinct, group.threads[r]) & 4) == 0) continue;
      ++ayes;
      if (group.size() <= 32) ranks |= std::uint64_t(1) << r;
    }
    if (action.call == Call::any) return Row(group.size(), ayes != 0);
    if (action.call == Call::all) return Row(group.size(), ayes == group.size());
    return Row(group.size(), ranks);
  }

  static Row updates(const Group& group, const Action& action) {
    const Fold<unsigned> fold(group.kind, action.functor);
    const std::vector<unsigned> values = brought<unsigned>(group, action);
    unsigned base = draw_base(action);
    if (action.call == Call::reduce_update_async) {
      return Row(group.size(), tell_update(0, fold.updated(values, base)));
    }
    const std::vector<unsigned> results = fold.on_top(action.call, values, base);
    Row row;
    for (const unsigned result : results) row.push_back(tell_update(result, base));
    return row;
  }

  template <class T>
  static Row folded(const Group& group, const Action& action) {
    const Fold<T> fold(group.kind, action.functor);
    Row row;
    for (const T& value : fold.result(action.call, brought<T>(group, action))) row.push_back(Values<T>::told(value));
    return row;
  }

  template <class T>
  static Row typed(const Group& group, const Action& action) {
    if (is_fold(action.call)) return folded<T>(group, action);
    const bool match = action.call == Call::match_any || action.call == Call::match_all;
    return match ? matches<T>(group, action) : shuffled<T>(group, action);
  }

  template <class T>
  static Row matches(const Group& group, const Action& action) {
    const std::vector<T> values = brought<T>(group, action);
    Row row;
    for (const T& own : values) {
      std::uint64_t same = 0;
      unsigned count = 0;
      for (unsigned r = 0; r < group.size(); ++r) {
        if (Values<T>::told(values[r]) != Values<T>::told(own)) continue;
        same |= std::uint64_t(1) << r;
        ++count;
      }
      const bool all = count == group.size();
      row.push_back(action.call == Call::match_any ? same : all ? tell_match(unsigned(same), 1) : 0);
    }
    return row;
  }

  template <class T>
  static Row shuffled(const Group& group, const Action& action) {
    const std::vector<T> values = brought<T>(group, action);
    Row row;
    for (unsigned r = 0; r < group.size(); ++r) {
      const unsigned source = source_of(group, action, r);
      row.push_back(Values<T>::told(values[source < group.size() ? source : r]));
    }
    return row;
  }

  static unsigned source_of(const Group& group, const Action& action, unsigned rank) {
    const unsigned thread = group.threads[rank];
    switch (action.call) {
      case Call::shfl_up: return rank >= action.argument ? rank - action.argument : rank;
      case Call::shfl_down: return rank + action.argument;
      case Call::shfl_xor: return rank ^ action.argument;
      default: break;
    }
    if (group.kind == Kind::large_tile) return draw_source(action, thread, 0);
    if (group.kind == Kind::tile) return draw_source(action, thread, 2 * group.size()) % group.size();
    return draw_source(action, thread, group.size());
  }

  Case case_;
  const std::uint64_t* told_;
  std::vector<std::uint64_t> results_;
  std::vector<Part> parts_;
};

}  // namespace random_groups

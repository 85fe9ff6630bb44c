// SPDX-License-Identifier: Apache-2.0
// Level sets are those of a walk in breadth, which begins at a row on the rim: one that is far from another one.
#include "numerics/sparse/orderings.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace warpfiber::numerics {
namespace {

using Rows = std::vector<std::int64_t>;

/// The rows that are reached from `start` over rows of the part `part`, in level sets.
struct LevelSets {
  std::vector<Rows> levels{};

  LevelSets(const RowNeighbours& neighbours, const Rows& part_of, std::int64_t start) {
    const std::int64_t part = part_of[start];
    std::set<std::int64_t> seen{start};
    for (Rows level{start}; !level.empty();) {
      Rows next;
      for (const std::int64_t row : level) {
        for (const std::int64_t other : neighbours[row]) {
          if (part_of[other] == part && seen.insert(other).second) next.push_back(other);
        }
      }
      levels.push_back(std::exchange(level, std::move(next)));
    }
  }
};

std::int64_t least_connected(const RowNeighbours& neighbours, const Rows& rows) {
  return *std::ranges::min_element(rows, {}, [&](std::int64_t row) { return neighbours[row].size(); });
}

/// From a row on the rim (George and Liu, 1979).
LevelSets from_rim(const RowNeighbours& neighbours, const Rows& part_of, std::int64_t start) {
  LevelSets sets(neighbours, part_of, start);
  while (true) {
    LevelSets further(neighbours, part_of, least_connected(neighbours, sets.levels.back()));
    if (further.levels.size() <= sets.levels.size()) return sets;
    sets = std::move(further);
  }
}

/// The graph of what is left to eliminate: each row has rows next to it, and elements, which stand for rows that are
/// gone and connect all rows they list.
class QuotientGraph {
 public:
  explicit QuotientGraph(const RowNeighbours& neighbours)
      : neighbours_(neighbours),
        elements_of_(neighbours.size()),
        rows_of_(neighbours.size()),
        degree_(neighbours.size()),
        is_gone_(neighbours.size()),
        outside_(neighbours.size()) {
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      degree_[i] = neighbours[i].size();
      by_degree_.emplace(degree_[i], i);
    }
  }

  bool is_empty() const { return by_degree_.empty(); }

  /// Eliminates the row of the least degree, which becomes an element.
  std::int64_t eliminate() {
    const std::int64_t pivot = by_degree_.begin()->second;
    by_degree_.erase(by_degree_.begin());
    Rows reached = neighbours_[pivot];
    for (const std::int64_t element : elements_of_[pivot]) {
      reached.insert(reached.end(), rows_of_[element].begin(), rows_of_[element].end());
      rows_of_[element].clear();
    }
    is_gone_[pivot] = true;
    std::ranges::sort(reached);
    reached.erase(std::ranges::unique(reached).begin(), reached.end());
    std::erase_if(reached, [&](std::int64_t row) { return is_gone_[row]; });
    rows_of_[pivot] = reached;
    for (const std::int64_t row : reached) connect(row, pivot);
    count_outside(reached);
    for (const std::int64_t row : reached) set_degree(row, pivot);
    return pivot;
  }

 private:
  /// `row` is next to the rows of the new element by it alone, and elements that it has absorbed are gone.
  void connect(std::int64_t row, std::int64_t element) {
    Rows left;
    std::ranges::set_difference(neighbours_[row], rows_of_[element], std::back_inserter(left));
    std::erase(left, element);
    neighbours_[row] = std::move(left);
    std::erase_if(elements_of_[row], [&](std::int64_t of) { return rows_of_[of].empty(); });
    elements_of_[row].push_back(element);
  }
  /// How many rows each element has that are not among those of the new one. All rows of elements are left to
  /// eliminate, as a row that goes takes the elements with it that it belongs to.
  void count_outside(const Rows& reached) {
    for (const std::int64_t row : reached) {
      for (const std::int64_t element : elements_of_[row]) outside_[element] = rows_of_[element].size();
    }
    for (const std::int64_t row : reached) {
      for (const std::int64_t element : elements_of_[row]) --outside_[element];
    }
  }
  void set_degree(std::int64_t row, std::int64_t pivot) {
    const std::size_t others = rows_of_[pivot].size() - 1;
    std::size_t degree = neighbours_[row].size() + others;
    for (const std::int64_t element : elements_of_[row]) degree += outside_[element];
    degree = std::min(degree, degree_[row] + others);
    by_degree_.erase({degree_[row], row});
    degree_[row] = degree;
    by_degree_.emplace(degree, row);
  }

  RowNeighbours neighbours_;
  std::vector<Rows> elements_of_;  // of a row
  std::vector<Rows> rows_of_;      // of an element
  std::vector<std::size_t> degree_;
  std::vector<bool> is_gone_;
  std::vector<std::size_t> outside_;
  std::set<std::pair<std::size_t, std::int64_t>> by_degree_{};
};

/// The pattern of `rows` alone, which are numbered as they come.
RowNeighbours part_of_pattern(const RowNeighbours& neighbours, const Rows& rows) {
  std::map<std::int64_t, std::int64_t> number;
  for (std::size_t i = 0; i < rows.size(); ++i) number.emplace(rows[i], i);
  RowNeighbours part(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const std::int64_t other : neighbours[rows[i]]) {
      if (const auto found = number.find(other); found != number.end()) part[i].push_back(found->second);
    }
    std::ranges::sort(part[i]);
  }
  return part;
}

/// Parts of the graph that are still to be put in order, from the last one on. The order is made backwards.
class Dissection {
 public:
  explicit Dissection(const RowNeighbours& neighbours) : neighbours_(neighbours), part_of_(neighbours.size()) {
    Rows all(neighbours.size());
    std::iota(all.begin(), all.end(), 0);
    parts_.push_back(std::move(all));
  }

  RowOrder order() && {
    while (!parts_.empty()) {
      const Rows rows = std::move(parts_.back());
      parts_.pop_back();
      if (rows.size() > kSmall) {
        divide(rows);
      } else {
        const RowOrder least = minimum_degree(part_of_pattern(neighbours_, rows));
        for (std::size_t i = least.size(); i-- > 0;) backwards_.push_back(rows[least[i]]);
      }
    }
    std::ranges::reverse(backwards_);
    return std::move(backwards_);
  }

 private:
  static constexpr std::size_t kSmall = 64;

  void divide(const Rows& rows) {
    const LevelSets sets = from_rim(neighbours_, part_of_, rows.front());
    std::size_t reached = 0;
    for (const Rows& level : sets.levels) reached += level.size();
    if (reached < rows.size()) return divide_into_components(rows);
    if (sets.levels.size() < 3) {
      backwards_.insert(backwards_.end(), rows.begin(), rows.end());
      return;
    }
    std::size_t middle = 1, before = sets.levels.front().size();
    for (; middle + 2 < sets.levels.size() && 2 * (before + sets.levels[middle].size()) < reached; ++middle) {
      before += sets.levels[middle].size();
    }
    const Rows& between = sets.levels[middle];
    backwards_.insert(backwards_.end(), between.begin(), between.end());
    for (const std::int64_t row : between) part_of_[row] = -1;
    add_part(sets, 0, middle);
    add_part(sets, middle + 1, sets.levels.size());
  }
  void divide_into_components(const Rows& rows) {
    const std::int64_t part = part_of_[rows.front()];
    for (const std::int64_t row : rows) {
      if (part_of_[row] != part) continue;
      const LevelSets sets(neighbours_, part_of_, row);
      add_part(sets, 0, sets.levels.size());
    }
  }
  void add_part(const LevelSets& sets, std::size_t first, std::size_t end) {
    ++last_part_;
    Rows& rows = parts_.emplace_back();
    for (std::size_t i = first; i < end; ++i) {
      for (const std::int64_t row : sets.levels[i]) {
        part_of_[row] = last_part_;
        rows.push_back(row);
      }
    }
  }

  const RowNeighbours& neighbours_;
  Rows part_of_;
  std::int64_t last_part_ = 0;
  std::vector<Rows> parts_{};
  RowOrder backwards_{};
};

}  // namespace

RowNeighbours neighbours_of(const std::vector<EntryRow>& rows) {
  RowNeighbours neighbours(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const auto& [column, value] : rows[i]) {
      if (column == static_cast<std::int64_t>(i)) continue;
      neighbours[i].push_back(column);
      neighbours[column].push_back(static_cast<std::int64_t>(i));
    }
  }
  for (Rows& row : neighbours) {
    std::ranges::sort(row);
    row.erase(std::ranges::unique(row).begin(), row.end());
  }
  return neighbours;
}

RowOrder reverse_cuthill_mckee(const RowNeighbours& neighbours) {
  RowOrder order;
  std::vector<bool> is_taken(neighbours.size());
  const Rows one_part(neighbours.size());
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    if (is_taken[i]) continue;
    const LevelSets sets = from_rim(neighbours, one_part, static_cast<std::int64_t>(i));
    std::size_t next = order.size();
    order.push_back(sets.levels.front().front());
    is_taken[order.back()] = true;
    for (; next < order.size(); ++next) {
      Rows others = neighbours[order[next]];
      std::ranges::stable_sort(others, {}, [&](std::int64_t row) { return neighbours[row].size(); });
      for (const std::int64_t row : others) {
        if (is_taken[row]) continue;
        is_taken[row] = true;
        order.push_back(row);
      }
    }
  }
  std::ranges::reverse(order);
  return order;
}

RowOrder minimum_degree(const RowNeighbours& neighbours) {
  RowOrder order;
  QuotientGraph graph(neighbours);
  while (!graph.is_empty()) order.push_back(graph.eliminate());
  return order;
}

RowOrder nested_dissection(const RowNeighbours& neighbours) {
  return Dissection(neighbours).order();
}

}  // namespace warpfiber::numerics

// SPDX-License-Identifier: Apache-2.0
// Reductions and scans as CUDA 13.0's headers compute them, written down as lock-step shuffles over the values of all
// threads of a group, by rank. Groups of more than 32 threads are cut into parts of 32, and blocks are combined in
// order.
#pragma once

#include <warpfiber/groups/functional.hpp>

#include <cstddef>
#include <optional>
#include <type_traits>
#include <vector>

namespace warpfiber::test::model {

/// What one thread gets from each call.
template <class T>
struct Results {
  T reduced, inclusive, exclusive, inclusive_update, exclusive_update;
};

/// What a group's calls leave in memory; before them, where they start.
template <class T>
struct Cells {
  T inclusive, exclusive, updated, stored;
};

template <class T, class Op>
std::vector<T> butterfly(std::vector<T> values, Op op) {
  for (std::size_t mask = values.size() / 2; mask > 0; mask /= 2) {
    std::vector<T> next;
    for (std::size_t r = 0; r < values.size(); ++r) next.push_back(op(values[r], values[r ^ mask]));
    values = next;
  }
  return values;
}

template <class T, class Op>
std::vector<T> inclusive(std::vector<T> values, Op op) {
  for (std::size_t step = 1; step < values.size(); step *= 2) {
    std::vector<T> next;
    for (std::size_t r = 0; r < values.size(); ++r) {
      next.push_back(r >= step ? T(op(values[r], values[r - step])) : values[r]);
    }
    values = next;
  }
  return values;
}

template <class T, class Op>
std::vector<T> exclusive(const std::vector<T>& values, Op op) {
  const std::vector<T> sums = inclusive(values, op);
  std::vector<T> shifted(values.size());
  for (std::size_t r = 0; r < values.size(); ++r) {
    if constexpr (std::is_same_v<Op, cooperative_groups::plus<T>> && std::is_integral_v<T>) {
      shifted[r] = static_cast<T>(static_cast<unsigned>(sums[r]) - static_cast<unsigned>(values[r]));
    } else {
      shifted[r] = r == 0 ? T{} : sums[r - 1];
    }
  }
  return shifted;
}

/// `whole`: with how many threads the group is reduced as a tile.
template <class T, class Op>
std::vector<T> reduction(const std::vector<T>& values, std::size_t whole, Op op) {
  if (values.size() == whole) return butterfly(values, op);
  return std::vector<T>(values.size(), inclusive(values, op).back());
}

/// A group that fits a warp.
template <class T, class Op>
std::vector<Results<T>> lane_group(const std::vector<T>& values, std::size_t whole, Op op, Cells<T>& cells) {
  const std::vector<T> reduced = reduction(values, whole, op);
  const std::vector<T> up_to = inclusive(values, op);
  const std::vector<T> below = exclusive(values, op);
  std::vector<Results<T>> results;
  for (std::size_t r = 0; r < values.size(); ++r) {
    results.push_back({reduced[r], up_to[r], below[r], op(cells.inclusive, up_to[r]), op(cells.exclusive, below[r])});
  }
  cells = {op(cells.inclusive, up_to.back()), op(cells.exclusive, up_to.back()), op(cells.updated, reduced[0]),
           reduced[0]};
  return results;
}

/// A group of several parts of 32 threads, and of several blocks of parts. Empty blocks and parts are not in it.
template <class T>
using Parts = std::vector<std::vector<T>>;

/// One block's view: its parts, what each thread and each part comes to.
template <class T, class Op>
struct Block {
  Parts<T> up_to;
  std::vector<T> reduced, below_part;
  T total{}, scanned{};

  Block(const Parts<T>& parts, Op op) {
    std::vector<T> reductions, totals;
    for (const std::vector<T>& part : parts) {
      reductions.push_back(reduction(part, 32, op)[0]);
      up_to.push_back(inclusive(part, op));
      totals.push_back(up_to.back().back());
    }
    const bool tile = (parts.size() & (parts.size() - 1)) == 0;
    reduced = reduction(reductions, tile ? parts.size() : 0, op);
    below_part = exclusive(totals, op);
    total = reduced[0];
    scanned = inclusive(totals, op).back();
  }

  /// The scan of thread `r` of part `p`, on top of `base`.
  T scan(bool inclusively, std::size_t p, std::size_t r, const std::optional<T>& base, Op op) const {
    std::optional<T> below = base;
    if (p > 0) below = base ? T(op(below_part[p], *base)) : below_part[p];
    if (!inclusively && r == 0) return below ? *below : T{};
    const T own = inclusively ? up_to[p][r] : up_to[p][r - 1];
    return below ? T(op(own, *below)) : own;
  }
};

/// Results by block, part and rank, one after the other. `wide`: of a cluster or grid, and not of one block.
template <class T, class Op>
std::vector<Results<T>> wide_group(const std::vector<Parts<T>>& blocks, bool wide, Op op, Cells<T>& cells) {
  std::vector<Block<T, Op>> views;
  for (const Parts<T>& parts : blocks) views.emplace_back(parts, op);
  T reduced = views[0].total;
  std::vector<std::optional<T>> below(1);
  for (std::size_t b = 0; b < views.size(); ++b) {
    if (b > 0) reduced = op(views[b].total, reduced);
    below.push_back(below[b] ? T(op(views[b].scanned, *below[b])) : views[b].scanned);
  }
  std::vector<Results<T>> results;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const auto above = [&](const T& old) { return below[b] ? T(op(*below[b], old)) : old; };
    for (std::size_t p = 0; p < blocks[b].size(); ++p) {
      for (std::size_t r = 0; r < blocks[b][p].size(); ++r) {
        results.push_back({wide ? reduced : views[b].reduced[p], views[b].scan(true, p, r, below[b], op),
                           views[b].scan(false, p, r, below[b], op),
                           views[b].scan(true, p, r, above(cells.inclusive), op),
                           views[b].scan(false, p, r, above(cells.exclusive), op)});
      }
    }
  }
  const T total = *below.back();
  cells = {op(cells.inclusive, total), op(cells.exclusive, total), op(cells.updated, reduced), reduced};
  return results;
}

}  // namespace warpfiber::test::model

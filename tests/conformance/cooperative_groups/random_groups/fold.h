// SPDX-License-Identifier: Apache-2.0
//
// Reductions and scans of a model: what every rank gets of the values of all, by the order of evaluation that CUDA 13.0
// has. Written as plain sequences of steps over all ranks at once, each step from the results of the one before.
#pragma once

#include <type_traits>
#include <vector>

#include "cases.h"

namespace random_groups {

enum class Kind { block, large_tile, tile, coalesced, dynamic };

template <class T>
T apply(Functor functor, T own, T other) {
  switch (functor) {
    case Functor::less: return other < own ? other : own;
    case Functor::greater: return own < other ? other : own;
    default: break;
  }
  if constexpr (std::is_integral_v<T>) {
    switch (functor) {
      case Functor::bit_and: return own & other;
      case Functor::bit_or: return own | other;
      case Functor::bit_xor: return own ^ other;
      default: break;
    }
  }
  if constexpr (std::is_same_v<T, unsigned>) {
    if (functor == Functor::mix) return Mix()(own, other);
  }
  return own + other;
}

template <class T>
class Fold {
 public:
  using Row = std::vector<T>;

  Fold(Kind kind, Functor functor) : kind_(kind), functor_(functor) {}

  Row result(Call call, const Row& values) const {
    if (call == Call::reduce) return kind_ == Kind::large_tile ? large_reduction(values) : reduction(kind_, values);
    if (kind_ == Kind::large_tile) return large_scan(call == Call::exclusive_scan, values);
    const Row scanned = scan(values);
    return call == Call::inclusive_scan ? scanned : moved_up(scanned);
  }

  /// What the scan of that name gets on top of `base`, and what becomes of that.
  Row on_top(Call call, const Row& values, T& base) const {
    const bool exclusive = call == Call::exclusive_scan_update;
    const T before = base;
    if (kind_ == Kind::large_tile) {
      Row totals;
      for (std::size_t w = 0; w < values.size() / 32; ++w) totals.push_back(scan(warp(values, w)).back());
      base = apply(functor_, before, scan(totals).back());
      return large_scan(exclusive, values, &before);
    }
    Row row = scan(values);
    base = apply(functor_, before, row.back());
    if (exclusive) row = moved_up(row);
    for (T& value : row) value = apply(functor_, before, value);
    return row;
  }

  /// What becomes of `base`.
  T updated(const Row& values, T base) const { return apply(functor_, base, result(Call::reduce, values)[0]); }

 private:
  Row butterfly(Row row) const {
    for (std::size_t distance = row.size() / 2; distance > 0; distance /= 2) {
      const Row before = row;
      for (std::size_t r = 0; r < row.size(); ++r) row[r] = apply(functor_, before[r], before[r ^ distance]);
    }
    return row;
  }

  Row scan(Row row) const {
    for (std::size_t distance = 1; distance < row.size(); distance *= 2) {
      const Row before = row;
      for (std::size_t r = distance; r < row.size(); ++r) row[r] = apply(functor_, before[r], before[r - distance]);
    }
    return row;
  }

  static Row moved_up(const Row& scanned) {
    Row row(scanned.size(), T());
    for (std::size_t r = 1; r < row.size(); ++r) row[r] = scanned[r - 1];
    return row;
  }

  Row reduction(Kind kind, const Row& values) const {
    if (kind == Kind::tile || values.size() == 32) return butterfly(values);
    return Row(values.size(), scan(values).back());
  }

  static Row warp(const Row& values, std::size_t w) {
    return Row(values.begin() + std::ptrdiff_t(w) * 32, values.begin() + std::ptrdiff_t(w + 1) * 32);
  }

  Row large_reduction(const Row& values) const {
    Row of_warps;
    for (std::size_t w = 0; w < values.size() / 32; ++w) of_warps.push_back(butterfly(warp(values, w))[0]);
    return Row(values.size(), butterfly(of_warps)[0]);
  }

  /// Without a base; otherwise on top of it.
  Row large_scan(bool exclusive, const Row& values, const T* base = nullptr) const {
    Row scanned, totals;
    for (std::size_t w = 0; w < values.size() / 32; ++w) {
      const Row row = scan(warp(values, w));
      scanned.insert(scanned.end(), row.begin(), row.end());
      totals.push_back(row.back());
    }
    Row below = moved_up(scan(totals));
    if (base != nullptr) below[0] = *base;
    for (std::size_t w = 1; base != nullptr && w < below.size(); ++w) below[w] = apply(functor_, below[w], *base);
    Row row;
    for (std::size_t r = 0; r < values.size(); ++r) {
      const std::size_t from = r - (exclusive ? 1 : 0);
      if (exclusive && r % 32 == 0) {
        row.push_back(below[r / 32]);
      } else {
        const bool alone = r < 32 && base == nullptr;
        row.push_back(alone ? scanned[from] : apply(functor_, scanned[from], below[r / 32]));
      }
    }
    return row;
  }

  Kind kind_;
  Functor functor_;
};

}  // namespace random_groups

// SPDX-License-Identifier: Apache-2.0
// A row is eliminated by those before it that it has entries with. What would fill in outside of the pattern is lost,
// as in incomplete factors; a complete pattern has no such place.
#include "numerics/sparse/refactorisation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace warpfiber::numerics {
namespace {

double* entry_of(RealRow& row, std::int64_t column) {
  const auto at = std::ranges::lower_bound(row, column, {}, &RealRow::value_type::first);
  return at == row.end() || at->first != column ? nullptr : &at->second;
}

std::vector<std::int64_t> positions_of(const std::vector<std::int64_t>& order) {
  std::vector<std::int64_t> position(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = static_cast<std::int64_t>(i);
  return position;
}

double diagonal_of(const RealRow& row, std::int64_t i) {
  return std::ranges::lower_bound(row, i, {}, &RealRow::value_type::first)->second;
}

}  // namespace

Refactorisation::Refactorisation(const std::vector<RealRow>& a, const std::vector<RealRow>& lower,
                                 const std::vector<RealRow>& upper, PivotOrders orders)
    : rows_(a.size()) {
  const std::vector<std::int64_t> position = positions_of(orders.columns);
  for (std::size_t i = 0; i < a.size(); ++i) {
    RealRow& row = rows_[i];
    row = lower[i];
    row.insert(row.end(), upper[i].begin(), upper[i].end());
    row.emplace_back(static_cast<std::int64_t>(i), 0);
    for (const auto& [column, value] : a[orders.rows[i]]) row.emplace_back(position[column], 0);
    std::ranges::stable_sort(row, {}, &RealRow::value_type::first);
    row.erase(std::ranges::unique(row, {}, &RealRow::value_type::first).begin(), row.end());
  }
}

bool Refactorisation::reset(const std::vector<RealRow>& a, PivotOrders orders) {
  const std::vector<std::int64_t> position = positions_of(orders.columns);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    for (auto& [column, value] : rows_[i]) value = 0;
    for (const auto& [column, value] : a[orders.rows[i]]) {
      double* entry = entry_of(rows_[i], position[column]);
      if (entry == nullptr) return false;
      *entry += value;
    }
  }
  return true;
}

std::int64_t Refactorisation::refactor(const PivotLimits& limits) {
  was_boosted_ = false;
  const auto n = static_cast<std::int64_t>(rows_.size());
  std::vector<double*> place(rows_.size());
  std::int64_t without_pivot = -1;
  for (std::int64_t i = 0; i < n; ++i) {
    RealRow& row = rows_[i];
    for (auto& [column, value] : row) place[column] = &value;
    for (auto& [k, factor] : row) {
      if (k >= i) break;
      const RealRow& above = rows_[k];
      auto entry = std::ranges::lower_bound(above, k, {}, &RealRow::value_type::first);
      factor /= entry->second;
      for (++entry; entry != above.end(); ++entry) {
        if (place[entry->first] != nullptr) *place[entry->first] -= factor * entry->second;
      }
    }
    if (double& pivot = *place[i]; std::abs(pivot) <= limits.zero) {
      if (limits.boost != 0) {
        pivot = limits.boost;
        was_boosted_ = true;
      } else if (without_pivot < 0) {
        without_pivot = i;
      }
    }
    for (const auto& [column, value] : row) place[column] = nullptr;
  }
  return without_pivot;
}

void Refactorisation::solve(double* b, const PivotOrders& orders) const {
  const auto n = static_cast<std::int64_t>(rows_.size());
  std::vector<double> x(rows_.size());
  for (std::int64_t i = 0; i < n; ++i) {
    x[i] = b[orders.rows[i]];
    for (const auto& [column, value] : rows_[i]) {
      if (column >= i) break;
      x[i] -= value * x[column];
    }
  }
  for (std::int64_t i = n; i-- > 0;) {
    for (const auto& [column, value] : rows_[i]) {
      if (column > i) x[i] -= value * x[column];
    }
    x[i] /= diagonal_of(rows_[i], i);
  }
  for (std::int64_t j = 0; j < n; ++j) b[orders.columns[j]] = x[j];
}

}  // namespace warpfiber::numerics

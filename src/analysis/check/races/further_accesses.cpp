// SPDX-License-Identifier: Apache-2.0
// Rows grow at their end, as threads run one after the other; rows that came in another order are joined when there are
// twice as many.
#include "check/races/further_accesses.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "check/cells/word.hpp"

namespace warpfiber::check {
namespace {

constexpr Cell kThreads = kThreadMask << kThreadShift;

/// Whether the row holds the first thread of `next`, or ends just before it.
bool reaches(const FurtherRow& row, const FurtherRow& next) {
  const bool same = ((row.cell ^ next.cell) & ~kThreads) == 0 && row.site == next.site && row.scope == next.scope;
  return same && thread_of(next.cell) - thread_of(row.cell) <= row.threads;
}

void join(FurtherRow& row, const FurtherRow& next) {
  const auto end = static_cast<std::uint32_t>(thread_of(next.cell) - thread_of(row.cell)) + next.threads;
  row.threads = std::max(row.threads, end);
}

/// Joins what belongs together, and sees to it that there is room for as much again.
void make_room(FurtherRows& rows) {
  const auto key = [](const FurtherRow& row) {
    return std::tuple(row.cell & ~kThreads, row.site, row.scope, thread_of(row.cell));
  };
  std::ranges::sort(rows, {}, key);
  std::size_t last = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (reaches(rows[last], rows[i])) {
      join(rows[last], rows[i]);
    } else {
      rows[++last] = rows[i];
    }
  }
  rows.resize(last + 1);
  if (rows.size() > rows.capacity() / 2) rows.reserve(2 * rows.capacity());
}

}  // namespace

bool FurtherAccesses::add(std::size_t index, bool has_some, const FurtherRow& one) {
  if (size() >= most_) remove_old();
  if (size() >= kMost) return false;
  FurtherRows& rows = words_[index];
  rows_ -= rows.size();
  if (!has_some) rows.clear();
  if (!rows.empty() && reaches(rows.back(), one)) {
    join(rows.back(), one);
  } else {
    if (rows.size() == rows.capacity() && rows.size() >= kFirstSort) make_room(rows);
    rows.push_back(one);
  }
  rows_ += rows.size();
  return true;
}

const FurtherRows* FurtherAccesses::find(std::size_t index) const {
  const auto found = words_.find(index);
  return found == words_.end() ? nullptr : &found->second;
}

FurtherRows FurtherAccesses::take(std::size_t index) {
  const auto found = words_.find(index);
  if (found == words_.end()) return {};
  FurtherRows rows = std::move(found->second);
  rows_ -= rows.size();
  words_.erase(found);
  return rows;
}

void FurtherAccesses::remove_old() {
  std::erase_if(words_, [this](const auto& word) {
    const WordView now(word.first);
    const bool old = !now.has_more() || !now.has_further();
    if (old) rows_ -= word.second.size();
    return old;
  });
  most_ = std::min(kMost, 2 * size() + kMost / 16);
}

}  // namespace warpfiber::check

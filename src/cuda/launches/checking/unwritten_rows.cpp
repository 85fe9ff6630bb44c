// SPDX-License-Identifier: Apache-2.0
// Gaps of rows, and the launches that may have left them.
#include "launches/checking/unwritten_rows.hpp"

#include <algorithm>
#include <utility>

#include "base/locks/annotated_mutex.hpp"
#include "launches/state/launches_state.hpp"

namespace warpfiber::launches {
namespace {

// Padding of structures and of short rows is no larger.
constexpr std::size_t kLargestPadding = 16;
constexpr std::size_t kLargestPadded = 128;

}  // namespace

void RowGaps::add(const check::Stretch& gap) {
  if (rows_ == 0) {
    first_ = gap;
  } else if (rows_ == 1) {
    pitch_ = static_cast<std::size_t>(gap.from - first_.from);
  }
  const bool in_step = rows_ < 2 || static_cast<std::size_t>(gap.from - last_) == pitch_;
  if (ended_ || !in_step || gap.bytes < first_.bytes) broken_ = true;
  ended_ = gap.bytes > first_.bytes;
  last_ = gap.from;
  ++rows_;
}

void LaunchExtents::add(const std::string& kernel, std::size_t x, std::size_t y) {
  const base::Lock lock(mutex_);
  for (const auto& [threads, axis] : {std::pair{x, 'x'}, std::pair{y, 'y'}}) {
    if (threads < 2) continue;
    const Extent made{threads, axis, kernel};
    std::erase_if(extents_, [&made](const Extent& one) {
      return one.threads == made.threads && one.axis == made.axis && one.kernel == made.kernel;
    });
    if (extents_.size() == kMost) extents_.erase(extents_.begin());
    extents_.push_back(made);
  }
}

void LaunchExtents::add_padded_rows(std::size_t width, std::size_t pitch) {
  const base::Lock lock(mutex_);
  padded_.emplace(width, pitch);
}

std::optional<LaunchExtents::Extent> LaunchExtents::cut_at(std::size_t written, std::size_t pitch) const {
  const std::size_t gap = pitch - written;
  if (gap < kLargestPadding && pitch < kLargestPadded) return std::nullopt;
  const base::Lock lock(mutex_);
  if (padded_.contains({written, pitch})) return std::nullopt;
  for (auto one = extents_.rbegin(); one != extents_.rend(); ++one) {
    if (written % one->threads != 0) continue;
    const std::size_t element = written / one->threads;
    if (element <= kLargestPadding && pitch % element == 0) return *one;
  }
  return std::nullopt;
}

LaunchExtents& launch_extents() {
  return LaunchesState::of_process().launch_extents.get();
}

}  // namespace warpfiber::launches

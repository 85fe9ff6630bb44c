// SPDX-License-Identifier: Apache-2.0
// A wait is kept as the cell of an access that the thread would make there, which later accesses happen after or not.
#include "check/races/dependency_waits.hpp"

#include <algorithm>

namespace warpfiber::check {

void DependencyWaits::wait() {
  if (launch_.order().overlapped == 0) return;
  running_.here();
  const Cell mine = running_.segment().cell;
  BlockWaits& block = blocks_[numbering_.block_of(running_.thread())];
  block.threads.resize(numbering_.threads_of_block());
  block.threads[running_.rank()] = true;
  const auto same_warp = [&](Cell other) { return numbering_.warp_of(other) == numbering_.warp_of(mine); };
  if (std::ranges::any_of(block.first_of_warp, same_warp)) return;
  block.first_of_warp.push_back(mine);
  if (first_.size() < kMostElsewhere) first_.push_back(mine);
}

bool DependencyWaits::has_waited_for(unsigned launch) {
  if (launch_.order().overlapped == 0) return false;
  if (const std::uint64_t begun = launches_begun(); begun != known_) {
    known_ = begun;
    overlapped_ = numbers_of_launch(launch_.order().overlapped);
  }
  if (!overlapped_[launch]) return false;
  const auto block = blocks_.find(numbering_.block_of(running_.thread()));
  if (block != blocks_.end() && (block->second.threads[running_.rank()] || is_known(block->second.first_of_warp)))
    return true;
  return is_known(first_);
}

bool DependencyWaits::is_known(const std::vector<Cell>& waits) const {
  return std::ranges::any_of(waits, [this](Cell wait) { return running_.happens_after(wait); });
}

}  // namespace warpfiber::check

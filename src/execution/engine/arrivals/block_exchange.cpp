// SPDX-License-Identifier: Apache-2.0
// Every block's shared memory has the same layout, so the place in another block's is an offset away.
#include "engine/arrivals/block_exchange.hpp"

#include <algorithm>
#include <memory>
#include <mutex>

#include "base/locks/annotated_mutex.hpp"
#include "engine/findings/findings.hpp"
#include "memory/shared_arena.hpp"

namespace warpfiber::engine {

using detail::current_thread;

unsigned BlockExchange::cluster_block_rank() const {
  const ResidentBlock& block = worker_.block();
  if (block.cluster == nullptr) return 0;
  const auto& members = block.cluster->blocks;
  return static_cast<unsigned>(std::find(members.begin(), members.end(), &block) - members.begin());
}

void* BlockExchange::shared_of_rank(const void* mine, unsigned rank, Site site) {
  const ResidentBlock& block = worker_.block();
  if (!block.arena.contains(mine) || rank >= worker_.grid().cluster_blocks) {
    current_thread.busy = true;
    if (worker_.grid().request.checked() && block.arena.contains(mine)) {
      char* nowhere = worker_.missing_block.memory_for(bad_shared_rank(worker_, rank, true, site), *worker_.observer);
      current_thread.busy = false;
      return nowhere + (static_cast<const char*>(mine) - block.arena.base());
    }
    choosing_.fail_here(bad_shared_rank(worker_, rank, block.arena.contains(mine), site));
  }
  const ResidentBlock& owner = block.cluster == nullptr ? block : *block.cluster->blocks[rank];
  return owner.arena.base() + (static_cast<const char*>(mine) - block.arena.base());
}

std::optional<unsigned> BlockExchange::rank_of_sharing_block(const void* place) const {
  const ResidentBlock& block = worker_.block();
  if (block.cluster == nullptr) return block.arena.contains(place) ? std::optional(0U) : std::nullopt;
  const auto& members = block.cluster->blocks;
  const auto owner = std::find_if(members.begin(), members.end(),
                                  [place](const ResidentBlock* member) { return member->arena.contains(place); });
  if (owner == members.end()) return std::nullopt;
  return static_cast<unsigned>(owner - members.begin());
}

unsigned BlockExchange::rank_of_shared(const void* place, Site site) {
  if (const std::optional<unsigned> rank = rank_of_sharing_block(place)) return *rank;
  current_thread.busy = true;
  choosing_.fail_here(not_shared(worker_, site));
}

detail::Notice& BlockExchange::notice_in_cluster(unsigned rank) {
  ResidentBlock& block = worker_.block();
  return block.cluster == nullptr ? block.notice : block.cluster->blocks[rank]->notice;
}

detail::Notice& BlockExchange::notice_in_grid(std::uint64_t rank, Site site) {
  current_thread.busy = true;
  if (!worker_.grid().request.cooperative) choosing_.fail_here(grid_barrier_in_plain_launch(worker_, site));
  Grid& grid = worker_.grid();
  std::call_once(grid.notices_made, [&grid] { grid.notices = std::make_unique<detail::Notice[]>(grid.blocks); });
  current_thread.busy = false;
  return grid.notices[rank];
}

detail::WideMeeting* BlockExchange::make_wide_meetings(std::size_t count) {
  current_thread.busy = true;
  const base::Lock lock(worker_.grid().mutex);
  auto& made = worker_.grid().wide_meetings.emplace_back(std::make_unique<detail::WideMeeting[]>(count));
  current_thread.busy = false;
  return made.get();
}

/// Counts what a block uses, and makes the variable look as fresh memory on the device may look: like anything.
void BlockExchange::first_touch(const detail::SharedVariable& variable) {
  ResidentBlock& block = worker_.block();
  block.shared_touched[variable.index] = block.serial;
  memory::poison(block.shared + variable.offset, variable.bytes);
  if (worker_.observer != nullptr) worker_.observer->undefine(block.shared + variable.offset, variable.bytes);
  block.shared_used += static_cast<unsigned>(variable.bytes);
  if (block.shared_used <= worker_.grid().request.static_shared_limit) return;
  current_thread.busy = true;
  choosing_.fail_here(too_much_static_shared(worker_, block.shared_used, variable.description));
}

}  // namespace warpfiber::engine

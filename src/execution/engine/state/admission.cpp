// SPDX-License-Identifier: Apache-2.0
// Taking chunks, places and slots, and giving them back.
#include "engine/state/admission.hpp"

#include <algorithm>
#include <utility>

#include "base/index.hpp"

namespace warpfiber::engine {
namespace {

uint3 to_uint3(const base::Triple& triple) {
  return uint3{triple.x, triple.y, triple.z};
}

}  // namespace

void Admission::begin(Grid& grid) {
  grid_ = &grid;
  has_place_ = true;
  chunk_next_ = chunk_end_ = 0;
  note_wait();
}

void Admission::end(const std::vector<ResidentBlock*>& resident) {
  free_slots_.insert(free_slots_.end(), resident.begin(), resident.end());
  free_clusters_.clear();
  for (auto& cluster : clusters_) free_clusters_.push_back(cluster.get());
}

bool Admission::take_place() {
  if (std::exchange(has_place_, false)) return true;
  if (grid_->free_places.load(std::memory_order_relaxed) <= 0) return false;
  if (grid_->free_places.fetch_sub(1) > 0) return true;
  grid_->free_places.fetch_add(1);
  return false;
}

void Admission::give_place() {
  if (!std::exchange(has_place_, true)) return;
  grid_->free_places.fetch_add(1);
  grid_->notify();
}

std::uint64_t Admission::take_spare_places() {
  if (grid_->request.device_share == nullptr || has_unstarted()) return 0;
  std::uint64_t spare = std::exchange(has_place_, false) ? 1 : 0;
  while (grid_->free_places.load() > 0) {
    if (grid_->free_places.fetch_sub(1) > 0) {
      ++spare;
    } else {
      grid_->free_places.fetch_add(1);
    }
  }
  if (spare != 0) grid_->held_places.fetch_sub(static_cast<std::int64_t>(spare));
  return spare;
}

/// The next clusters of the grid are this worker's to start; false if there are none.
bool Admission::take_chunk() {
  const std::uint64_t taken = grid_->next_cluster.load(std::memory_order_relaxed);
  if (taken >= grid_->clusters) return false;
  const std::uint64_t length = chunk_length(chunk_size_, grid_->clusters - taken, grid_->workers.size());
  chunk_next_ = grid_->next_cluster.fetch_add(length);
  chunk_end_ = std::min(chunk_next_ + length, grid_->clusters);
  if (chunk_next_ < grid_->clusters) return true;
  chunk_next_ = chunk_end_ = grid_->clusters;
  return false;
}

void Admission::skip_the_rest() {
  chunk_next_ = chunk_end_ = grid_->clusters;
  grid_->next_cluster.store(grid_->clusters);
}

/// So that the next block in the same place has other memory, and a pointer to that of the last one is found out. Large
/// memory rests between launches only, and that of many blocks not at all.
void Admission::rest_shared_memory(ResidentBlock& block) {
  constexpr unsigned kMostSlots = 16;
  constexpr std::size_t kSmall = 16 * 1024;  // bytes; of the shadow it is as small
  if (block.slot >= kMostSlots) return;
  const bool is_first = std::exchange(block.rested_in, grid_->number) != grid_->number;
  if (!is_first && block.arena.bytes() > kSmall) return;
  block.arena.exchange_for_rested(block.rested[block.next_rested]);
  block.next_rested = (block.next_rested + 1) % block.rested.size();
}

ResidentBlock* Admission::free_slot() {
  if (free_slots_.empty()) {
    slots_.push_back(std::make_unique<ResidentBlock>());
    slots_.back()->slot = static_cast<unsigned>(slots_.size() - 1);
    free_slots_.push_back(slots_.back().get());
  }
  ResidentBlock* block = free_slots_.back();
  if (grid_->request.checked()) rest_shared_memory(*block);
  if (!block->arena.reserve(grid_->request.dynamic_shared)) return nullptr;
  free_slots_.pop_back();
  return block;
}

Cluster* Admission::free_cluster() {
  if (free_clusters_.empty()) {
    clusters_.push_back(std::make_unique<Cluster>());
    free_clusters_.push_back(clusters_.back().get());
  }
  Cluster* cluster = free_clusters_.back();
  free_clusters_.pop_back();
  cluster->blocks.clear();
  cluster->barrier.start(grid_->cluster_blocks * grid_->threads);
  cluster->split = false;
  cluster->blocks_left = grid_->cluster_blocks;
  return cluster;
}

uint3 Admission::member_index(std::uint64_t rank, unsigned member) const {
  const GridRequest& request = grid_->request;
  if (grid_->cluster_blocks == 1) return to_uint3(base::unlinear(rank, request.grid));
  const base::Triple tiles{request.grid.x / request.cluster.x, request.grid.y / request.cluster.y,
                           request.grid.z / request.cluster.z};
  const base::Triple tile = base::unlinear(rank, tiles);
  const base::Triple inside = base::unlinear(member, request.cluster);
  return uint3{tile.x * request.cluster.x + inside.x, tile.y * request.cluster.y + inside.y,
               tile.z * request.cluster.z + inside.z};
}

void Admission::append_unstarted(std::vector<std::uint64_t>& blocks) const {
  for (std::uint64_t rank = chunk_next_; rank < chunk_end_; ++rank) {
    for (unsigned member = 0; member < grid_->cluster_blocks; ++member) {
      blocks.push_back(base::linear_index(member_index(rank, member), grid_->request.grid));
    }
  }
}

}  // namespace warpfiber::engine

// SPDX-License-Identifier: Apache-2.0
// The mutex is for the lists of grids. Arrivals and phases are atomic, because workers poll them.
#include "engine/state/multi_grid.hpp"

#include <algorithm>

#include "base/locks/annotated_mutex.hpp"
#include "engine/state/grid.hpp"

namespace warpfiber::engine {

void MultiGrid::notify() {
  const base::Lock lock(mutex_);
  for (Grid* grid : running_) grid->notify();
}

void MultiGrid::join(Grid& grid) {
  const base::Lock lock(mutex_);
  running_.push_back(&grid);
  if (failed_.load()) grid.cancel();
}

void MultiGrid::leave(Grid& grid, bool failed) {
  const base::Lock lock(mutex_);
  std::erase(running_, &grid);
  returned_.push_back(grid.request.multi_rank);
  if (failed) {
    cut_short_.push_back(grid.request.multi_rank);
    end_all();
  }
  for (Grid* other : running_) other->notify();
}

void MultiGrid::fail() {
  const base::Lock lock(mutex_);
  end_all();
}

void MultiGrid::end_all() {
  failed_.store(true);
  for (Grid* grid : running_) grid->cancel();
}

bool MultiGrid::was_cut_short(unsigned rank) const {
  const base::Lock lock(mutex_);
  return std::find(cut_short_.begin(), cut_short_.end(), rank) != cut_short_.end();
}

std::vector<unsigned> MultiGrid::returned() const {
  const base::Lock lock(mutex_);
  return returned_;
}

}  // namespace warpfiber::engine

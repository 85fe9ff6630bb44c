// SPDX-License-Identifier: Apache-2.0
// A table of stacks; the elements of an unordered_map stay where they are, and vectors as well.
#include "record/stack_depot.hpp"

#include <algorithm>

#include "base/locks/annotated_mutex.hpp"

namespace warpfiber::record {

constinit base::Service<StackDepot> StackDepot::the_process_;

bool StackDepot::Same::operator()(Addresses one, Addresses other) const {
  return std::ranges::equal(one, other);
}

std::size_t StackDepot::Same::operator()(Addresses returns) const {
  std::size_t hash = returns.size();
  for (const std::uintptr_t address : returns) hash = (hash ^ address ^ hash >> 29) * 0x9e3779b97f4a7c15U;
  return hash;
}

StackId StackDepot::add(Addresses returns) {
  if (returns.empty()) return StackId::none;
  const base::Lock lock(mutex_);
  if (const auto known = ids_.find(returns); known != ids_.end()) return known->second;
  const auto id = static_cast<StackId>(stacks_.size());
  stacks_.emplace_back();  // stays empty where there is no memory for the rest
  stacks_.back() = ids_.emplace(std::vector(returns.begin(), returns.end()), id).first->first;
  return id;
}

StackDepot::Addresses StackDepot::at(StackId id) const {
  const base::Lock lock(mutex_);
  return stacks_[static_cast<std::size_t>(id)];
}

}  // namespace warpfiber::record

// SPDX-License-Identifier: Apache-2.0
// Of stores by one access that race with one earlier access, the one that changes a value is kept.
#include "check/races/racing_stores.hpp"

#include <algorithm>
#include <cstring>

namespace warpfiber::check {

std::uint64_t value_at(const void* address, unsigned bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, address, std::min<std::size_t>(bytes, sizeof value));
  return value;
}

void RacingStores::add_ended(const RacingStore& store) {
  const auto same_pair = std::ranges::find_if(ended_, [&](const RacingStore& other) {
    return other.earlier.thread == store.earlier.thread && other.earlier.site == store.earlier.site &&
           other.now.thread == store.now.thread && other.now.site == store.now.site && other.kind == store.kind;
  });
  if (same_pair == ended_.end()) {
    ended_.push_back(store);
  } else if (same_pair->kept_value()) {
    *same_pair = store;
  }
}

}  // namespace warpfiber::check

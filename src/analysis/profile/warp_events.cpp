// SPDX-License-Identifier: Apache-2.0
// A lane's event is first compared with the next one of an earlier lane. Else its key is looked up.
#include "profile/warp_events.hpp"

namespace warpfiber::profile {

void WarpEvents::append(std::uint64_t key) {
  if (size_ == keys_.size()) {
    keys_.emplace_back();
    lanes_.emplace_back();
  }
  keys_[size_] = key;
  lanes_[size_] = 0;
  ++size_;
}

WarpEvents::SameKey& WarpEvents::with_key(std::uint64_t key) {
  for (; known_by_key_ < size_; ++known_by_key_) by_key_[keys_[known_by_key_]].places.push_back(known_by_key_);
  return by_key_[key];
}

void WarpEvents::leave_others(unsigned lane) {
  const std::uint32_t bit = std::uint32_t{1} << lane;
  for (std::uint32_t place = 0; place < next_[lane]; ++place) {
    lanes_[place] |= bit;
    ++with_key(keys_[place]).times[lane];
  }
  next_[lane] = kNone;
  on_their_own_ |= bit;
}

std::uint32_t WarpEvents::add_alone(unsigned lane, std::uint64_t key, bool may_add) {
  if ((on_their_own_ >> lane & 1U) == 0) {
    // The first lane of its warp, or one that goes on where the others have stopped.
    const bool is_ahead = next_[lane] == size_ && on_their_own_ == 0 && by_key_.empty();
    if (is_ahead) {
      if (!may_add) return kNone;
      append(key);
      return next_[lane]++;
    }
    leave_others(lane);
  }
  SameKey& same = with_key(key);
  const std::uint32_t time = same.times[lane];
  if (time == same.places.size()) {
    if (!may_add) return kNone;
    same.places.push_back(size_);
    known_by_key_ = size_ + 1;
    append(key);
  }
  ++same.times[lane];
  lanes_[same.places[time]] |= std::uint32_t{1} << lane;
  return same.places[time];
}

void WarpEvents::settle() {
  std::uint32_t in_all = 0;  // lanes
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((on_their_own_ >> lane & 1U) != 0) continue;
    if (next_[lane] == size_) {
      in_all |= std::uint32_t{1} << lane;
    } else {
      for (std::uint32_t place = 0; place < next_[lane]; ++place) lanes_[place] |= std::uint32_t{1} << lane;
    }
  }
  for (std::uint32_t place = 0; place < size_; ++place) lanes_[place] |= in_all;
}

void WarpEvents::clear() {
  size_ = 0;
  next_ = {};
  on_their_own_ = 0;
  by_key_.clear();
  known_by_key_ = 0;
}

}  // namespace warpfiber::profile

// SPDX-License-Identifier: Apache-2.0
// Puts what the lanes of one warp do together to what the warp does. Lanes run one after another here. On a GPU they
// execute an instruction together as long as they have not diverged. So the n-th event with one key by one lane is the
// same execution as the n-th by the others. A key stands for a place in the program and, where it is known, in the
// passes of its loops (lane_positions.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "profile/request.hpp"

namespace warpfiber::profile {

/// One of a worker's warps, by small numbers.
struct WarpId {
  unsigned slot = 0;  // of the block
  unsigned warp = 0;

  friend bool operator==(const WarpId&, const WarpId&) = default;
};

class WarpEvents {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// How many executions the warp has; they have places from 0 on.
  std::size_t size() const { return size_; }
  /// The place of the execution that the lane's event is part of, which is size() - 1 for a new one; kNone where
  /// `may_add` is false and it would be new.
  std::uint32_t add(unsigned lane, std::uint64_t key, bool may_add) {
    std::uint32_t& next = next_[lane];
    if (next < size_ && keys_[next] == key) [[likely]]
      return next++;
    return add_alone(lane, key, may_add);
  }
  /// All lanes have come together: lanes() is known from here on, until clear().
  void settle();
  std::uint32_t lanes(std::size_t place) const { return lanes_[place]; }
  void clear();

 private:
  /// The executions with one key.
  struct SameKey {
    std::array<std::uint32_t, kLanes> times{};  // by lanes that are on their own
    std::vector<std::uint32_t> places;
  };

  std::uint32_t add_alone(unsigned lane, std::uint64_t key, bool may_add);
  void append(std::uint64_t key);
  void leave_others(unsigned lane);
  SameKey& with_key(std::uint64_t key);

  // Executions lie in the order in which a lane first made them. A lane that does the same has made all of them up to a
  // place, and nothing else need be known of it. Once it does something else it is on its own, with no place.
  std::vector<std::uint64_t> keys_;
  std::uint32_t size_ = 0;  // of both; the memory behind it is kept
  std::vector<std::uint32_t> lanes_;
  std::array<std::uint32_t, kLanes> next_{};  // by lane, the place of the execution that it makes next
  std::uint32_t on_their_own_ = 0;            // lanes
  // Of all executions up to one, once a lane is on its own.
  std::unordered_map<std::uint64_t, SameKey> by_key_;
  std::uint32_t known_by_key_ = 0;
};

}  // namespace warpfiber::profile

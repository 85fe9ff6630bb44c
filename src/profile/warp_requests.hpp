// SPDX-License-Identifier: Apache-2.0
// Puts the accesses of a warp's lanes together to requests. Lanes run one after another here. On a GPU they execute an
// instruction together as long as they have not diverged. So the n-th execution of an instruction by one lane is in one
// request with the n-th by the others, counted from where all lanes of the warp last came together: a barrier, a
// shuffle of all, their begin. Of lanes that leave a loop earlier the last requests have fewer lanes, as on a GPU.
// Belongs to one worker.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "profile/profile.hpp"

namespace warpfiber::profile {

/// One of a worker's warps, by small numbers.
struct WarpId {
  unsigned slot = 0;  // of the block
  unsigned warp = 0;

  friend bool operator==(const WarpId&, const WarpId&) = default;
};

struct LaneAccess {
  AccessInstruction instruction;
  unsigned lane = 0;
  std::uintptr_t address = 0;
  std::uint32_t bytes = 0;
};

class WarpRequests {
 public:
  /// `most` requests may be open, each 272 bytes.
  explicit WarpRequests(std::size_t most = kMostOpen) : most_(most) {}

  void begin(unsigned warps_of_block) { warps_of_block_ = warps_of_block; }
  void access(const WarpId& warp, const LaneAccess& access);
  /// All lanes of the warp have come together: its requests are complete.
  void complete(const WarpId& warp);
  void complete_block(unsigned slot);
  /// The sums so far, which it forgets; all requests have been completed.
  std::map<AccessInstruction, Counters> take();
  std::uint64_t take_left_out();

 private:
  static constexpr std::size_t kMostOpen = std::size_t{1} << 17;
  static constexpr std::size_t kNone = ~std::size_t{0};

  struct Site {
    AccessInstruction instruction;
    Counters counters;
  };
  /// Of one instruction and one warp.
  struct OpenRequests {
    std::size_t site = 0;
    std::array<std::uint32_t, kLanes> executions{};
    std::vector<WarpRequest> requests;
  };
  struct OpenWarp {
    std::vector<OpenRequests> instructions;
    std::size_t used = 0;  // of those; the others keep their memory
    std::size_t last = 0;  // the one that was accessed last
  };
  /// The site of an instruction that was asked for last among those with one hash.
  struct RecentSite {
    std::uintptr_t key = 0;
    std::size_t site = 0;
  };

  std::size_t site_of(const AccessInstruction& instruction);
  OpenRequests& open_requests(OpenWarp& warp, std::size_t site);
  void complete(OpenWarp& warp);
  void complete_others(const OpenWarp& running);

  std::size_t most_;
  std::size_t open_ = 0;
  unsigned warps_of_block_ = 1;
  std::vector<OpenWarp> warps_;  // by slot and warp
  std::vector<Site> sites_;
  std::unordered_map<std::uintptr_t, std::size_t> site_by_key_;
  std::array<RecentSite, 256> recent_sites_{};
  std::uint64_t left_out_ = 0;
};

}  // namespace warpfiber::profile

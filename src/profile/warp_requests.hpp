// SPDX-License-Identifier: Apache-2.0
// Puts the accesses of a warp's lanes together to requests. Lanes run one after another here. On a GPU they execute an
// instruction together as long as they have not diverged. So the n-th execution of an instruction by one lane is in one
// request with the n-th by the others, counted from where all lanes of the warp last came together: a barrier, a
// shuffle of all, their begin. Of lanes that leave a loop earlier the last requests have fewer lanes, as on a GPU.
// Belongs to one worker.
#pragma once

#include <array>
#include <bit>
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
  /// `most` requests may be open, each 288 bytes.
  explicit WarpRequests(std::size_t most = kMostOpen) : most_(most) {}

  void begin(unsigned warps_of_block) { warps_of_block_ = warps_of_block; }
  void access(const WarpId& id, const LaneAccess& access) {
    const std::size_t index = std::size_t{id.slot} * warps_of_block_ + id.warp;
    const std::uintptr_t key = key_of(access);
    if (index < warps_.size() && (warps_[index].on_their_own >> access.lane & 1U) == 0) [[likely]] {
      OpenWarp& warp = warps_[index];
      std::uint32_t& next = warp.next[access.lane];
      if (next < warp.open && warp.keys[next] == key) {
        warp.requests[next++].address[access.lane] = access.address;
        return;
      }
    }
    access_alone(index, access, key);
  }
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
  /// The executions of one instruction by the lanes of one warp.
  struct OpenInstruction {
    std::size_t site = 0;
    std::array<std::uint32_t, kLanes> executions{};  // by lanes that are on their own
    std::vector<std::uint32_t> requests;             // places in those of the warp
  };
  /// Requests lie in the order in which a lane first made them. A lane that does the same has made all of them up to a
  /// place, and nothing else need be known of it. Once it does something else it is on its own.
  struct OpenWarp {
    std::vector<std::uintptr_t> keys;  // of the requests
    std::vector<std::uint32_t> instruction_of;
    std::vector<WarpRequest> requests;
    std::vector<OpenInstruction> instructions;
    std::size_t open = 0;                      // of the requests; the others keep their memory
    std::size_t used = 0;                      // of the instructions
    std::size_t last = 0;                      // the one that was accessed last
    std::uint32_t on_their_own = 0;            // lanes
    std::array<std::uint32_t, kLanes> next{};  // of the others: the place of the request that they make next
  };
  /// The site of an instruction that was asked for last among those with one hash.
  struct RecentSite {
    std::uintptr_t key = 0;
    std::size_t site = 0;
  };

  static std::uintptr_t key_of(const LaneAccess& access) {
    constexpr unsigned kBitsOfKind = 4;  // more than pairs of a space and an operation
    constexpr unsigned kBitsOfSize = 3;
    const AccessInstruction& instruction = access.instruction;
    const auto kind =
        static_cast<std::uintptr_t>(instruction.space) * 3 + static_cast<std::uintptr_t>(instruction.operation);
    const auto size = static_cast<std::uintptr_t>(std::countr_zero(access.bytes));
    return (reinterpret_cast<std::uintptr_t>(instruction.address) << kBitsOfKind | kind) << kBitsOfSize | size;
  }

  std::size_t site_of(const AccessInstruction& instruction, std::uintptr_t key);
  std::uint32_t open_instruction(OpenWarp& warp, std::size_t site);
  /// Of a lane that does something else than the others have done, or the first of its warp.
  void access_alone(std::size_t index, const LaneAccess& access, std::uintptr_t key);
  static void leave_others(OpenWarp& warp, unsigned lane);
  /// The place of a new request; the number of requests where no more are kept.
  std::size_t open_request(OpenWarp& warp, const LaneAccess& access, std::uintptr_t key, std::uint32_t instruction);
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

// SPDX-License-Identifier: Apache-2.0
// Puts the accesses of a warp's lanes together to requests: what one execution of an instruction accesses. Requests are
// complete where all lanes of the warp come together: a barrier, a shuffle of all, their end. Of lanes that leave a
// loop earlier the last requests have fewer lanes, as on a GPU. Belongs to one worker.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "profile/profile.hpp"
#include "profile/warp_events.hpp"

namespace warpfiber::profile {

struct LaneAccess {
  AccessInstruction instruction;
  unsigned lane = 0;
  std::uintptr_t address = 0;
  std::uint32_t bytes = 0;
  std::uint64_t position = 0;  // LanePosition::value()
};

class WarpRequests {
 public:
  /// `most` requests may be open, each 288 bytes.
  explicit WarpRequests(std::size_t most = kMostOpen) : most_(most) {}

  /// The open requests of a warp. Stays where it is until the next begin() or block_begin().
  class OpenRequests {
    friend class WarpRequests;
    WarpEvents events;
    std::vector<WarpRequest> requests;  // by place
    std::vector<std::size_t> sites;     // by place
    std::size_t open = 0;               // of the requests; the others keep their memory
  };

  void begin(unsigned warps_of_block) { warps_of_block_ = warps_of_block; }
  void block_begin(unsigned slot);
  OpenRequests& of(const WarpId& id) { return warps_[std::size_t{id.slot} * warps_of_block_ + id.warp]; }
  void access(OpenRequests& warp, const LaneAccess& access) {
    const std::uint64_t key = key_of(access);
    const std::uint32_t place = warp.events.add(access.lane, key + access.position, open_ < most_);
    if (place >= warp.open) [[unlikely]]
      return open_request(warp, access, key, place);
    warp.requests[place].address[access.lane] = access.address;
  }
  /// All lanes of the warp have come together: its requests are complete.
  void complete(const WarpId& warp);
  void complete_block(unsigned slot);
  /// The sums so far, which it forgets; all requests have been completed.
  std::map<AccessInstruction, Counters> take();
  std::uint64_t take_left_out();

 private:
  static constexpr std::size_t kMostOpen = std::size_t{1} << 17;
  struct Site {
    AccessInstruction instruction;
    Counters counters;
  };
  /// The site of an instruction that was asked for last among those with one hash.
  struct RecentSite {
    std::uintptr_t key = 0;
    std::size_t site = 0;
  };

  static std::uint64_t key_of(const LaneAccess& access) {
    constexpr unsigned kBitsOfKind = 4;  // more than pairs of a space and an operation
    constexpr unsigned kBitsOfSize = 5;  // up to 16 bytes
    const AccessInstruction& instruction = access.instruction;
    const auto kind =
        static_cast<std::uint64_t>(instruction.space) * 3 + static_cast<std::uint64_t>(instruction.operation);
    return (reinterpret_cast<std::uintptr_t>(instruction.address) << kBitsOfKind | kind) << kBitsOfSize | access.bytes;
  }

  std::size_t site_of(const AccessInstruction& instruction, std::uintptr_t key);
  /// The first access of a request, or one for which there is no room.
  void open_request(OpenRequests& warp, const LaneAccess& access, std::uintptr_t key, std::uint32_t place);
  void complete(OpenRequests& warp);
  void complete_others(const OpenRequests& running);

  std::size_t most_;
  std::size_t open_ = 0;
  unsigned warps_of_block_ = 1;
  std::vector<OpenRequests> warps_;  // by slot and warp
  std::vector<Site> sites_;
  std::unordered_map<std::uintptr_t, std::size_t> site_by_key_;
  std::array<RecentSite, 256> recent_sites_{};
  std::uint64_t left_out_ = 0;
};

}  // namespace warpfiber::profile

// SPDX-License-Identifier: Apache-2.0
// A lane's access is first compared with the next one of an earlier lane. Else the instruction is found by a search
// from the last one on.
#include "profile/warp_requests.hpp"

#include <utility>

namespace warpfiber::profile {

std::size_t WarpRequests::site_of(const AccessInstruction& instruction, std::uintptr_t key) {
  RecentSite& recent = recent_sites_[(key >> 7) % recent_sites_.size()];
  if (recent.key == key) return recent.site;
  const auto [place, is_new] = site_by_key_.emplace(key, sites_.size());
  if (is_new) sites_.push_back({instruction, {}});
  recent = {key, place->second};
  return place->second;
}

std::uint32_t WarpRequests::open_instruction(OpenWarp& warp, std::size_t site) {
  for (std::size_t i = 0; i < warp.used; ++i) {
    warp.last = warp.last + 1 < warp.used ? warp.last + 1 : 0;
    if (warp.instructions[warp.last].site == site) return static_cast<std::uint32_t>(warp.last);
  }
  if (warp.used == warp.instructions.size()) warp.instructions.emplace_back();
  warp.last = warp.used;
  OpenInstruction& opened = warp.instructions[warp.used++];
  opened.site = site;
  opened.executions = {};
  opened.requests.clear();
  return static_cast<std::uint32_t>(warp.last);
}

void WarpRequests::leave_others(OpenWarp& warp, unsigned lane) {
  const std::uint32_t bit = std::uint32_t{1} << lane;
  for (std::uint32_t place = 0; place < warp.next[lane]; ++place) {
    ++warp.instructions[warp.instruction_of[place]].executions[lane];
    warp.requests[place].lanes |= bit;
  }
  warp.on_their_own |= bit;
}

std::size_t WarpRequests::open_request(OpenWarp& warp, const LaneAccess& access, std::uintptr_t key,
                                       std::uint32_t instruction) {
  if (open_ >= most_) complete_others(warp);
  if (open_ >= most_) return warp.open;
  const std::size_t place = warp.open++;
  ++open_;
  if (place == warp.requests.size()) {
    warp.requests.emplace_back();
    warp.keys.emplace_back();
    warp.instruction_of.emplace_back();
  }
  warp.keys[place] = key;
  warp.instruction_of[place] = instruction;
  warp.requests[place].lanes = 0;
  warp.requests[place].bytes = access.bytes;
  warp.instructions[instruction].requests.push_back(static_cast<std::uint32_t>(place));
  return place;
}

void WarpRequests::access_alone(std::size_t index, const LaneAccess& access, std::uintptr_t key) {
  if (index >= warps_.size()) warps_.resize(index + 1);
  OpenWarp& warp = warps_[index];
  if ((warp.on_their_own >> access.lane & 1U) == 0) leave_others(warp, access.lane);
  const std::uint32_t number = open_instruction(warp, site_of(access.instruction, key));
  OpenInstruction& instruction = warp.instructions[number];
  const std::uint32_t execution = instruction.executions[access.lane]++;
  std::size_t place = warp.open;
  if (execution < instruction.requests.size()) {
    place = instruction.requests[execution];
  } else if (execution == instruction.requests.size()) {
    place = open_request(warp, access, key, number);
  }
  if (place == warp.open) {
    ++left_out_;
    return;
  }
  warp.requests[place].lanes |= std::uint32_t{1} << access.lane;
  warp.requests[place].address[access.lane] = access.address;
}

void WarpRequests::complete(OpenWarp& warp) {
  std::uint32_t in_all = 0;  // lanes
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((warp.on_their_own >> lane & 1U) != 0) continue;
    if (warp.next[lane] == warp.open) {
      in_all |= std::uint32_t{1} << lane;
    } else {
      leave_others(warp, lane);
    }
  }
  for (std::size_t place = 0; place < warp.open; ++place) {
    warp.requests[place].lanes |= in_all;
    Site& site = sites_[warp.instructions[warp.instruction_of[place]].site];
    site.counters.add(warp.requests[place], site.instruction.space, site.instruction.operation);
  }
  open_ -= warp.open;
  warp.open = warp.used = 0;
  warp.on_their_own = 0;
  warp.next = {};
}

/// Warps that do not run have most likely come to where their lanes wait for each other.
void WarpRequests::complete_others(const OpenWarp& running) {
  for (OpenWarp& warp : warps_) {
    if (&warp != &running) complete(warp);
  }
}

void WarpRequests::complete(const WarpId& id) {
  const std::size_t index = std::size_t{id.slot} * warps_of_block_ + id.warp;
  if (index < warps_.size()) complete(warps_[index]);
}

void WarpRequests::complete_block(unsigned slot) {
  for (unsigned warp = 0; warp < warps_of_block_; ++warp) complete(WarpId{slot, warp});
}

std::map<AccessInstruction, Counters> WarpRequests::take() {
  for (OpenWarp& warp : warps_) complete(warp);
  std::map<AccessInstruction, Counters> sums;
  for (Site& site : sites_) {
    if (site.counters.requests != 0) sums[site.instruction] += std::exchange(site.counters, {});
  }
  return sums;
}

std::uint64_t WarpRequests::take_left_out() {
  return std::exchange(left_out_, 0);
}

}  // namespace warpfiber::profile

// SPDX-License-Identifier: Apache-2.0
// Instructions that have open requests are found by a search from the last one on: lanes execute them in one order.
#include "profile/warp_requests.hpp"

#include <utility>

namespace warpfiber::profile {

std::size_t WarpRequests::site_of(const AccessInstruction& instruction) {
  constexpr unsigned kKinds = 8;  // more than pairs of a space and an operation
  const auto kind =
      static_cast<std::uintptr_t>(instruction.space) * 3 + static_cast<std::uintptr_t>(instruction.operation);
  const std::uintptr_t key = reinterpret_cast<std::uintptr_t>(instruction.address) * kKinds + kind;
  RecentSite& recent = recent_sites_[(key >> 4) % recent_sites_.size()];
  if (recent.key == key) return recent.site;
  const auto [place, is_new] = site_by_key_.emplace(key, sites_.size());
  if (is_new) sites_.push_back({instruction, {}});
  recent = {key, place->second};
  return place->second;
}

WarpRequests::OpenRequests& WarpRequests::open_requests(OpenWarp& warp, std::size_t site) {
  for (std::size_t i = 0; i < warp.used; ++i) {
    warp.last = warp.last + 1 < warp.used ? warp.last + 1 : 0;
    if (warp.instructions[warp.last].site == site) return warp.instructions[warp.last];
  }
  if (warp.used == warp.instructions.size()) warp.instructions.emplace_back();
  warp.last = warp.used;
  OpenRequests& open = warp.instructions[warp.used++];
  open.site = site;
  open.executions = {};
  return open;
}

void WarpRequests::access(const WarpId& id, const LaneAccess& access) {
  const std::size_t index = std::size_t{id.slot} * warps_of_block_ + id.warp;
  if (index >= warps_.size()) warps_.resize(index + 1);
  OpenWarp& warp = warps_[index];
  OpenRequests& open = open_requests(warp, site_of(access.instruction));
  const std::uint32_t execution = open.executions[access.lane]++;
  if (execution >= open.requests.size()) {
    if (open_ >= most_) complete_others(warp);
    if (open_ >= most_ || execution != open.requests.size()) {
      ++left_out_;
      return;
    }
    open.requests.emplace_back();
    ++open_;
  }
  WarpRequest& request = open.requests[execution];
  request.lanes |= std::uint32_t{1} << access.lane;
  request.bytes = access.bytes;
  request.address[access.lane] = access.address;
}

void WarpRequests::complete(OpenWarp& warp) {
  for (std::size_t i = 0; i < warp.used; ++i) {
    OpenRequests& open = warp.instructions[i];
    Site& site = sites_[open.site];
    for (const WarpRequest& request : open.requests) site.counters.add(request, site.instruction.space);
    open_ -= open.requests.size();
    open.requests.clear();
  }
  warp.used = 0;
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

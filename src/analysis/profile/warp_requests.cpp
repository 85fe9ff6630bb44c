// SPDX-License-Identifier: Apache-2.0
// Requests of a worker's warps share the room that there is for open ones.
#include "profile/warp_requests.hpp"

#include <utility>

namespace warpfiber::profile {

void WarpRequests::block_begin(unsigned slot) {
  const std::size_t warps = (std::size_t{slot} + 1) * warps_of_block_;
  if (warps_.size() < warps) warps_.resize(warps);
}

std::size_t WarpRequests::site_of(const AccessInstruction& instruction, std::uintptr_t key) {
  RecentSite& recent = recent_sites_[(key >> 9) % recent_sites_.size()];
  if (recent.key == key) return recent.site;
  const auto [place, is_new] = site_by_key_.emplace(key, sites_.size());
  if (is_new) sites_.push_back({instruction, {}});
  recent = {key, place->second};
  return place->second;
}

void WarpRequests::open_request(OpenRequests& warp, const LaneAccess& access, std::uintptr_t key, std::uint32_t place) {
  if (place == WarpEvents::kNone) {
    complete_others(warp);
    if (open_ < most_) place = warp.events.add(access.lane, key + access.position, true);
  }
  if (place == WarpEvents::kNone) {
    ++left_out_;
    return;
  }
  if (place == warp.open) {
    ++open_;
    ++warp.open;
    if (place == warp.requests.size()) {
      warp.requests.emplace_back();
      warp.sites.emplace_back();
    }
    warp.requests[place].bytes = access.bytes;
    warp.sites[place] = site_of(access.instruction, key);
  }
  warp.requests[place].address[access.lane] = access.address;
}

void WarpRequests::complete(OpenRequests& warp) {
  warp.events.settle();
  for (std::size_t place = 0; place < warp.open; ++place) {
    WarpRequest& request = warp.requests[place];
    request.lanes = warp.events.lanes(place);
    Site& site = sites_[warp.sites[place]];
    site.counters.add(request, site.instruction.space, site.instruction.operation);
  }
  warp.events.clear();
  open_ -= warp.open;
  warp.open = 0;
}

/// Warps that do not run have most likely come to where their lanes wait for each other.
void WarpRequests::complete_others(const OpenRequests& running) {
  for (OpenRequests& warp : warps_) {
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
  for (OpenRequests& warp : warps_) complete(warp);
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

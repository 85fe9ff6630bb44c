// SPDX-License-Identifier: Apache-2.0
// A lane outside the mask is a defect where the call names it, or where its value is used.
#include "check/values/lane_values.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "check/cells/sites.hpp"

namespace warpfiber::check {

void LaneValues::foreign_lane(const ShuffleCaller& caller, std::uint64_t mask, unsigned source, bool named,
                              const Side& now) {
  if (Violation* made = violations_.add(ViolationKind::foreign_neighbour, kUnknownSite, now.site)) {
    made->now = now;
    made->value = source;
    made->mask = mask;
  }
  if (!named) return;
  const bool meant = is_meant(caller, source, now.site);
  if (meant || std::has_single_bit(mask))
    violations_.turn(ViolationKind::foreign_neighbour, kUnknownSite, now.site, ViolationKind::foreign_lane);
}

/// A lane next to the caller's may be named by counting, too. One that all name is meant.
bool LaneValues::is_meant(const ShuffleCaller& caller, unsigned source, unsigned site) {
  const auto [last, fresh] =
      named_lanes_.try_emplace(caller.warp << kSiteBits | site, NamedLane{caller.thread, source});
  const bool meant = !fresh && last->second.source == source && last->second.thread != caller.thread;
  last->second = {caller.thread, source};
  return meant;
}

void LaneValues::begin_store(std::uint64_t thread, const void* address, std::size_t bytes) {
  constexpr std::size_t kMost = 16;
  if (undefined_.none() || bytes > kMost) return;
  store_ = Store{thread, address, bytes};
  std::memcpy(&store_.before, address, std::min(bytes, sizeof store_.before));
}

void LaneValues::end_store() {
  if (store_.address == nullptr) return;
  const Store last = std::exchange(store_, {});
  const auto site = undefined_.stored(last.thread, last.address, last.bytes, last.before);
  if (site.has_value())
    violations_.turn(ViolationKind::foreign_neighbour, kUnknownSite, *site, ViolationKind::foreign_used);
}

bool LaneValues::lead_to(std::uint64_t thread, const char* address, const std::function<bool(const char*)>& is_object) {
  if (undefined_.none()) return false;
  const auto call = undefined_.index_of(thread, address, is_object);
  return call.has_value() && violations_.turn(ViolationKind::foreign_neighbour, kUnknownSite, *call,
                                              ViolationKind::foreign_used) != nullptr;
}

}  // namespace warpfiber::check

// SPDX-License-Identifier: Apache-2.0
// Each lane is in the meeting that it had last.
#include "check/order/lane_meetings.hpp"

#include <algorithm>

namespace warpfiber::check {

void LaneMeetings::replace(const Site& site, std::uint64_t mask, std::uint64_t lanes) {
  if (repeats_last(lanes)) {
    last_.front() = LaneMeeting{site, mask, lanes, last_.front().number + 1};
    return;
  }
  std::vector<LaneMeeting> now;
  std::uint64_t first = lanes;  // that meet for the first time
  for (LaneMeeting& before : last_) {
    if (const std::uint64_t again = before.lanes & lanes; again != 0)
      now.push_back(LaneMeeting{site, mask, again, before.number + 1});
    first &= ~before.lanes;
    before.lanes &= ~lanes;
  }
  if (first != 0) now.push_back(LaneMeeting{site, mask, first, 1});
  std::erase_if(last_, [](const LaneMeeting& before) { return before.lanes == 0; });
  last_.insert(last_.end(), now.begin(), now.end());
}

std::optional<LaneMeeting> LaneMeetings::note(const Site& site, std::uint64_t mask, std::uint64_t lanes,
                                              std::uint64_t live) {
  replace(site, mask, lanes);
  const std::uint64_t gone = mask & ~live & ~lanes;
  if (gone == 0) return std::nullopt;
  const auto number_of = [&](std::uint64_t of) {
    return std::ranges::find_if(last_, [of](const LaneMeeting& one) { return (one.lanes & of) != 0; })->number;
  };
  const std::uint32_t number = number_of(lanes);
  for (const LaneMeeting& other : last_) {
    if ((other.lanes & gone) != 0 && other.mask != mask && other.number == number && other.site == site) return other;
  }
  return std::nullopt;
}

}  // namespace warpfiber::check

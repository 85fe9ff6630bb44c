// SPDX-License-Identifier: Apache-2.0
// The last collective of each lane of a warp, so that masks that differ at one call are reported even where no lane is
// pending: lanes that return are no longer waited for, and a call that named them is then complete all the same.
// Belongs to one worker.
#pragma once

#include <warpfiber/detail/site.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace warpfiber::check {

/// Lanes that have met at a call.
struct LaneMeeting {
  Site site;
  std::uint64_t mask = 0;
  std::uint64_t lanes = 0;   // that came
  std::uint32_t number = 0;  // of the meeting, counted by each of its lanes, from 1
};

class LaneMeetings {
 public:
  /// Lanes have met at `site`. Of those that `mask` names and that are gone, returns some that came to the same call,
  /// as the same of their meetings, with another mask.
  std::optional<LaneMeeting> note(const Site& site, std::uint64_t mask, std::uint64_t lanes, std::uint64_t live);

 private:
  bool repeats_last(std::uint64_t lanes) const { return last_.size() == 1 && last_.front().lanes == lanes; }
  void replace(const Site& site, std::uint64_t mask, std::uint64_t lanes);

  std::vector<LaneMeeting> last_;  // of every lane that has met others; no lane is in two
};

}  // namespace warpfiber::check

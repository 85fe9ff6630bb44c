// SPDX-License-Identifier: Apache-2.0
// The calls of barriers that threads of a launch have passed, so that the fix of a race can say between which lines one
// is missing. Belongs to one worker.
#pragma once

#include <warpfiber/detail/site.hpp>

#include <algorithm>
#include <vector>

#include "record/finding.hpp"

namespace warpfiber::check {

class PassedBarriers {
 public:
  struct Call {
    record::Width width{};
    Site site{};
  };

  void note(record::Width width, const Site& site) {
    if (last_ < calls_.size() && calls_[last_].site == site && calls_[last_].width >= width) return;
    note_other(width, site);
  }
  const std::vector<Call>& all() const { return calls_; }

 private:
  static constexpr std::size_t kMost = 64;

  void note_other(record::Width width, const Site& site) {
    const auto known = std::ranges::find_if(calls_, [&site](const Call& one) { return one.site == site; });
    last_ = static_cast<std::size_t>(known - calls_.begin());
    if (known != calls_.end()) {
      known->width = std::max(known->width, width);
    } else if (calls_.size() < kMost && site.line != 0) {
      calls_.push_back({width, site});
    }
  }

  std::vector<Call> calls_;
  std::size_t last_ = 0;  // place of the last
};

}  // namespace warpfiber::check

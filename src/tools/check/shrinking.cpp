// SPDX-License-Identifier: Apache-2.0
//
// Halves the schedule's end, then leaves out parts of decreasing size, until no part can go or the tries are used up.
#include "tools/check/shrinking.hpp"

#include <algorithm>
#include <utility>

namespace warpfiber::tools::check {
namespace {

using schedule::Switches;

class Shrinking {
 public:
  Shrinking(Switches switches, unsigned most_runs, const StillFails& still_fails)
      : switches_(std::move(switches)), runs_left_(most_runs), still_fails_(still_fails) {}

  Switches run() {
    if (!switches_.empty() && takes({})) return {};
    cut_end();
    bool smaller = false;
    for (std::size_t size = (switches_.size() + 1) / 2; size > 0 && runs_left_ > 0; size = smaller ? size : size / 2) {
      smaller = leave_out_parts(size) && size == 1;
    }
    return std::move(switches_);
  }

 private:
  /// Whether fewer switches do as well; they are then those that are left.
  bool takes(Switches fewer) {
    if (runs_left_ == 0) return false;
    --runs_left_;
    if (!still_fails_(fewer)) return false;
    switches_ = std::move(fewer);
    return true;
  }

  /// What comes after the failure is of no use: halves the distance to the shortest beginning that fails.
  void cut_end() {
    std::size_t too_few = 0;
    while (switches_.size() - too_few > 1 && runs_left_ > 0) {
      const std::size_t count = too_few + (switches_.size() - too_few) / 2;
      const auto end = switches_.begin() + static_cast<std::ptrdiff_t>(count);
      if (!takes(Switches(switches_.begin(), end))) too_few = count;
    }
  }

  /// Tries every part of `size` switches; whether one could go.
  bool leave_out_parts(std::size_t size) {
    bool any = false;
    for (std::size_t from = 0; from < switches_.size() && runs_left_ > 0;) {
      Switches fewer = switches_;
      const auto first = fewer.begin() + static_cast<std::ptrdiff_t>(from);
      fewer.erase(first, first + static_cast<std::ptrdiff_t>(std::min(size, fewer.size() - from)));
      if (takes(std::move(fewer))) {
        any = true;
      } else {
        from += size;
      }
    }
    return any;
  }

  Switches switches_;
  unsigned runs_left_;
  const StillFails& still_fails_;
};

}  // namespace

Switches shrunk(Switches switches, unsigned most_runs, const StillFails& still_fails) {
  return Shrinking(std::move(switches), most_runs, still_fails).run();
}

}  // namespace warpfiber::tools::check

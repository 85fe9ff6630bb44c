// SPDX-License-Identifier: Apache-2.0
// What kernels in a row need of the system, for as long as they are all that an OS thread runs. Belongs to that thread.
#pragma once

#include <optional>

#include "engine/run.hpp"

namespace warpfiber::streams {

class KernelSeries {
 public:
  /// The OS thread is about to run one more kernel, or something else, which ends the series.
  void prepare_for(bool is_kernel) {
    if (!is_kernel) {
      end();
    } else if (!series_.has_value()) {
      series_.emplace();
    }
  }
  void end() { series_.reset(); }

 private:
  std::optional<engine::LaunchSeries> series_;
};

}  // namespace warpfiber::streams

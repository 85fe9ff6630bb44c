// SPDX-License-Identifier: Apache-2.0
// How often each line of device code was executed, as arrays that a debugger reads. The caller holds the lock.
#pragma once

#include <warpfiber/detail/site.hpp>

#include <cstdint>
#include <deque>
#include <vector>

#include "step/state.hpp"

namespace warpfiber::step {

class LineCounts {
 public:
  /// Counts the line, and returns the index of its file.
  std::uint16_t count(const Site& where);

  const std::vector<StepFile>& files() const { return files_; }

 private:
  std::uint16_t index_of(const char* name);

  std::vector<StepFile> files_;
  std::deque<std::vector<std::uint64_t>> counts_;  // of each
  std::uint16_t last_ = 0;
};

}  // namespace warpfiber::step

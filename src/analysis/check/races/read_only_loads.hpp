// SPDX-License-Identifier: Apache-2.0
// Loads that a device makes through caches which its own writes do not reach: __ldg(), textures. What the kernel itself
// has written before may be missing in them, whatever orders the two. Belongs to one worker.
#pragma once

#include <cstddef>

#include "check/running/identity.hpp"
#include "check/running/running_thread.hpp"
#include "check/running/violation_log.hpp"

namespace warpfiber::check {

class ReadOnlyLoads {
 public:
  ReadOnlyLoads(const LaunchIdentity& launch, const RunningThread& running, ViolationLog& log)
      : launch_(launch), running_(running), log_(log) {}

  /// The running thread's load of some bytes of a word. What is unordered with it is a race of its own.
  void check(std::size_t index, unsigned bytes, unsigned site);

 private:
  const LaunchIdentity& launch_;
  const RunningThread& running_;
  ViolationLog& log_;
};

}  // namespace warpfiber::check

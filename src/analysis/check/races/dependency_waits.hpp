// SPDX-License-Identifier: Apache-2.0
// Programmatic dependent launches: a kernel that may begin while the one before it in its stream still runs is ordered
// behind that one from cudaGridDependencySynchronize() on, for the threads that call it and for all that come after
// them by barriers, flags and the like. Belongs to one launch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "check/running/running_thread.hpp"

namespace warpfiber::check {

class DependencyWaits {
 public:
  DependencyWaits(const ThreadNumbering& numbering, const LaunchIdentity& launch, RunningThread& running)
      : numbering_(numbering), launch_(launch), running_(running) {}

  /// The running thread waits for what was launched before its kernel.
  void wait();
  /// Whether `launch` is the one that the kernel may overlap, and is over for the running thread.
  bool has_waited_for(unsigned launch);
  void end_block(std::uint64_t block) { blocks_.erase(block); }

 private:
  static constexpr std::size_t kMostElsewhere = 64;  // waits in other blocks

  struct BlockWaits {
    std::vector<bool> threads;        // by rank
    std::vector<Cell> first_of_warp;  // of warps that have waited
  };

  bool is_known(const std::vector<Cell>& waits) const;

  const ThreadNumbering& numbering_;
  const LaunchIdentity& launch_;
  RunningThread& running_;
  LaunchSet overlapped_{};   // the numbers of the launch
  std::uint64_t known_ = 0;  // launches_begun() then
  std::unordered_map<std::uint64_t, BlockWaits> blocks_;
  std::vector<Cell> first_;
};

}  // namespace warpfiber::check

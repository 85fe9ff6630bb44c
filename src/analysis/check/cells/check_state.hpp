// SPDX-License-Identifier: Apache-2.0
// What the room keeps for the process, as members of one object. Each service is defined in the file that works with
// it. Invariant: nothing here is destroyed, because kernels may run until the very end of the process.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "base/locks/annotated_mutex.hpp"
#include "base/process/service.hpp"

namespace warpfiber::check {

class HostWrites;
class MovedValues;
struct ArrayHandles;
struct FrameRegister;
struct LaunchRegister;
struct SiteRegister;

struct CheckState {
  static CheckState& of_process();

  base::Service<SiteRegister> sites;
  base::Service<LaunchRegister> launches;
  base::Service<HostWrites> host_writes;
  base::Service<MovedValues> moved_values;
  base::Service<ArrayHandles> array_handles;
  base::Service<FrameRegister> frames;

  bool has_shadow = false;                       // the program has hooks, and the host has room
  std::atomic<bool> meets_some{false};           // the program's threads may meet some of their block only
  std::atomic<std::uint64_t> begun_launches{0};  // numbers that have been taken
  std::array<base::Mutex, 64> openings;          // guards words that concurrent launches use for the first time

 private:
  static CheckState the_process_;
};

inline CheckState& CheckState::of_process() {
  return the_process_;
}

}  // namespace warpfiber::check

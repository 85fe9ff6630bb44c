// SPDX-License-Identifier: Apache-2.0
// Which allocations a launch can know of: those that its arguments point into, and those that some pointer in memory of
// the device points into. An access to any other one has left the object its pointer came from. Belongs to one worker.
#pragma once

#include <cstddef>
#include <vector>

namespace warpfiber::check {

class Reach {
 public:
  /// The launch's arguments; without them everything counts as given.
  void begin(const void* arguments, std::size_t bytes);
  /// Whether the launch was given the allocation. Looks through the memory of all others when first asked about one that
  /// no argument points into.
  bool given(const char* base, std::size_t bytes);

 private:
  std::vector<const char*> pointers_;  // words of the arguments
  std::vector<const char*> given_;     // allocations
  bool known_ = false;
};

}  // namespace warpfiber::check

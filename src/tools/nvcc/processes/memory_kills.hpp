// SPDX-License-Identifier: Apache-2.0
// Whether a program was ended by the system for lack of memory: Linux does that by signal 9, which says nothing of why.
#pragma once

#include <cstdint>
#include <string>

namespace warpfiber::tools::nvcc {

/// Made before a program starts, asked after its end.
class MemoryKills {
 public:
  MemoryKills();

  /// To follow "was ended by signal 9": why, and the limit; empty where the system has ended no process of this one's
  /// control group for lack of memory since.
  std::string note() const;

 private:
  std::uint64_t before_;
};

}  // namespace warpfiber::tools::nvcc

// SPDX-License-Identifier: Apache-2.0
// Pointers to the stack of the running thread that another thread has left in memory. Threads that do not wait follow
// one another on one stack, so such a pointer may be to a variable of a thread that has returned. Belongs to one
// worker.
#pragma once

#include <cstdint>
#include <functional>

#include "check/bounds/outside_memory.hpp"
#include "check/running/identity.hpp"
#include "check/running/numbering.hpp"
#include "check/running/running_thread.hpp"

namespace warpfiber::check {

/// Whether the thread of the running block with that rank has returned; the checker asks the engine.
using HasReturned = std::function<bool(unsigned rank)>;

class LeftPointers {
 public:
  /// Without `has_returned` nothing is found.
  LeftPointers(const ThreadNumbering& numbering, const LaunchIdentity& identity, RunningThread& running,
               OutsideMemory& outside, HasReturned has_returned);

  /// The running thread is about to read eight bytes there.
  void look_at(const void* address);

 private:
  bool may_be_own(std::uint64_t writer) const;

  const ThreadNumbering& numbering_;
  const LaunchIdentity& identity_;
  RunningThread& running_;
  OutsideMemory& outside_;
  HasReturned has_returned_;
};

}  // namespace warpfiber::check

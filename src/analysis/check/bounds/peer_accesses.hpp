// SPDX-License-Identifier: Apache-2.0
// Accesses to the shared memory of other blocks of a cluster: the block must have begun, and must not end before the
// access. Belongs to one worker.
#pragma once

#include "check/running/violation_log.hpp"

namespace warpfiber::check {

class PeerAccesses {
 public:
  PeerAccesses(const ThreadNumbering& numbering, const RunningThread& running, const BlockShadows& resident,
               ViolationLog& log)
      : numbering_(numbering), running_(running), resident_(resident), log_(log) {}

  /// An access of the running thread, wherever it is.
  void check(const char* address, const Use& use, unsigned site);
  /// The block's threads have all returned. Whoever has used its shared memory must have synchronised with one of them.
  void check_end(const BlockShadow& block);

 private:
  bool has_heard_of(const BlockShadow& other) const;

  const ThreadNumbering& numbering_;
  const RunningThread& running_;
  const BlockShadows& resident_;
  ViolationLog& log_;
};

}  // namespace warpfiber::check

// SPDX-License-Identifier: Apache-2.0
// The shared memory of blocks that a cluster does not have. As on the device, a rank that is too large is no error
// until a thread accesses what it stands for; the report then has both lines.
#pragma once

#include <optional>

#include "record/finding.hpp"
#include "record/observer.hpp"

namespace warpfiber::engine {

/// Of one worker.
class MissingBlock {
 public:
  void forget() { finding_.reset(); }

  /// An address that `finding` is about: an access to it, or to what follows, faults.
  char* memory_for(record::Finding finding, record::Observer& observer);

  /// What was found when an address was made that no block of the cluster has; null for other addresses.
  const record::Finding* at(const void* address) const;

 private:
  std::optional<record::Finding> finding_;
};

}  // namespace warpfiber::engine

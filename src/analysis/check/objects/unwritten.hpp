// SPDX-License-Identifier: Apache-2.0
// Memory of a device that the host has written by copies and fills, and allocated memory that was never written: by no
// kernel, no copy, no fill. One register for the process; any thread may call; what kernels write meanwhile may be left
// out.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <vector>

#include "base/locks/annotated_mutex.hpp"

namespace warpfiber::check {

/// Bytes in a row.
struct Stretch {
  const char* from = nullptr;
  std::size_t bytes = 0;
};

class HostWrites {
 public:
  void add(const void* from, std::size_t bytes);
  /// The memory was freed, or is new.
  void remove(const void* from, std::size_t bytes);
  /// Whether all of these bytes have been written.
  bool contain(const void* from, std::size_t bytes) const;
  /// Those of these bytes that have not been written, ascending.
  std::vector<Stretch> gaps(const void* from, std::size_t bytes) const;

 private:
  mutable base::Mutex mutex_;
  std::map<const char*, const char*> ranges_ WARPFIBER_GUARDED_BY(mutex_);  // from, to; they neither overlap nor touch
};

HostWrites& host_writes();

/// Calls visit() for each stretch of these bytes, ascending, that nobody is known to have written and that still holds
/// what fresh memory does: whose accesses are not reported, such as code without hooks, has written other bytes. None
/// of what was born with a value.
void for_each_unwritten(const char* from, std::size_t bytes, const std::function<void(const Stretch&)>& visit);

/// Nobody has written these bytes any more: a copy has brought such.
void unwrite(const Stretch& stretch);

}  // namespace warpfiber::check

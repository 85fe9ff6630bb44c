// SPDX-License-Identifier: Apache-2.0
// Device memory that commands of the host have written: copies and fills. One register for the process; any thread may
// call.
#pragma once

#include <cstddef>
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

}  // namespace warpfiber::check

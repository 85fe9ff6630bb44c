// SPDX-License-Identifier: Apache-2.0
// What a determinism check in progress on this OS thread keeps of a run, and where two runs differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/locks/annotated_mutex.hpp"
#include "process/box.hpp"
#include "schedule/recording.hpp"

namespace warpfiber::process {

/// A launch as it ended.
struct LaunchRecord {
  std::string kernel;
  schedule::Recording decisions;
  std::string finding;  // that ended it; empty: none
  std::uint64_t barriers = 0;
  std::uint64_t ended_by_time = 0;  // turns of threads
};

/// What one copy has brought to the host. What is beyond the first bytes is a hash.
struct CopyRecord {
  std::size_t launches = 0;  // before it, in the order of the program
  std::size_t size = 0;
  std::uint64_t hash = 0;
  std::string first;
};

/// Launches are the thread's own, one after another. Copies are made on any thread.
struct RunRecord {
  std::vector<LaunchRecord> launches;
  base::Mutex mutex;
  std::vector<CopyRecord> copies WARPFIBER_GUARDED_BY(mutex);

  /// The program asks for a copy; its number among them.
  std::size_t number_copy();
  void keep_copy(std::size_t number, const CopyPlace& place, const Box& box);
};

/// Null while no check runs.
RunRecord* recording_in_progress();
/// The same for what may be done after the check has ended.
std::shared_ptr<RunRecord> copies_in_progress();

/// The first difference; nothing if both runs did the same.
record::Reason difference_between(RunRecord& first, RunRecord& second);

}  // namespace warpfiber::process

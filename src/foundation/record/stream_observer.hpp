// SPDX-License-Identifier: Apache-2.0
// What happens to the operations of streams, as events: a trace or a profile observes them. Where nobody observes, an
// operation costs the look at an empty list. What happens inside a launch is for the observers of observer.hpp.
#pragma once

#include <cstdint>

#include "base/index.hpp"

namespace warpfiber::record {

enum class StreamOperationKind : std::uint8_t {
  kernel,
  transfer,  // copies, fills, allocations and frees in the order of a stream
  host_function,
  marker,  // an event that is recorded, or a wait for one
};

struct StreamOperation {
  std::uint64_t number = 0;  // in the order in which the program asked for operations; that of LaunchOrder; 0: a marker
  std::uint64_t stream = 0;  // that of LaunchOrder
  int device = 0;
  StreamOperationKind kind = StreamOperationKind::kernel;
  const char* call = nullptr;        // of CUDA's functions the one that asked for it; null or empty: not known
  const void* returns_to = nullptr;  // into the program, behind that call
  base::Triple grid{1, 1, 1};        // of a kernel
  base::Triple block{1, 1, 1};
};

/// Any OS thread of the process may call, and several at a time. The caller may hold locks of the streams, so an
/// observer asks the runtime for nothing.
class StreamObserver {
 public:
  StreamObserver() = default;
  StreamObserver(const StreamObserver&) = delete;
  StreamObserver& operator=(const StreamObserver&) = delete;

  /// The program has asked for it, and it has its place in its stream.
  virtual void operation_submitted(const StreamOperation& /*operation*/) {}
  /// All that it waits for is over.
  virtual void operation_begins(const StreamOperation& /*operation*/) {}
  virtual void operation_ends(const StreamOperation& /*operation*/) {}

 protected:
  ~StreamObserver() = default;
};

}  // namespace warpfiber::record

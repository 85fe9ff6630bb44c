// SPDX-License-Identifier: Apache-2.0
// What streams are asked to do, and what happens to it, as events: a trace or a profile observes them. Without an
// observer, an operation costs the look at an empty list. What happens inside a launch is for the observers of
// observer.hpp.
#pragma once

#include <cstdint>

#include "base/index.hpp"

namespace warpfiber::record {

enum class OperationKind : std::uint8_t {
  kernel,
  copy,
  fill,
  allocation,  // in the order of a stream, as those below
  free,
  placement,  // of managed memory
  library_function,
  host_function,
  marker,  // an event that is recorded, or a wait for one
};

/// What a stream is asked to do. Traces and findings print it by report/operations.hpp.
struct OperationFacts {
  OperationKind kind = OperationKind::kernel;
  const char* call = nullptr;  // the function of CUDA's that asked for it, or the kernel; null or empty: not known
  const void* returns_to = nullptr;  // into the program, behind that call; null: not known
  base::Triple grid{1, 1, 1};        // of a kernel
  base::Triple block{1, 1, 1};
  std::uint64_t bytes = 0;  // that are copied, filled, allocated or placed; 0: none, or not known

  bool has_name() const { return call != nullptr && *call != '\0'; }
};

struct StreamOperation {
  std::uint64_t number = 0;  // in the order in which the program asked for operations; that of LaunchOrder; 0: a marker
  std::uint64_t stream = 0;  // that of LaunchOrder
  int device = 0;
  OperationFacts what{};
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

// SPDX-License-Identifier: Apache-2.0
// The launch of a kernel as an operation of a stream: what was said at the call, and what becomes of its result. The
// stream runs it by itself, with no function of a later room.
#pragma once

#include <warpfiber/launch.hpp>

#include <memory>
#include <optional>

#include "launches/prepared_launch.hpp"
#include "streams/scheduler.hpp"
#include "streams/state/streams_state.hpp"

namespace warpfiber::engine {
class MultiGrid;
}

namespace warpfiber::streams {

/// A stream of the native API exists, or a launch of it has not ended, for as long as this lives.
class NativeUse {
 public:
  NativeUse() { StreamsState::of_process().native_uses.fetch_add(1); }
  ~NativeUse() { StreamsState::of_process().native_uses.fetch_sub(1); }
  NativeUse(const NativeUse&) = delete;
  NativeUse& operator=(const NativeUse&) = delete;
};

/// A launch. Its closure is that of `launch.request`.
struct KernelOperation {
  launches::PreparedLaunch launch;
  std::shared_ptr<const launches::KernelClosure> closure;
  const char* name = nullptr;  // of the kernel; null: its launch was native
  int priority = 0;            // the smaller, the sooner the launch gets room on its device
  // Of a launch on several devices, else null.
  std::shared_ptr<engine::MultiGrid> multi{};
  unsigned rank = 0;
  // Of a native launch.
  LaunchResult* result = nullptr;  // of the thread that waits; null: none does, and a failure is the stream's
  std::optional<NativeUse> use{};
};

/// A task that launches as `operation` says.
std::unique_ptr<Task> launch_task(std::shared_ptr<KernelOperation> operation);

/// A launch of which nothing has to run as a task.
std::unique_ptr<Task> empty_kernel_task(const launches::PreparedLaunch& launch);

/// Carries out what a task of `stream` is, whose turn has come. `before`: as of a TaskFunction. Returns what has gone
/// wrong with the device.
Error carry_out(Stream& stream, Task& task, Error before);

/// What a native launch returns that ended with nothing but an error.
LaunchResult result_of(Error error);

}  // namespace warpfiber::streams

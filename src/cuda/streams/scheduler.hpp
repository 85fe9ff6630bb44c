// SPDX-License-Identifier: Apache-2.0
// Runs the work of streams: each stream's one after another, different streams' at the same time, on OS threads that
// are made when first needed and sleep while there is nothing to do. A thread that waits for a stream helps: it runs
// what the stream has ready. All waiting is for places in streams ("marks"), which lie before it in time, so no circle
// is possible.
// Invariants: one mutex guards all queues; it is never held while work runs, except for what takes no time.
#pragma once

#include <warpfiber/error.hpp>

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "base/index.hpp"
#include "base/locks/annotated_mutex.hpp"
#include "process/user_call.hpp"
#include "record/launch_order.hpp"
#include "record/stream_observer.hpp"
#include "streams/failure.hpp"
#include "streams/operation.hpp"
#include "streams/order.hpp"
#include "streams/state/streams_state.hpp"

struct CUstream_st;

namespace warpfiber::record {
struct Finding;
}  // namespace warpfiber::record

namespace warpfiber::streams {

using Stream = CUstream_st;
struct StreamSettings;

/// What is known of an operation from the time that the program asked for it.
struct Request {
  OpOrder place{};  // number 0: not reported
  process::UserCall call{};
  base::Triple grid{1, 1, 1};  // of a kernel
  base::Triple block{1, 1, 1};
  record::VainWait vain_wait{};  // of its stream, before it
  bool may_overlap = false;      // with the kernel before it in its stream, which triggers its start
};

struct Task;

/// Carries out a task's operation. `device` is the error of the stream's device, or else of the stream. Returns what
/// has gone wrong with the device.
using TaskFunction = Error (*)(Task& task, Error device);

/// An operation of a stream and the function that carries it out when its turn has come. A launch has none: the stream
/// runs it (kernel_operation.hpp).
struct Task {
  Task(OperationData data, TaskFunction by) : operation(std::move(data)), run(by) {}
  explicit Task(std::shared_ptr<KernelOperation> launch) : operation(std::move(launch)) {}
  explicit Task(EmptyKernelOperation launch) : operation(launch) {}
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  OperationData operation;
  TaskFunction run = nullptr;
  Request request{};  // set before the first run
};

/// A position in a stream, which is reached when so many operations have been completed.
struct StreamPos {
  std::shared_ptr<Stream> stream{};
  std::uint64_t ticket = 0;
  StreamClock clock{};  // the same for the order of operations; the beginning, where nobody will ask
};

struct QueuedOperation {
  Work work{};
  std::uint64_t held = 0;  // its number, where it does not start before somebody synchronises with it; else 0
  std::unique_ptr<Task> task;
  std::vector<StreamPos> after;
  record::OperationFacts what{};
};

}  // namespace warpfiber::streams

/// A stream, as handles of CUDA's point to it.
struct CUstream_st {
  CUstream_st(int on, unsigned with, int first, std::uint64_t number)
      : device(on), flags(with), priority(first), id(number) {}

  const int device;
  const unsigned flags;
  std::atomic<int> priority;  // the smaller, the sooner
  const std::uint64_t id;
  // As it was made, where it is null.
  std::shared_ptr<warpfiber::streams::StreamSettings> settings
      WARPFIBER_GUARDED_BY(warpfiber::streams::attributes_mutex());
  std::atomic<bool> destroyed{false};  // also by a reset, while the stream's own thread asks for it
  // Its first operation is running.
  bool active WARPFIBER_GUARDED_BY(warpfiber::streams::queues_mutex()) = false;
  // Has work that waits for its turn or for a thread.
  bool listed WARPFIBER_GUARDED_BY(warpfiber::streams::queues_mutex()) = false;
  std::deque<warpfiber::streams::QueuedOperation> queue WARPFIBER_GUARDED_BY(warpfiber::streams::queues_mutex());
  std::uint64_t submitted WARPFIBER_GUARDED_BY(warpfiber::streams::queues_mutex()) = 0;
  std::atomic<std::uint64_t> completed{0};  // written under the mutex
  // Operations up to this one must not be held.
  std::uint64_t demanded WARPFIBER_GUARDED_BY(warpfiber::streams::queues_mutex()) = 0;
  warpfiber::base::Condition changed;         // waited for with the mutex
  warpfiber::streams::StreamFailure failure;  // of launches of the native API
};

namespace warpfiber::streams {

/// Appends an operation; false when the process is about to end. The stream may be any thread's.
bool append(const std::shared_ptr<Stream>& stream, std::unique_ptr<Task> task, std::vector<StreamPos> after,
            StreamPos* mark = nullptr);

/// Whether the position has been reached. Changes nothing.
bool is_complete(const StreamPos& mark);

/// Whether the position has been reached, asked by somebody who needs it: operations up to it that were held back may
/// start from now on.
bool demand_complete(const StreamPos& mark);

/// Returns when the place has been reached.
void wait_for(const StreamPos& mark);

/// Returns when all places have been reached, or when no work can start any more: what remains waits for the calling
/// thread, which runs a host function, or for one that does not end in the watchdog's time. Other threads do the work.
void finish(const std::vector<StreamPos>& marks);

/// The launches of kernels in `stream` that have not ended.
std::vector<record::OperationFacts> kernels_left(const Stream& stream);

/// The place behind all that `stream` has been given.
StreamPos end_of(const std::shared_ptr<Stream>& stream);

/// Whether anything but the `launches` launches that have not ended runs, could start at once, or has just ended so
/// that a thread of the program goes on.
bool work_can_go_on(unsigned launches);

/// From now on host functions that will never return are found, and end the process: `end` reports and ends it. Only
/// the first call counts.
void watch_host_functions(void (*end)(record::Finding finding));

/// Whether the calling OS thread runs a host function of a stream.
bool inside_host_function();

/// From the first call of this on, streams end with the process: before what was made earlier is destroyed, and after
/// what is made later.
void end_streams_at_exit();

/// Whether the process is about to end, and streams take no more work.
bool streams_have_ended();

}  // namespace warpfiber::streams

// SPDX-License-Identifier: Apache-2.0
// Streams as CUDA's host interface names them: handles, default streams, and which work waits for which. Work of the
// legacy default stream waits for all earlier work of the device's blocking streams, and theirs for its (CUDA Runtime
// API, "Stream synchronization behavior"). Any thread may call.
#pragma once

#include <warpfiber/error.hpp>

#include <memory>
#include <vector>

#include "record/launch_order.hpp"
#include "streams/scheduler.hpp"

namespace warpfiber::streams {

/// cudaStreamNonBlocking.
inline constexpr unsigned kNonBlocking = 1;
/// What cudaStreamLegacy and cudaStreamPerThread are.
inline constexpr std::uintptr_t kLegacyHandle = 1;
inline constexpr std::uintptr_t kPerThreadHandle = 2;
/// Of streams: the last to be served and the first (cudaDeviceGetStreamPriorityRange of an H200).
inline constexpr int kLeastPriority = 0;
inline constexpr int kGreatestPriority = -5;

/// A stream on the current device. A priority out of range is moved to the nearest in it.
Error create_stream(Stream** handle, unsigned flags, int priority);

/// The handle is no longer valid; work in the stream is completed. Default streams cannot be destroyed.
Error destroy_stream(Stream* handle);

/// The stream that the calling OS thread means by `handle`; null where there is none.
std::shared_ptr<Stream> find_stream(Stream* handle);

/// Error::invalid_resource_handle, and why.
Error no_such_stream();

/// Appends work to a stream, behind all that it has to wait for and also behind `after`. Returns the error of the
/// stream's device, or Error::invalid_resource_handle.
Error submit(Stream* handle, std::unique_ptr<Task> task, std::vector<StreamPos> after = {}, StreamPos* mark = nullptr);

/// The same where the stream is known.
Error submit(const std::shared_ptr<Stream>& stream, std::unique_ptr<Task> task, std::vector<StreamPos> after = {},
             StreamPos* mark = nullptr);

/// A place in a stream; `stamp` gets the time at which it was reached.
std::unique_ptr<Task> mark_task(std::shared_ptr<EventStamp> stamp = nullptr);

/// The position behind all that the stream has been given.
StreamPos present_of(const std::shared_ptr<Stream>& stream);

/// Waits for the position, or asks whether it is reached. If it is, the host acquires what happened before.
void await(const StreamPos& mark);
bool host_query(const StreamPos& mark);

/// submit() and wait: what a copy does that is not asynchronous.
Error submit_and_wait(Stream* handle, std::unique_ptr<Task> task);

/// The stream waits for an event, or records it, as far as that explains later why operations are not ordered.
void note_wait(const Stream& stream, const void* event, bool is_recorded);
void note_record(const Stream& stream, const void* event);

/// How an operation that has begun stands to others. Only of those that were submitted.
record::LaunchOrder order_of(const Task& task);

/// The same for what the calling OS thread, which runs no kernel, does itself: in a host function of a stream, that
/// function's; else one that changes whenever order_changes() does.
record::LaunchOrder order_of_host();
/// The same for a kernel that runs in no stream, before the call that launches it returns. Of that launch alone.
record::LaunchOrder order_of_host_launch();
/// How often the program has asked for something, or seen that something is over. Any thread, without a lock.
std::uint64_t order_changes();

/// The calling OS thread runs a host function of a stream for as long as this lives. The function can notify threads of
/// the host that it runs, so what leads to it is then over for the host.
class InHostFunction {
 public:
  explicit InHostFunction(const Task& task);
  ~InHostFunction();
  InHostFunction(const InHostFunction&) = delete;
  InHostFunction& operator=(const InHostFunction&) = delete;
};

/// cudaStreamSynchronize, cudaStreamQuery and cudaDeviceSynchronize: what has gone wrong with the device, if anything.
Error synchronize_stream(Stream* handle);
Error query_stream(Stream* handle);
Error synchronize_device(int device);
/// The same without asking what has gone wrong.
void await_device(int device);

/// The positions behind all that streams have been given.
std::vector<StreamPos> ends_of_streams();
/// At the end of the process: runs what all streams have been given, as far as that is possible. The program has not
/// asked for it, so it learns nothing of what is then over.
void finish_streams();
/// The launches of kernels that have not ended.
std::vector<record::OperationFacts> unfinished_kernels();

/// Forgets the streams of a device that has no work left; their handles are no longer valid.
void end_streams(int device);

/// The first thing that every function of CUDA's does: notes that the calling OS thread uses CUDA, and returns what
/// keeps the call from going on: an error of the current device, Error::no_device where there is none,
/// Error::not_permitted inside a host function of a stream, Error::cudart_unloading when the process is about to end.
Error enter_call();

/// cudaPeekAtLastError and cudaGetLastError: what calls of this OS thread have returned. They do not look at the
/// device, so a kernel that has failed meanwhile does not show before another call has met its error, and an error that
/// stays is returned once for each call that meets it (measured on an H200). Where no device is visible, they return
/// that each time.
Error peek_error();
Error take_error();

}  // namespace warpfiber::streams

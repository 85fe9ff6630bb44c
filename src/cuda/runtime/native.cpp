// SPDX-License-Identifier: Apache-2.0
//
// Maps the native interface to streams.hpp. A failure is kept with its stream, unless a thread waits for the launch.
#include "runtime/native.hpp"

#include <warpfiber/buffer.hpp>
#include <warpfiber/stream.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

#include "base/forking.hpp"
#include "base/index.hpp"
#include "device_memory/allocation.hpp"
#include "device_memory/copies.hpp"
#include "launches/host/host_threads.hpp"
#include "process/current_device.hpp"
#include "process/errors.hpp"
#include "process/user_call.hpp"
#include "runtime/door.hpp"
#include "runtime/kernel_launch.hpp"
#include "runtime/launching/prepare.hpp"
#include "streams/event.hpp"
#include "streams/kernel_operation.hpp"
#include "streams/state/streams_state.hpp"
#include "streams/streams.hpp"

namespace warpfiber::runtime {
namespace {

/// A stream is destroyed and has no work left.
Error leave_use(Error) {
  streams::StreamsState::of_process().native_uses.fetch_sub(1);
  return Error::success;
}

streams::Stream* legacy() {
  return reinterpret_cast<streams::Stream*>(streams::kLegacyHandle);
}

streams::Stream* handle_of(StreamRef where) {
  return where.is_given() ? where.handle() : legacy();
}

/// Null where there is no such stream.
std::shared_ptr<streams::Stream> find(StreamRef where) {
  return where.is_given() && where.handle() == nullptr ? nullptr : streams::find_stream(handle_of(where));
}

std::unique_ptr<streams::Task> native_task(launches::PreparedLaunch&& prepared, const detail::KernelCall& call,
                                           streams::Stream& stream, LaunchResult* result) {
  const detail::ClosureType& type = *call.type;
  auto closure = std::make_shared<const launches::KernelClosure>(
      type.bytes, type.alignment, type.destroy, [&](void* memory) { type.copy(memory, call.closure); });
  auto operation = std::make_shared<streams::KernelOperation>(std::move(prepared), std::move(closure));
  operation->priority = stream.priority;
  operation->result = result;
  operation->use.emplace();
  engine::GridRequest& grid = operation->launch.request;
  grid.run_threads = call.run_threads;
  grid.closure = operation->closure->get();
  grid.device = stream.device;
  return streams::launch_task(std::move(operation));
}

/// Whether `what` can be made: in a child of a process that uses CUDA nothing can.
bool may_use(const char* what) {
  const bool may = base::begin_use();
  if (!may) process::refuse_in_forked_child(what);
  return may;
}

/// What keeps a call on a stream from being made.
Error refusal(StreamRef where) {
  if (is_called_by_kernel() || streams::inside_host_function()) return Error::not_permitted;
  if (!may_use("Stream")) return Error::initialization_error;
  launches::know_host_thread();
  return find(where) == nullptr ? Error::invalid_resource_handle : Error::success;
}

Error copy_in_stream(const void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, StreamRef where,
                     const process::UserCall& call) {
  if (const Error refused = refusal(where); refused != Error::success) return refused;
  const process::InUserCall of_program(call);
  const std::shared_ptr<streams::Stream> stream = find(where);
  const Error error =
      device_memory::copy(device_memory::line(to, bytes), device_memory::line(from, bytes), process::Box{bytes}, kind,
                          device_memory::Order{handle_of(where), where.is_given()});
  return error != Error::success ? error : stream->failure.error();
}

}  // namespace

bool streams_in_use() {
  return streams::StreamsState::of_process().native_uses.load() != 0;
}

LaunchResult launch_in_stream(launches::PreparedLaunch&& launch, const detail::KernelCall& call, StreamRef where) {
  const std::shared_ptr<streams::Stream> stream = find(where);
  if (stream == nullptr) {
    return refuse(Error::invalid_resource_handle, record::ReasonKind::stream_missing, call.address,
                  launch.request.facts);
  }
  // A determinism check records what it starts, and no longer than it runs.
  const bool waits = !where.is_given() || launch.recording != nullptr;
  if (launch.is_empty && !waits) {
    const Error error = streams::submit(stream, streams::empty_kernel_task(launch));
    process::remember(error);
    return streams::result_of(error);
  }
  LaunchResult result = waits ? streams::result_of(Error::cudart_unloading) : LaunchResult();
  streams::StreamPos mark;
  auto task = native_task(std::move(launch), call, *stream, waits ? &result : nullptr);
  const Error error = streams::submit(handle_of(where), std::move(task), {}, &mark);
  if (error != Error::success) {
    result = streams::result_of(error);
  } else if (waits) {
    streams::await(mark);
  }
  // What the launch found is reported where it would be without the determinism check.
  if (error == Error::success && where.is_given()) stream->failure.keep(std::exchange(result, LaunchResult()));
  process::remember(result.error());
  return result;
}

void join_default_stream() {
  if (!streams_in_use() || is_called_by_kernel() || base::is_forked_child()) return;
  streams::StreamPos mark;
  const Error error = streams::submit(legacy(), streams::mark_task(), {}, &mark);
  if (error == Error::success) streams::await(mark);
}

void join_all_streams() {
  if (streams_in_use() && !is_called_by_kernel() && !base::is_forked_child())
    streams::await_device(process::current_device());
}

}  // namespace warpfiber::runtime

namespace warpfiber::detail {

using runtime::copy_in_stream;

CUstream_st* create_stream(const StreamConfig& config) {
  if (runtime::is_called_by_kernel() || !runtime::may_use("Stream")) return nullptr;
  launches::know_host_thread();
  streams::StreamsState::of_process().native_uses.fetch_add(1);
  CUstream_st* stream = nullptr;
  streams::create_stream(&stream, config.non_blocking ? streams::kNonBlocking : 0, config.priority);
  return stream;
}

void destroy_stream(CUstream_st* stream) noexcept {
  if (stream == nullptr || base::is_forked_child()) return;
  const auto leave = [](streams::Task&, Error error) { return runtime::leave_use(error); };
  const Error error = streams::submit(stream, std::make_unique<streams::Task>(streams::MarkOperation{}, leave));
  if (error != Error::success) runtime::leave_use(error);
  streams::destroy_stream(stream);
}

LaunchResult synchronize_stream(CUstream_st* handle) {
  const StreamRef where(handle);
  if (const Error refused = runtime::refusal(where); refused != Error::success) {
    process::remember(refused);
    return streams::result_of(refused);
  }
  const auto stream = runtime::find(where);
  const Error device = streams::synchronize_stream(handle);
  LaunchResult result = stream->failure.take();
  if (result.ok()) result = streams::result_of(device);
  process::remember(result.error());
  return result;
}

bool stream_is_idle(CUstream_st* handle) {
  if (runtime::refusal(StreamRef(handle)) != Error::success) return true;
  return streams::host_query(streams::present_of(streams::find_stream(handle)));
}

CUevent_st* create_event() {
  CUevent_st* event = nullptr;
  if (!runtime::is_called_by_kernel() && runtime::may_use("Event"))
    streams::create_event(&event, streams::kWithoutTime);
  return event;
}

void destroy_event(CUevent_st* event) noexcept {
  if (event != nullptr && !base::is_forked_child()) streams::destroy_event(event);
}

Error record_event(CUevent_st* event, CUstream_st* stream) {
  const Error refused = runtime::refusal(StreamRef(stream));
  return refused != Error::success ? refused : streams::record_event(event, stream);
}

Error wait_for_event(CUstream_st* stream, CUevent_st* event) {
  const Error refused = runtime::refusal(StreamRef(stream));
  return refused != Error::success ? refused : streams::wait_for_event(stream, event);
}

Error synchronize_event(CUevent_st* event) {
  const Error refused = runtime::refusal(StreamRef());
  return refused != Error::success ? refused : streams::synchronize_event(event);
}

bool event_is_over(CUevent_st* event) {
  return runtime::refusal(StreamRef()) != Error::success || streams::query_event(event) != Error::not_ready;
}

void join_default_stream() {
  runtime::join_default_stream();
}

Error upload_in_stream(void* to, const void* from, std::size_t bytes, StreamRef stream) {
  return copy_in_stream(to, from, bytes, cudaMemcpyHostToDevice, stream,
                        {"Buffer::upload", __builtin_return_address(0)});
}

Error download_in_stream(void* to, const void* from, std::size_t bytes, StreamRef stream) {
  return copy_in_stream(to, from, bytes, cudaMemcpyDeviceToHost, stream,
                        {"Buffer::download", __builtin_return_address(0)});
}

void* allocate_pinned(std::size_t bytes) {
  const process::InUserCall of_program({"PinnedBuffer", __builtin_return_address(0)});
  void* memory = nullptr;
  if (!runtime::may_use("PinnedBuffer")) throw std::bad_alloc();
  if (device_memory::malloc_host(&memory, bytes, 0) != Error::success) throw std::bad_alloc();
  return memory;
}

void free_pinned(void* memory) noexcept {
  if (base::is_forked_child()) return;
  const process::InUserCall of_program({"~PinnedBuffer", __builtin_return_address(0)});
  device_memory::free_host(memory);
}

}  // namespace warpfiber::detail

// SPDX-License-Identifier: Apache-2.0
// Streams and events of the native API: work of one stream is done in the order in which it was given, work of
// different streams side by side (docs/streams.md). The same text for the simulator and for a GPU; what differs is
// behind the functions of detail.
//     warpfiber::Stream stream;
//     warpfiber::launch({.grid = 64, .block = 256, .stream = stream}, block_sum, in.data(), out.data(), n);
//     auto result = stream.synchronize();
// Used on the host. Any thread may call.
#pragma once

#include <warpfiber/stream_ref.hpp>

// Under nvcc, nvcc.hpp includes this behind its own LaunchResult.
#if !defined(__CUDACC__) || defined(__WARPFIBER__)
#include <warpfiber/launch.hpp>
#endif

#include <utility>

namespace warpfiber {

namespace detail {

// Null handles are no stream and no event: Error::invalid_resource_handle, and nothing to destroy.
CUstream_st* create_stream(const StreamConfig& config);
void destroy_stream(CUstream_st* stream) noexcept;
LaunchResult synchronize_stream(CUstream_st* stream);
bool stream_is_idle(CUstream_st* stream);
CUevent_st* create_event();
void destroy_event(CUevent_st* event) noexcept;
Error record_event(CUevent_st* event, CUstream_st* stream);
Error wait_for_event(CUstream_st* stream, CUevent_st* event);
Error synchronize_event(CUevent_st* event);
bool event_is_over(CUevent_st* event);

}  // namespace detail

/// A place in a stream that others can wait for: all that the stream had been given when the event was recorded. One
/// that was never recorded is over. Moved, not copied; what was moved from is no event.
class Event {
 public:
  Event() : handle_(detail::create_event()) {}
  Event(Event&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Event& operator=(Event&& other) noexcept {
    if (this == &other) return *this;
    detail::destroy_event(handle_);
    handle_ = std::exchange(other.handle_, nullptr);
    return *this;
  }
  /// What already waits for the event goes on waiting.
  ~Event() { detail::destroy_event(handle_); }

  /// Waits until the place has been reached. What went wrong on the way is told by the stream.
  Error synchronize() const { return detail::synchronize_event(handle_); }
  /// Whether it has been.
  bool query() const { return detail::event_is_over(handle_); }

  /// CUDA's handle, a cudaEvent_t; null of what was moved from.
  CUevent_st* handle() const { return handle_; }

 private:
  CUevent_st* handle_;
};

/// Work that is done in the order in which it is given. Moved, not copied; what was moved from is no stream, and is
/// refused with Error::invalid_resource_handle.
class Stream {
 public:
  explicit Stream(const StreamConfig& config = {}) : handle_(detail::create_stream(config)) {}
  Stream(Stream&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Stream& operator=(Stream&& other) noexcept {
    if (this == &other) return *this;
    detail::destroy_stream(handle_);
    handle_ = std::exchange(other.handle_, nullptr);
    return *this;
  }
  /// Does not wait: what the stream has been given is completed all the same.
  ~Stream() { detail::destroy_stream(handle_); }

  /// Waits until all that the stream has been given is over. The result is that of the first launch that has failed
  /// since the last call; what was given to the stream behind that launch has been left out.
  LaunchResult synchronize() { return detail::synchronize_stream(handle_); }
  /// Whether all of it is over. Failures are left to synchronize().
  bool query() const { return detail::stream_is_idle(handle_); }

  /// The event stands for all that the stream has been given so far.
  Error record(Event& event) { return detail::record_event(event.handle(), handle_); }
  /// What the stream is given from now on waits for the event as it was last recorded.
  Error wait(const Event& event) { return detail::wait_for_event(handle_, event.handle()); }

  /// CUDA's handle, a cudaStream_t; null of what was moved from.
  CUstream_st* handle() const { return handle_; }
  operator StreamRef() const { return StreamRef(handle_); }

 private:
  CUstream_st* handle_;
};

}  // namespace warpfiber

// SPDX-License-Identifier: Apache-2.0
// Streams and events of the native API: work of one stream runs in the order in which it was submitted, work of
// different streams concurrently (docs/streams.md). The same source for the simulator and for a GPU; what differs is
// in the functions of detail.
//     warpfiber::Stream stream;
//     warpfiber::launch({.grid = 64, .block = 256, .stream = stream}, block_sum, in.data(), out.data(), n);
//     auto result = stream.synchronize();
// Used on the host. Any thread may call.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

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

/// A place in a stream that others can wait for: all work submitted to the stream before the event was recorded. One
/// that was never recorded is complete. Movable, not copyable; a moved-from event is invalid.
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
  /// Work that already waits for the event still waits for it.
  ~Event() { detail::destroy_event(handle_); }

  /// Waits until the event is complete. Failures of earlier work are returned by the stream.
  Error synchronize() const { return detail::synchronize_event(handle_); }
  /// Whether it is complete.
  bool query() const { return detail::event_is_over(handle_); }

  /// CUDA's handle, a cudaEvent_t; null after a move.
  CUevent_st* handle() const { return handle_; }

 private:
  CUevent_st* handle_;
};

/// Work that runs in the order in which it is submitted. Movable, not copyable; a moved-from stream is invalid, and
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
  /// Does not wait: submitted work is still completed.
  ~Stream() { detail::destroy_stream(handle_); }

  /// Waits until all work of the stream is complete. The result is that of the first launch that has failed since
  /// the last call; work that was submitted after that launch has been skipped.
  LaunchResult synchronize() { return detail::synchronize_stream(handle_); }
  /// Whether all of it is complete. Failures are returned by synchronize().
  bool query() const { return detail::stream_is_idle(handle_); }

  /// The event is complete when all work submitted so far is.
  Error record(Event& event) { return detail::record_event(event.handle(), handle_); }
  /// Work that is submitted from now on waits for the event as it was last recorded.
  Error wait(const Event& event) { return detail::wait_for_event(handle_, event.handle()); }

  /// CUDA's handle, a cudaStream_t; null after a move.
  CUstream_st* handle() const { return handle_; }
  operator StreamRef() const { return StreamRef(handle_); }

 private:
  CUstream_st* handle_;
};

}  // namespace warpfiber

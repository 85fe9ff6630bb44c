// SPDX-License-Identifier: Apache-2.0
// Events: places in streams that others can wait for, and the times at which they were reached, by the host's clock.
// Any thread may call.
#pragma once

#include <warpfiber/error.hpp>

#include "streams/scheduler.hpp"

struct CUevent_st;

namespace warpfiber::streams {

using Event = CUevent_st;

/// cudaEventDisableTiming.
inline constexpr unsigned kWithoutTime = 2;

/// Carries out a MarkOperation.
Error run_mark(Task& task, Error device);

/// An event of the current device. `flags` are those of cudaEventCreateWithFlags.
Error create_event(Event** handle, unsigned flags);
Error destroy_event(Event* handle);

/// Destroys all events of a device, as cudaDeviceReset() does.
void end_events(int device);

/// The event stands for all that the stream has been given so far.
Error record_event(Event* handle, Stream* stream);

/// Error::not_ready until what was recorded is completed. An event that was never recorded is.
Error query_event(Event* handle);
Error synchronize_event(Event* handle);

/// Further work of the stream waits for the event as it was last recorded.
Error wait_for_event(Stream* stream, Event* handle);

/// Milliseconds from one to the other.
Error elapsed_time(float* milliseconds, Event* start, Event* end);

}  // namespace warpfiber::streams

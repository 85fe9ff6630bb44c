// SPDX-License-Identifier: Apache-2.0
//
// Keeps the events that exist in a map, so that a stale handle is refused. An event holds a position in a stream, and
// the time that is stamped when the stream gets there.
#include "streams/event.hpp"

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <string>

#include "base/locks/annotated_mutex.hpp"
#include "process/current_device.hpp"
#include "process/errors.hpp"
#include "process/explain.hpp"
#include "streams/state/streams_state.hpp"
#include "streams/streams.hpp"

using warpfiber::streams::EventStamp;
using warpfiber::streams::StreamPos;

namespace warpfiber::streams {

/// When one recording of an event was reached; the event may be recorded again meanwhile.
struct EventStamp {
  using Clock = std::chrono::steady_clock;
  std::atomic<Clock::rep> time{0};
};

}  // namespace warpfiber::streams

struct CUevent_st {
  int device;
  unsigned flags;
  StreamPos mark{};
  std::shared_ptr<EventStamp> stamp{};  // null: never recorded
};

namespace warpfiber::streams {

using record::ReasonKind;

namespace {

constexpr unsigned kKnownFlags = 1 | kWithoutTime | 4;  // cudaEventBlockingSync, cudaEventInterprocess

}  // namespace

struct Events {
  base::Mutex mutex;
  std::map<Event*, std::unique_ptr<Event>> all WARPFIBER_GUARDED_BY(mutex);
};

namespace {

Events& events() {
  return StreamsState::of_process().events.get();
}

/// A copy of the event behind the handle; false where there is none.
bool look_up(Event* handle, Event& copy) {
  Events& table = events();
  const base::Lock lock(table.mutex);
  const auto found = table.all.find(handle);
  if (found == table.all.end()) return false;
  copy = *found->second;
  return true;
}

Error no_such_event() {
  return process::fail(Error::invalid_resource_handle, ReasonKind::event_missing_or_destroyed);
}

}  // namespace

Error run_mark(Task& task, Error) {
  const MarkOperation& mark = std::get<MarkOperation>(task.operation);
  if (mark.stamp != nullptr) mark.stamp->time.store(EventStamp::Clock::now().time_since_epoch().count());
  return Error::success;
}

Error create_event(Event** handle, unsigned flags) {
  if (handle == nullptr) return process::fail(Error::invalid_value, ReasonKind::event_pointer_null);
  if ((flags & ~kKnownFlags) != 0) return process::fail(Error::invalid_value, ReasonKind::event_flags_invalid);
  Events& table = events();
  const base::Lock lock(table.mutex);
  auto made = std::make_unique<Event>(Event{process::current_device(), flags});
  *handle = made.get();
  table.all.emplace(*handle, std::move(made));
  return Error::success;
}

Error destroy_event(Event* handle) {
  Events& table = events();
  const base::Lock lock(table.mutex);
  return table.all.erase(handle) == 1 ? Error::success : no_such_event();
}

void end_events(int device) {
  Events& table = events();
  const base::Lock lock(table.mutex);
  std::erase_if(table.all, [device](const auto& entry) { return entry.second->device == device; });
}

Error record_event(Event* handle, Stream* stream) {
  Event event{};
  const std::shared_ptr<Stream> on = find_stream(stream);
  if (on == nullptr) return no_such_stream();
  if (!look_up(handle, event)) return no_such_event();
  if (event.device != on->device) {
    return process::fail(Error::invalid_resource_handle, {ReasonKind::event_of_other_device, event.device, on->device});
  }
  event.stamp = std::make_shared<EventStamp>();
  const Error error = submit(stream, mark_task(event.stamp), {}, &event.mark);
  if (error != Error::success) return error;
  note_record(*on, handle);
  Events& table = events();
  const base::Lock lock(table.mutex);
  const auto found = table.all.find(handle);
  if (found != table.all.end()) *found->second = event;
  return Error::success;
}

Error query_event(Event* handle) {
  Event event{};
  if (!look_up(handle, event)) return no_such_event();
  return host_query(event.mark) ? process::device_error(event.device) : Error::not_ready;
}

Error synchronize_event(Event* handle) {
  Event event{};
  if (!look_up(handle, event)) return no_such_event();
  await(event.mark);
  return process::device_error(event.device);
}

Error wait_for_event(Stream* stream, Event* handle) {
  Event event{};
  if (!look_up(handle, event)) return no_such_event();
  const std::shared_ptr<Stream> waiting = find_stream(stream);
  if (waiting == nullptr) return no_such_stream();
  note_wait(*waiting, handle, event.stamp != nullptr);
  if (event.stamp == nullptr) return Error::success;
  return submit(stream, mark_task(), {event.mark});
}

Error elapsed_time(float* milliseconds, Event* start, Event* end) {
  Event first{};
  Event last{};
  if (milliseconds == nullptr) return process::fail(Error::invalid_value, ReasonKind::result_pointer_null);
  if (!look_up(start, first) || !look_up(end, last)) return no_such_event();
  if (first.stamp == nullptr || last.stamp == nullptr) {
    return process::fail(Error::invalid_resource_handle, first.stamp == nullptr
                                                             ? ReasonKind::first_event_not_recorded
                                                             : ReasonKind::second_event_not_recorded);
  }
  if (((first.flags | last.flags) & kWithoutTime) != 0) {
    return process::fail(Error::invalid_resource_handle, ReasonKind::event_without_time);
  }
  if (!host_query(first.mark) || !host_query(last.mark)) return Error::not_ready;
  const EventStamp::Clock::duration passed(last.stamp->time.load() - first.stamp->time.load());
  *milliseconds = std::chrono::duration<float, std::milli>(passed).count();
  return Error::success;
}

}  // namespace warpfiber::streams

// SPDX-License-Identifier: Apache-2.0
//
// One object holds the streams of all devices and the order of their operations (order.hpp). It computes what an
// operation has to wait for and gives it to the scheduler.
#include "streams/streams.hpp"

#include <warpfiber/translated/kernels.hpp>

#include <algorithm>
#include <atomic>
#include <map>

#include "base/forking.hpp"
#include "base/locks/annotated_mutex.hpp"
#include "launches/host/host_threads.hpp"
#include "process/current_device.hpp"
#include "process/errors.hpp"
#include "process/explain.hpp"
#include "process/host_thread.hpp"
#include "process/process_state.hpp"
#include "process/thread_parts.hpp"
#include "process/user_call.hpp"
#include "streams/event.hpp"
#include "streams/launched_work.hpp"
#include "streams/scheduler.hpp"
#include "streams/state/streams_state.hpp"
#include "streams/stream_events.hpp"
#include "streams/waits/vain_waits.hpp"

namespace warpfiber::streams {

using record::ReasonKind;

namespace {

using Streams = std::vector<std::shared_ptr<Stream>>;

}  // namespace

/// The streams of one device.
struct DeviceStreams {
  std::shared_ptr<Stream> legacy;
  Streams others;
};

class StreamRegistry {
 public:
  static StreamRegistry& of_process() { return StreamsState::of_process().streams.get(); }

  std::shared_ptr<Stream> make(int device, unsigned flags, int priority) {
    const base::Lock lock(mutex_);
    forget_idle(device);
    auto stream = std::make_shared<Stream>(device, flags, priority, ++last_id_);
    devices_[device].others.push_back(stream);
    return stream;
  }

  std::shared_ptr<Stream> legacy(int device) {
    const base::Lock lock(mutex_);
    std::shared_ptr<Stream>& stream = devices_[device].legacy;
    if (stream == nullptr) stream = std::make_shared<Stream>(device, 0, kLeastPriority, ++last_id_);
    return stream;
  }

  std::shared_ptr<Stream> find(const Stream* handle) {
    const base::Lock lock(mutex_);
    for (const auto& [device, on_device] : devices_) {
      for (const auto& stream : on_device.others) {
        if (stream.get() == handle && !stream->destroyed) return stream;
      }
    }
    return nullptr;
  }

  void destroy(const std::shared_ptr<Stream>& stream) {
    const base::Lock lock(mutex_);
    stream->destroyed = true;
    forget_idle(stream->device);
  }

  bool append(const std::shared_ptr<Stream>& stream, std::unique_ptr<Task> task, std::vector<StreamPos> after,
              StreamPos* mark) {
    const base::Lock lock(mutex_);
    const DeviceStreams& on_device = devices_[stream->device];
    std::vector<StreamClock> clocks;
    for (const StreamPos& mark_before : after) clocks.push_back(mark_before.clock);
    if (stream == on_device.legacy) {
      for (const auto& other : on_device.others) {
        if ((other->flags & kNonBlocking) == 0) add_unless_reached(other, after);
      }
    } else if (on_device.legacy != nullptr && (stream->flags & kNonBlocking) == 0) {
      add_unless_reached(on_device.legacy, after);
    }
    const StreamClock clock = place(id_of(*stream, on_device), *task, clocks);
    if (are_streams_observed()) report_submitted(*stream, *task);
    if (!streams::append(stream, std::move(task), std::move(after), mark)) return false;
    if (mark != nullptr) mark->clock = clock;
    return true;
  }

  StreamPos present_of(const std::shared_ptr<Stream>& stream) {
    const base::Lock lock(mutex_);
    return present(stream);
  }

  std::vector<StreamClock> presents(int device) {
    const base::Lock lock(mutex_);
    return order_.presents(device);
  }

  /// What a wait for the stream waits for: of the legacy stream also for all that blocking streams have.
  std::vector<StreamPos> awaited_with(const std::shared_ptr<Stream>& stream) {
    const base::Lock lock(mutex_);
    const DeviceStreams& on_device = devices_[stream->device];
    std::vector<StreamPos> all{present(stream)};
    if (stream != on_device.legacy) return all;
    for (const auto& other : on_device.others) {
      if ((other->flags & kNonBlocking) == 0) all.push_back(present(other));
    }
    return all;
  }

  void host_acquire(const StreamClock& clock) {
    const base::Lock lock(mutex_);
    order_.host_acquire(clock);
    process::ProcessState::of_process().order_changes.fetch_add(1, std::memory_order_release);
  }

  /// What is known of an operation of `line`, or of the host.
  record::LaunchOrder order_of(const OpOrder& place, const process::UserCall& call) {
    record::LaunchOrder order;
    order.number = place.clock.number;
    order.stream = place.clock.stream;
    order.call = call.function;
    order.returns_to = call.returns_to;
    order.overlapped = place.overlapped;
    if (place.unordered.empty()) return order;
    const base::Lock lock(mutex_);
    order.unordered = order_.numbers_of(place.unordered);
    return order;
  }

  /// `change`, called with the waits for events that had not been recorded.
  template <class Change>
  void change_vain_waits(Change change) {
    const base::Lock lock(mutex_);
    change(vain_waits_);
  }

  OpOrder place_of_host(bool launch) {
    const base::Lock lock(mutex_);
    return launch ? order_.host_launch() : order_.host();
  }

  Streams of_device(int device) {
    const base::Lock lock(mutex_);
    Streams all = devices_[device].others;
    if (devices_[device].legacy != nullptr) all.push_back(devices_[device].legacy);
    return all;
  }

  Streams all() {
    const base::Lock lock(mutex_);
    Streams found;
    for (const auto& [device, on_device] : devices_) {
      found.insert(found.end(), on_device.others.begin(), on_device.others.end());
      if (on_device.legacy != nullptr) found.push_back(on_device.legacy);
    }
    return found;
  }

  void end(int device) {
    const base::Lock lock(mutex_);
    for (const auto& stream : devices_[device].others) stream->destroyed = true;
    devices_.erase(device);
  }

 private:
  StreamPos present(const std::shared_ptr<Stream>& stream) const WARPFIBER_REQUIRES(mutex_) {
    StreamPos mark = end_of(stream);
    mark.clock = order_.present(stream->id);
    return mark;
  }

  static StreamId id_of(const Stream& stream, const DeviceStreams& on_device) {
    const StreamKind kind = (stream.flags & kNonBlocking) != 0 ? StreamKind::free : StreamKind::blocking;
    return StreamId{stream.id, stream.device, &stream == on_device.legacy.get() ? StreamKind::legacy : kind};
  }

  StreamClock place(const StreamId& line, Task& task, const std::vector<StreamClock>& after)
      WARPFIBER_REQUIRES(mutex_) {
    process::ProcessState::of_process().order_changes.fetch_add(1, std::memory_order_release);
    const Work work = work_of(task.operation);
    if (work == Work::mark) return order_.mark(line, after);
    const bool is_kernel = work == Work::kernel || work == Work::empty_kernel;
    task.request.place = order_.submit(line, after, {is_kernel, task.request.may_overlap});
    task.request.call = process::user_call();
    task.request.vain_wait = vain_waits_.of(line.id);
    return task.request.place.clock;
  }

  static void add_unless_reached(const std::shared_ptr<Stream>& stream, std::vector<StreamPos>& after) {
    const StreamPos end = end_of(stream);
    if (!is_complete(end)) after.push_back(end);
  }

  /// Destroyed streams stay for as long as others may have to wait for their work.
  void forget_idle(int device) WARPFIBER_REQUIRES(mutex_) {
    std::erase_if(devices_[device].others,
                  [](const auto& stream) { return stream->destroyed && is_complete(end_of(stream)); });
  }

  base::Mutex mutex_;
  std::map<int, DeviceStreams> devices_ WARPFIBER_GUARDED_BY(mutex_);
  std::uint64_t last_id_ WARPFIBER_GUARDED_BY(mutex_) = 0;
  OperationOrder order_ WARPFIBER_GUARDED_BY(mutex_);
  VainWaits vain_waits_ WARPFIBER_GUARDED_BY(mutex_);
};

/// The calling OS thread's own default streams. Their work is completed also when the thread has ended.
struct OwnStreams {
  OwnStreams() = default;
  ~OwnStreams() {
    if (base::is_forked_child()) return;
    for (const auto& [device, stream] : by_device) StreamRegistry::of_process().destroy(stream);
  }
  OwnStreams(const OwnStreams&) = delete;
  OwnStreams& operator=(const OwnStreams&) = delete;

  std::map<int, std::shared_ptr<Stream>> by_device;
};

namespace {

std::shared_ptr<Stream> own_stream() {
  OwnStreams* const own = process::own_part(&process::ThreadParts::streams);
  if (own == nullptr) return StreamRegistry::of_process().make(process::current_device(), 0, kLeastPriority);
  std::shared_ptr<Stream>& stream = own->by_device[process::current_device()];
  if (stream == nullptr || stream->destroyed) {
    stream = StreamRegistry::of_process().make(process::current_device(), 0, kLeastPriority);
  }
  return stream;
}

bool is_default(const Stream* handle) {
  return reinterpret_cast<std::uintptr_t>(handle) <= kPerThreadHandle;
}

/// What is returned by a synchronisation with `device`.
Error outcome_on(int device) {
  const Error staying = process::device_error(device);
  return staying != Error::success ? staying : process::from_earlier(process::take_passing_error(device));
}

}  // namespace

Error create_stream(Stream** handle, unsigned flags, int priority) {
  if (handle == nullptr) return process::fail(Error::invalid_value, ReasonKind::stream_pointer_null);
  if ((flags & ~kNonBlocking) != 0) return process::fail(Error::invalid_value, ReasonKind::stream_flags_invalid);
  const int clamped = std::clamp(priority, kGreatestPriority, kLeastPriority);
  *handle = StreamRegistry::of_process().make(process::current_device(), flags, clamped).get();
  return Error::success;
}

Error destroy_stream(Stream* handle) {
  const std::shared_ptr<Stream> stream = is_default(handle) ? nullptr : find_stream(handle);
  if (stream == nullptr) return no_such_stream();
  StreamRegistry::of_process().destroy(stream);
  return Error::success;
}

std::shared_ptr<Stream> find_stream(Stream* handle) {
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  if (number == kPerThreadHandle || (number == 0 && StreamsState::of_process().per_thread_streams.load()))
    return own_stream();
  if (number <= kLegacyHandle) return StreamRegistry::of_process().legacy(process::current_device());
  return StreamRegistry::of_process().find(handle);
}

Error no_such_stream() {
  return process::fail(Error::invalid_resource_handle, ReasonKind::stream_missing_or_destroyed);
}

Error submit(Stream* handle, std::unique_ptr<Task> task, std::vector<StreamPos> after, StreamPos* mark) {
  expect_end();  // before the thread gets a stream of its own
  const std::shared_ptr<Stream> stream = find_stream(handle);
  if (stream == nullptr) return no_such_stream();
  return submit(stream, std::move(task), std::move(after), mark);
}

Error submit(const std::shared_ptr<Stream>& stream, std::unique_ptr<Task> task, std::vector<StreamPos> after,
             StreamPos* mark) {
  expect_end();
  if (const Error error = process::device_error(stream->device); error != Error::success) return error;
  const bool taken = StreamRegistry::of_process().append(stream, std::move(task), std::move(after), mark);
  return taken ? Error::success : Error::cudart_unloading;
}

std::unique_ptr<Task> mark_task(std::shared_ptr<EventStamp> stamp) {
  return std::make_unique<Task>(MarkOperation{std::move(stamp)}, &run_mark);
}

StreamPos present_of(const std::shared_ptr<Stream>& stream) {
  return StreamRegistry::of_process().present_of(stream);
}

void await(const StreamPos& mark) {
  wait_for(mark);
  StreamRegistry::of_process().host_acquire(mark.clock);
}

bool host_query(const StreamPos& mark) {
  if (!demand_complete(mark)) return false;
  StreamRegistry::of_process().host_acquire(mark.clock);
  return true;
}

Error submit_and_wait(Stream* handle, std::unique_ptr<Task> task) {
  StreamPos mark;
  if (const Error error = submit(handle, std::move(task), {}, &mark); error != Error::success) return error;
  await(mark);
  return outcome_on(mark.stream->device);
}

void note_wait(const Stream& stream, const void* event, bool is_recorded) {
  const void* const returns_to = process::user_call().returns_to;
  StreamRegistry::of_process().change_vain_waits([&](VainWaits& waits) {
    if (is_recorded) return waits.settle(stream.id, event);
    waits.add(stream.id, event, returns_to);
  });
}

void note_record(const Stream& stream, const void* event) {
  StreamRegistry::of_process().change_vain_waits([&](VainWaits& waits) { waits.recorded(event, stream.id); });
}

record::LaunchOrder order_of(const Task& task) {
  record::LaunchOrder order = StreamRegistry::of_process().order_of(task.request.place, task.request.call);
  order.vain_wait = task.request.vain_wait;
  return order;
}

record::LaunchOrder order_of_host() {
  if (const Task* const function = process::HostThreadState::of_caller().host_function) return order_of(*function);
  StreamRegistry& registry = StreamRegistry::of_process();
  return registry.order_of(registry.place_of_host(false), process::user_call());
}

record::LaunchOrder order_of_host_launch() {
  StreamRegistry& registry = StreamRegistry::of_process();
  return registry.order_of(registry.place_of_host(true), process::user_call());
}

std::uint64_t order_changes() {
  return process::ProcessState::of_process().order_changes.load(std::memory_order_acquire);
}

InHostFunction::InHostFunction(const Task& task) {
  process::HostThreadState::of_caller().host_function = &task;
  StreamRegistry::of_process().host_acquire(task.request.place.clock);
}

InHostFunction::~InHostFunction() {
  process::HostThreadState::of_caller().host_function = nullptr;
}

Error synchronize_stream(Stream* handle) {
  const std::shared_ptr<Stream> stream = find_stream(handle);
  if (stream == nullptr) return no_such_stream();
  for (const StreamPos& end : StreamRegistry::of_process().awaited_with(stream)) await(end);
  return outcome_on(stream->device);
}

Error query_stream(Stream* handle) {
  const std::shared_ptr<Stream> stream = find_stream(handle);
  if (stream == nullptr) return no_such_stream();
  const std::vector<StreamPos> ends = StreamRegistry::of_process().awaited_with(stream);
  const auto is_over = [](const StreamPos& end) { return demand_complete(end); };
  if (!std::ranges::all_of(ends, is_over)) return Error::not_ready;
  for (const StreamPos& end : ends) StreamRegistry::of_process().host_acquire(end.clock);
  return outcome_on(stream->device);
}

void await_device(int device) {
  StreamRegistry& registry = StreamRegistry::of_process();
  const std::vector<StreamClock> clocks = registry.presents(device);
  for (const auto& stream : registry.of_device(device)) wait_for(end_of(stream));
  for (const StreamClock& clock : clocks) registry.host_acquire(clock);
}

Error synchronize_device(int device) {
  await_device(device);
  return outcome_on(device);
}

std::vector<StreamPos> ends_of_streams() {
  std::vector<StreamPos> ends;
  for (const auto& stream : StreamRegistry::of_process().all()) ends.push_back(end_of(stream));
  return ends;
}

void finish_streams() {
  finish(ends_of_streams());
}

std::vector<record::OperationFacts> unfinished_kernels() {
  std::vector<record::OperationFacts> left;
  for (const auto& stream : StreamRegistry::of_process().all()) {
    const std::vector<record::OperationFacts> of_stream = kernels_left(*stream);
    left.insert(left.end(), of_stream.begin(), of_stream.end());
  }
  return left;
}

void end_streams(int device) {
  StreamRegistry::of_process().end(device);
}

Error enter_call() {
  if (streams_have_ended()) return Error::cudart_unloading;
  if (inside_host_function()) return Error::not_permitted;
  launches::know_host_thread();
  if (const Error none = process::check_devices(); none != Error::success) return none;
  process::use_primary_context();
  end_streams_at_exit();
  return process::device_error(process::current_device());
}

Error peek_error() {
  const Error none = process::device_list_error();
  return none != Error::success ? none : process::peek_last_error();
}

Error take_error() {
  const Error none = process::device_list_error();
  return none != Error::success ? none : process::take_last_error();
}

}  // namespace warpfiber::streams

namespace warpfiber::cuda {

void use_per_thread_default_stream() {
  streams::StreamsState::of_process().per_thread_streams.store(true);
}

}  // namespace warpfiber::cuda

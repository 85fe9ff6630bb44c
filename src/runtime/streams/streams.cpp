// SPDX-License-Identifier: Apache-2.0
#include "runtime/streams/streams.hpp"

#include <warpfiber/cuda/translated.hpp>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

#include "runtime/current_device.hpp"
#include "runtime/streams/device.hpp"

namespace warpfiber::runtime {
namespace {

using Streams = std::vector<std::shared_ptr<Stream>>;

std::atomic<bool> per_thread_is_default{false};

/// The streams of one device.
struct Shelf {
  std::shared_ptr<Stream> legacy;
  Streams others;
};

class Registry {
 public:
  static Registry& of_process() {
    static Registry& instance = *new Registry;
    return instance;
  }

  std::shared_ptr<Stream> make(int device, unsigned flags, int priority) {
    const std::lock_guard lock(mutex_);
    forget_idle(device);
    auto stream = std::make_shared<Stream>(device, flags, priority, ++last_id_);
    shelves_[device].others.push_back(stream);
    return stream;
  }

  std::shared_ptr<Stream> legacy(int device) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Stream>& stream = shelves_[device].legacy;
    if (stream == nullptr) stream = std::make_shared<Stream>(device, 0, kLeastPriority, ++last_id_);
    return stream;
  }

  std::shared_ptr<Stream> find(const Stream* handle) {
    const std::lock_guard lock(mutex_);
    for (const auto& [device, shelf] : shelves_) {
      for (const auto& stream : shelf.others) {
        if (stream.get() == handle && !stream->destroyed) return stream;
      }
    }
    return nullptr;
  }

  void destroy(const std::shared_ptr<Stream>& stream) {
    const std::lock_guard lock(mutex_);
    stream->destroyed = true;
    forget_idle(stream->device);
  }

  bool append(const std::shared_ptr<Stream>& stream, Work work, std::unique_ptr<Task> task, std::vector<Mark> after,
              Mark* mark) {
    const std::lock_guard lock(mutex_);
    const Shelf& shelf = shelves_[stream->device];
    if (stream == shelf.legacy) {
      for (const auto& other : shelf.others) {
        if ((other->flags & kNonBlocking) == 0) add_unless_reached(other, after);
      }
    } else if (shelf.legacy != nullptr && (stream->flags & kNonBlocking) == 0) {
      add_unless_reached(shelf.legacy, after);
    }
    return runtime::append(stream, work, std::move(task), std::move(after), mark);
  }

  Streams of_device(int device) {
    const std::lock_guard lock(mutex_);
    Streams all = shelves_[device].others;
    if (shelves_[device].legacy != nullptr) all.push_back(shelves_[device].legacy);
    return all;
  }

  void end(int device) {
    const std::lock_guard lock(mutex_);
    for (const auto& stream : shelves_[device].others) stream->destroyed = true;
    shelves_.erase(device);
  }

 private:
  static void add_unless_reached(const std::shared_ptr<Stream>& stream, std::vector<Mark>& after) {
    const Mark end = end_of(stream);
    if (!is_reached(end)) after.push_back(end);
  }

  /// Destroyed streams stay for as long as others may have to wait for their work.
  void forget_idle(int device) {
    std::erase_if(shelves_[device].others,
                  [](const auto& stream) { return stream->destroyed && is_reached(end_of(stream)); });
  }

  std::mutex mutex_;
  std::map<int, Shelf> shelves_;
  std::uint64_t last_id_ = 0;
};

/// The calling OS thread's own default streams. Their work is completed also when the thread has ended.
struct OwnStreams {
  OwnStreams() = default;
  ~OwnStreams() {
    for (const auto& [device, stream] : by_device) Registry::of_process().destroy(stream);
  }
  OwnStreams(const OwnStreams&) = delete;
  OwnStreams& operator=(const OwnStreams&) = delete;

  std::map<int, std::shared_ptr<Stream>> by_device;
};

std::shared_ptr<Stream> own_stream() {
  static thread_local OwnStreams own;
  std::shared_ptr<Stream>& stream = own.by_device[current_device()];
  if (stream == nullptr || stream->destroyed) {
    stream = Registry::of_process().make(current_device(), 0, kLeastPriority);
  }
  return stream;
}

bool is_default(const Stream* handle) {
  return reinterpret_cast<std::uintptr_t>(handle) <= kPerThreadHandle;
}

/// What is told by a synchronisation with `device`.
Error outcome_on(int device) {
  const Error staying = device_error(device);
  return staying != Error::success ? staying : take_passing_error(device);
}

}  // namespace

Error create_stream(Stream** handle, unsigned flags, int priority) {
  if (handle == nullptr || (flags & ~kNonBlocking) != 0) return Error::invalid_value;
  const int clamped = std::clamp(priority, kGreatestPriority, kLeastPriority);
  *handle = Registry::of_process().make(current_device(), flags, clamped).get();
  return Error::success;
}

Error destroy_stream(Stream* handle) {
  const std::shared_ptr<Stream> stream = is_default(handle) ? nullptr : find_stream(handle);
  if (stream == nullptr) return Error::invalid_resource_handle;
  Registry::of_process().destroy(stream);
  return Error::success;
}

std::shared_ptr<Stream> find_stream(Stream* handle) {
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  if (number == kPerThreadHandle || (number == 0 && per_thread_is_default.load())) return own_stream();
  if (number <= kLegacyHandle) return Registry::of_process().legacy(current_device());
  return Registry::of_process().find(handle);
}

Error submit(Stream* handle, Work work, std::unique_ptr<Task> task, std::vector<Mark> after, Mark* mark) {
  const std::shared_ptr<Stream> stream = find_stream(handle);
  if (stream == nullptr) return Error::invalid_resource_handle;
  if (const Error error = device_error(stream->device); error != Error::success) return error;
  const bool taken = Registry::of_process().append(stream, work, std::move(task), std::move(after), mark);
  return taken ? Error::success : Error::cudart_unloading;
}

Error submit_and_wait(Stream* handle, Work work, std::unique_ptr<Task> task) {
  Mark mark;
  if (const Error error = submit(handle, work, std::move(task), {}, &mark); error != Error::success) return error;
  wait_for(mark);
  return outcome_on(mark.stream->device);
}

Error synchronize_stream(Stream* handle) {
  const std::shared_ptr<Stream> stream = find_stream(handle);
  if (stream == nullptr) return Error::invalid_resource_handle;
  wait_for(end_of(stream));
  return outcome_on(stream->device);
}

Error query_stream(Stream* handle) {
  const std::shared_ptr<Stream> stream = find_stream(handle);
  if (stream == nullptr) return Error::invalid_resource_handle;
  if (!reached(end_of(stream))) return Error::not_ready;
  return outcome_on(stream->device);
}

Error synchronize_device(int device) {
  for (const auto& stream : Registry::of_process().of_device(device)) wait_for(end_of(stream));
  return outcome_on(device);
}

void end_streams(int device) {
  Registry::of_process().end(device);
}

}  // namespace warpfiber::runtime

namespace warpfiber::cuda {

void use_per_thread_default_stream() {
  runtime::per_thread_is_default.store(true);
}

}  // namespace warpfiber::cuda

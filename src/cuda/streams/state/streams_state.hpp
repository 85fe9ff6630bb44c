// SPDX-License-Identifier: Apache-2.0
// What the room keeps for the process, as members of one object; each service is defined in the file that works with
// it. Invariant: nothing here is destroyed when the process ends, because destructors of a program's static objects
// launch kernels and wait for them.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/locks/annotated_mutex.hpp"
#include "base/process/service.hpp"

namespace warpfiber::record {
class StreamObserver;
}

namespace warpfiber::streams {

struct Events;
class Scheduler;
class StreamRegistry;

struct StreamsState {
  static StreamsState& of_process();

  /// Destroys the services in the state that main() finds, but for observers, OS threads, and streams, whose numbers go
  /// on. The caller is reset_process() in runtime/reset.hpp, which has reset the devices.
  void reset();

  base::Service<std::vector<record::StreamObserver*>> stream_observers;
  base::Service<StreamRegistry> streams;
  base::Service<Events> events;
  base::Service<Scheduler> scheduler;
  std::atomic<std::uint64_t> native_uses{0};        // streams of the native API and launches of it
  std::atomic<bool> per_thread_streams{false};      // the program was compiled for them
  std::atomic<bool> unfinished_is_reported{false};  // at the end of the process: what it has launched
  std::atomic<bool> unshown_is_reported{false};     // likewise, of whose output nobody has waited for

  base::Mutex queues;      // guards what is named with queues_mutex()
  base::Mutex attributes;  // guards what is named with attributes_mutex()

 private:
  static StreamsState the_process_;
};

inline StreamsState& StreamsState::of_process() {
  return the_process_;
}

/// Guards the queues of all streams and what the scheduler keeps.
inline base::Mutex& queues_mutex() {
  return StreamsState::of_process().queues;
}

/// Guards the attributes of all streams.
inline base::Mutex& attributes_mutex() {
  return StreamsState::of_process().attributes;
}

}  // namespace warpfiber::streams

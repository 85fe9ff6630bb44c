// SPDX-License-Identifier: Apache-2.0
//
// The one object of each OS thread, which constant initialisation makes, and the end of its parts.
#include "process/host_thread.hpp"

#include <type_traits>
#include <utility>

#include "process/thread_parts.hpp"

namespace warpfiber::process {

static_assert(std::is_trivially_destructible_v<HostThreadState>, "static objects outlive those of the main thread");

constinit thread_local HostThreadState HostThreadState::the_callers_;

namespace {

/// The only object of the runtime's that is destroyed with its thread.
struct EndOfParts {
  EndOfParts() = default;
  ~EndOfParts() {
    HostThreadState& thread = HostThreadState::of_caller();
    thread.parts->end();
    thread.parts_are_over = true;
    delete std::exchange(thread.parts, nullptr);
  }
  EndOfParts(const EndOfParts&) = delete;
  EndOfParts& operator=(const EndOfParts&) = delete;
};

}  // namespace

ThreadParts* ThreadParts::make() {
  HostThreadState& thread = HostThreadState::of_caller();
  thread.parts = new ThreadParts;
  static thread_local const EndOfParts at_end;
  static_cast<void>(at_end);
  return thread.parts;
}

void ThreadParts::end() {
  streams.end();
  launching.end();
  present.end();
  last_launch.end();
  counted.end();
  contexts.end();
  found_regions.end();
  explanation.end();
}

}  // namespace warpfiber::process

// SPDX-License-Identifier: Apache-2.0
// What is kept for an OS thread of the host program and has to be destroyed with it, as parts of one object. The file
// that works with a part defines its type and makes it. Parts end in the order in which they stand here.
// Invariant: what is asked for a part after its end gets none, because static objects of the program, and objects of
// the thread that the program made earlier, call CUDA after that.
#pragma once

#include <memory>
#include <utility>

#include "process/host_thread.hpp"

namespace warpfiber::launches {
struct CountedThread;
}

namespace warpfiber::streams {
struct LaunchingThread;
struct OwnStreams;
}  // namespace warpfiber::streams

namespace warpfiber::runtime {
struct LastLaunch;
struct Present;
}  // namespace warpfiber::runtime

namespace warpfiber::process {

struct ContextStack;
struct Explanation;
struct FoundRegions;

template <class T>
class ThreadPart {
 public:
  ThreadPart() = default;
  ThreadPart(const ThreadPart&) = delete;
  ThreadPart& operator=(const ThreadPart&) = delete;

  /// Null after its end.
  T* get() {
    if (made_ == nullptr && !is_over_) make();
    return made_;
  }

  void end() {
    is_over_ = true;
    if (T* const made = std::exchange(made_, nullptr)) destroy_(made);
  }

 private:
  [[gnu::cold, gnu::noinline]] void make() {
    destroy_ = [](T* made) { std::default_delete<T>()(made); };
    made_ = std::make_unique<T>().release();
  }

  T* made_ = nullptr;
  void (*destroy_)(T*) = nullptr;
  bool is_over_ = false;
};

/// On the heap, because the thread-locals of a library that is loaded while the program runs share some hundred bytes
/// with those of all others.
struct ThreadParts {
  /// Null after their end.
  static ThreadParts* of_caller() {
    const HostThreadState& thread = HostThreadState::of_caller();
    return thread.parts != nullptr || thread.parts_are_over ? thread.parts : make();
  }

  void end();

  ThreadPart<streams::OwnStreams> streams;
  ThreadPart<streams::LaunchingThread> launching;  // ends what was launched, where it is the main thread
  ThreadPart<runtime::Present> present;
  ThreadPart<runtime::LastLaunch> last_launch;
  ThreadPart<launches::CountedThread> counted;  // while its launches are ended it uses CUDA
  ThreadPart<ContextStack> contexts;
  ThreadPart<FoundRegions> found_regions;
  ThreadPart<Explanation> explanation;  // the others may call what fails

 private:
  static ThreadParts* make();
};

/// The part of the calling thread, which its first user makes; null after its end.
template <class T>
T* own_part(ThreadPart<T> ThreadParts::*part) {
  ThreadParts* const parts = ThreadParts::of_caller();
  return parts == nullptr ? nullptr : (parts->*part).get();
}

}  // namespace warpfiber::process

// SPDX-License-Identifier: Apache-2.0
// What is kept for each OS thread of the host program, as members of one object: what the thread has chosen, what it is
// in, and what its last calls have left.
// Invariants: constant initialisation and no destructor, because static objects of the program call CUDA after the
// thread's own objects are gone. What has to be destroyed with its thread is one of its parts (thread_parts.hpp).
#pragma once

#include <warpfiber/detail/element_word.hpp>
#include <warpfiber/error.hpp>

#include <memory>

#include "process/user_call.hpp"

namespace warpfiber::launches {
struct PreparedLaunch;
}

namespace warpfiber::streams {
struct Task;
}

namespace warpfiber::process {

struct Explanation;
struct RunRecord;
struct ThreadParts;

struct HostThreadState {
  static HostThreadState& of_caller();

  int device = 0;                                              // cudaSetDevice
  Error last_error = Error::success;                           // cudaGetLastError
  const char* elements = warpfiber::detail::kUnknownElements;  // of what it copies or allocates in this call
  UserCall call{};                                             // the outermost in progress
  bool is_looking = false;                                     // at an access of the program
  bool is_explained = false;                                   // why the call failed
  Explanation* late_explanation = nullptr;                     // of a thread whose own is gone
  bool uses_primary = false;                                   // context of its device, which the runtime makes current
  bool chose_primary = false;                                  // likewise, by cudaSetDevice, whatever was current
  bool runs_host_function = false;                             // of a stream
  const streams::Task* host_function = nullptr;                // where what leads to it is over for the host
  const launches::PreparedLaunch* launch = nullptr;            // that it runs
  const std::shared_ptr<RunRecord>* recording = nullptr;       // of the determinism check that it is in
  ThreadParts* parts = nullptr;                                // null before their first use and after their end
  bool parts_are_over = false;

 private:
  static constinit thread_local HostThreadState the_callers_;
};

inline HostThreadState& HostThreadState::of_caller() {
  return the_callers_;
}

}  // namespace warpfiber::process

// SPDX-License-Identifier: Apache-2.0
// Which call of the program an OS thread is in, so that what is found later can name the line. Any thread may call.
#pragma once

#include "memory/host/device_use.hpp"

namespace warpfiber::process {

struct UserCall {
  const char* function = "";         // "cudaMemcpyAsync"; of a launch, the kernel; lives for ever
  const void* returns_to = nullptr;  // the instruction of the program after the call; null: not known
};

/// The call that this OS thread is in; of calls in each other, the outermost.
const UserCall& user_call();

/// The calling OS thread is in a call of the program's for as long as this lives.
class InUserCall {
 public:
  explicit InUserCall(const UserCall& call);
  ~InUserCall();
  InUserCall(const InUserCall&) = delete;
  InUserCall& operator=(const InUserCall&) = delete;

 private:
  memory::DeviceCall may_use_memory_;
  bool outermost_;
};

/// An access of the host's code is looked at for as long as this lives, unless the OS thread runs a kernel, or is
/// within a call or such a look already: a handler of a signal has interrupted it, and the locks may be taken.
class Look {
 public:
  Look();
  ~Look();
  Look(const Look&) = delete;
  Look& operator=(const Look&) = delete;

  bool is_allowed() const { return allowed_; }

 private:
  bool allowed_;
};

}  // namespace warpfiber::process

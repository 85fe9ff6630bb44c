// SPDX-License-Identifier: Apache-2.0
// Calls of a kernel into the library that change what other threads of it see.
#pragma once

#include <warpfiber/detail/current_thread.hpp>

namespace warpfiber::abi {

/// While it lives, nobody takes the running thread's place, and a tick does not look at what it does.
class Busy {
 public:
  Busy() : before_(detail::current_thread.busy) { detail::current_thread.busy = true; }
  ~Busy() { detail::current_thread.busy = before_; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

  bool was_busy() const { return before_; }

 private:
  const bool before_;
};

}  // namespace warpfiber::abi

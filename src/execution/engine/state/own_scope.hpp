// SPDX-License-Identifier: Apache-2.0
// The scope of a thread's atomic or fence while other threads run.
#pragma once

#include <warpfiber/detail/checked.hpp>

namespace warpfiber::engine {

/// An atomic or fence may let other threads of its OS thread run before its scope (CheckedScope) ends. Threads that run
/// while this lives begin with the scope of the device, as if the calling thread had none; then it has its own again.
class OwnScope {
 public:
  OwnScope() : scope_(detail::get_checked_scope()) { detail::set_checked_scope(detail::checked_device_scope); }
  ~OwnScope() { detail::set_checked_scope(scope_); }
  OwnScope(const OwnScope&) = delete;
  OwnScope& operator=(const OwnScope&) = delete;

 private:
  unsigned scope_;
};

}  // namespace warpfiber::engine

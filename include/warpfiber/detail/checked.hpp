// SPDX-License-Identifier: Apache-2.0
// What programs that are built with access hooks (WARPFIBER_CHECKED, docs/checking.md) tell the checker beside their
// accesses: the scope of atomics and fences, and asynchronous copies. In other programs these are nothing.
#pragma once

#include <warpfiber/detail/config.hpp>

#include <cstddef>

namespace warpfiber::detail {

/// The scope of the atomic or fence that the calling OS thread is about to execute, as check::Scope numbers them.
inline constexpr unsigned kBlockScope = 0;
inline constexpr unsigned kClusterScope = 1;
inline constexpr unsigned kDeviceScope = 2;
inline constexpr unsigned kSystemScope = 3;
extern constinit thread_local unsigned checked_scope WARPFIBER_TLS_MODEL;

/// While it lives, atomics and fences have this scope.
class CheckedScope {
 public:
#ifdef WARPFIBER_CHECKED
  explicit CheckedScope(unsigned scope) : before_(checked_scope) { checked_scope = scope; }
  ~CheckedScope() { checked_scope = before_; }

 private:
  unsigned before_;
#else
  explicit constexpr CheckedScope(unsigned) {}
#endif
 public:
  CheckedScope(const CheckedScope&) = delete;
  CheckedScope& operator=(const CheckedScope&) = delete;
};

// Asynchronous copies (async_copy.hpp). `from` and `to` are read and written by the copy, not by the caller's code.
void checked_copy(void* to, const void* from, std::size_t bytes, std::size_t room);
void checked_commit();
void checked_bind();
void checked_arrival();
void checked_wait(std::size_t but);

}  // namespace warpfiber::detail

// SPDX-License-Identifier: Apache-2.0
// A child made by fork() has its parent's memory and none of its threads: whoever waits for one of them waits for ever,
// and a lock that another thread held at that moment stays locked. So what belongs to a process that uses CUDA asks
// here first. Children made before their parent uses CUDA are processes like any other. Any thread may call.
#pragma once

#include <atomic>

namespace warpfiber::base {

namespace detail {

/// Points to 1 from the first use on, and to 0 before it and in children.
extern constinit std::atomic<const volatile char*> in_use;

bool begin_use();

}  // namespace detail

/// The process uses CUDA from now on. False in a child whose parent did when it was made: there nothing may be used.
inline bool begin_use() {
  return *detail::in_use.load(std::memory_order_acquire) != 0 || detail::begin_use();
}

/// Whether fork() has made this process of one that used CUDA.
bool is_forked_child();

}  // namespace warpfiber::base

// SPDX-License-Identifier: Apache-2.0
// libcu++'s thread scopes and memory orders, under both of its namespaces (libcu++ reference, "Thread Scopes"). All
// threads of a launch and of the host share the host's memory, so every scope is as wide as the host; which scope was
// named matters to types only. WARPFIBER_CCCL: NVIDIA's own libcu++ is used, which has them.
#pragma once

#ifdef WARPFIBER_CCCL

#include <cuda/std/atomic>

#else

#include <warpfiber/cuda/std_namespace.hpp>

#include <atomic>

namespace cuda {
namespace std {

/// Whom an operation may be seen by. The numbers are libcu++'s.
enum thread_scope {
  thread_scope_system = 0,
  thread_scope_device = 1,
  thread_scope_block = 2,
  thread_scope_thread = 10
};

}  // namespace std

using std::thread_scope;
using std::thread_scope_block;
using std::thread_scope_device;
using std::thread_scope_system;
using std::thread_scope_thread;

using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

}  // namespace cuda

#endif

// SPDX-License-Identifier: Apache-2.0
// The door of the host's interface: functions of CUDA's runtime, of its libraries and of the native interface are for
// threads of the host, and in a child of a process that uses CUDA for nobody. Each function asks here first, and
// nothing behind the door asks again.
#pragma once

#include "base/forking.hpp"
#include "engine/run.hpp"

namespace warpfiber::runtime {

enum class Caller : unsigned char { host, kernel, forked_child };

/// Of a function that uses no device.
inline bool is_called_by_kernel() {
  return engine::inside_kernel();
}

/// Of the others: where a thread of the host may call, the process uses CUDA from now on.
inline Caller caller() {
  if (is_called_by_kernel()) return Caller::kernel;
  return base::begin_use() ? Caller::host : Caller::forked_child;
}

}  // namespace warpfiber::runtime

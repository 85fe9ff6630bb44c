// SPDX-License-Identifier: Apache-2.0
// How far apart the threads are that an atomic, a barrier or a group concerns: libcu++'s cuda::thread_scope, with the
// values it has in CUDA 13.0.
#pragma once

namespace cuda {

enum thread_scope {
  thread_scope_system = 0,
  thread_scope_device = 1,
  thread_scope_block = 2,
  thread_scope_thread = 10,
};

}  // namespace cuda

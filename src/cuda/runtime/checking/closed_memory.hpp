// SPDX-License-Identifier: Apache-2.0
// Memory of devices is out of the host's reach in a program without hooks, too: its pages are closed while nothing but
// code of the host runs, and the fault of an access is explained. A program that is checked has hooks for that.
#pragma once

namespace warpfiber::runtime {

/// Called at the end of each runtime call. Closes the memory unless another thread or a stream may use it.
void close_device_memory();

/// The next SIGSEGV of this process is not explained: a finding has said all.
void leave_fault_unexplained();

}  // namespace warpfiber::runtime

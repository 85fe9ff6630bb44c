// SPDX-License-Identifier: Apache-2.0
// The end of the process. A real device drops kernels that nobody has waited for when main() returns. In a checked
// program they run first, so that every kernel that was launched is judged; what cannot end is reported.
// Order: the thread-local objects of the thread that calls exit(), handlers and static objects, the last one first,
// then the destructors of object files. Judging comes first of all where the main thread ends the process: static
// objects that functions of the program use are still there.
#pragma once

namespace warpfiber::runtime {

/// Whether kernels that nobody waits for are run at the end: the program has access hooks, or WARPFIBER_CHECK asks.
bool judges_at_end();

/// Prepares the end of the process. Called by every thread of the program that gives work to a stream.
void expect_end();

/// Runs what the program has launched and not waited for, and reports kernels that cannot be run to their end. Does
/// nothing in a program that is not checked, and in a child made by fork(), whose parent judges. Inside a kernel it may
/// be called only after engine::leave_for_exit().
void judge_launched_work();

/// The `_exit(status)` of a checked program: judges what was launched and closes the log before the process ends. A
/// program that fails ends at once: handlers of signals call this, and the thread may hold any lock.
[[noreturn]] void leave_without_handlers(int status);

}  // namespace warpfiber::runtime

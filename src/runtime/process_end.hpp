// SPDX-License-Identifier: Apache-2.0
// The end of the process: what was launched is judged (streams/launched_work.hpp), what was found is printed and
// written, and the exit code says whether there were errors.
// Order: the thread-local objects of the thread that calls exit(), handlers and static objects, the last one first,
// then the destructors of object files.
#pragma once

namespace warpfiber::runtime {

/// The process ends with `status`: prints and writes what is still to be reported. Returns the exit code that it is to
/// end with, WARPFIBER_EXITCODE for 0 where an error was found. exit() does this by itself.
int close_findings_log(int status);

/// The `_exit(status)` of a checked program: judges what was launched and closes the log before the process ends. A
/// program that fails ends at once: handlers of signals call this, and the thread may hold any lock.
[[noreturn]] void leave_without_handlers(int status);

}  // namespace warpfiber::runtime

// SPDX-License-Identifier: Apache-2.0
// The end of the process: what was launched is judged (streams/launched_work.hpp), what was found is printed and
// written, and the exit code says whether there were errors.
// Order: the thread-local objects of the thread that calls exit(), handlers and static objects, the last one first,
// then the destructors of object files.
#pragma once

#include "record/finding.hpp"

namespace warpfiber::runtime {

/// The process ends with `status`: prints and writes what is still to be reported. Returns the exit code that it is to
/// end with, WARPFIBER_EXITCODE for 0 where an error was found. exit() does this by itself.
int close_findings_log(int status);

/// The `_exit(status)` of a checked program: judges what was launched and closes the log before the process ends. A
/// program that fails ends at once: handlers of signals call this, and the thread may hold any lock.
[[noreturn]] void leave_without_handlers(int status);

/// The program will never end by itself: reports why, and ends the process as `exit()` does, without its handlers and
/// static objects, which threads that sleep may use. The exit code is that of findings, or EXIT_FAILURE.
[[noreturn]] void leave_dead_program(record::Finding finding);

}  // namespace warpfiber::runtime

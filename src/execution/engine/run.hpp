// SPDX-License-Identifier: Apache-2.0
// The engine's door: runs one launch to its end on the calling OS thread and as many others as it asks for.
#pragma once

#include <functional>
#include <vector>

#include "engine/request/grid_request.hpp"
#include "engine/signals/os_thread.hpp"

namespace warpfiber::engine {

/// Returns when every thread of the grid has returned or the launch has ended with a finding. Thread safe; must not be
/// called from inside a kernel.
GridOutcome run_grid(const GridRequest& request);

/// While this lives the calling OS thread launches one kernel after another, runs nothing of the program between them
/// and does not sleep: what launches need of the system is set up by the first and given back at the end, which saves
/// eight system calls a launch.
class LaunchSeries {
 public:
  LaunchSeries();
  ~LaunchSeries();
  LaunchSeries(const LaunchSeries&) = delete;
  LaunchSeries& operator=(const LaunchSeries&) = delete;
};

/// The calling OS thread is about to sleep: its signals are its own again, until it launches again.
void release_for_sleep();

/// The calling thread goes on with the program, which may look at its signal handlers and set them: puts back what was
/// left of a series of another thread, unless a launch runs.
void give_back_handlers();

/// A thread of the program that leaves a call finds its signal handlers as it has set them.
class GivesBackHandlers {
 public:
  GivesBackHandlers() = default;
  ~GivesBackHandlers() { give_back_handlers(); }
  GivesBackHandlers(const GivesBackHandlers&) = delete;
  GivesBackHandlers& operator=(const GivesBackHandlers&) = delete;
};

/// From now on end_time_of_all() can be called. To be called before the first launch.
void expect_end_of_time();

/// The time that the process was given is over: every launch that runs, and every one that starts later, ends with a
/// finding that says where its threads are. Any thread may call.
void end_time_of_all();

/// The OS's numbers of the threads of this process that are workers' own.
std::vector<int> helper_threads();

/// Whoever runs grids until the process ends calls this first: what is destroyed at exit is destroyed after the
/// caller's statics that are made later.
void keep_team();

/// Whether the calling OS thread is running a kernel.
bool inside_kernel();

/// The running thread of a kernel has called exit(status), or the like: calls that as the host would, on a stack with
/// room and with the host's signals.
[[noreturn]] void exit_as_host(void (*exit)(int), int status);

/// The running thread of a kernel has called exit(): it goes on to the end of the process, and no other thread of its
/// worker runs any more. What is returned reports what checks have found in the launch so far; it is to be called on a
/// stack with room.
std::function<std::vector<record::Finding>()> leave_for_exit();

}  // namespace warpfiber::engine

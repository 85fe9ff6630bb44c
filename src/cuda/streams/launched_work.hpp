// SPDX-License-Identifier: Apache-2.0
// What the program has launched and not waited for when the process ends. A real device drops kernels that nobody has
// waited for when main() returns. In a checked program they run first, so that every kernel that was launched is
// judged; what cannot end is reported. Judging comes first of all where the main thread ends the process: static
// objects that functions of the program use are still there.
#pragma once

#include <vector>

#include "streams/scheduler.hpp"

namespace warpfiber::streams {

/// Prepares the end of the process. Called by every thread of the program that gives work to a stream.
void expect_end();

/// Runs what the program has launched and not waited for, and reports kernels that cannot be run to their end, and
/// those whose output a device would not show. Does nothing in a program that is not checked, and in a child made by
/// fork(), whose parent judges. Inside a kernel it may be called only after engine::leave_for_exit().
void judge_launched_work();

/// The work of all streams that is not done.
std::vector<StreamPos> unfinished_work();

/// The same as at the end of the process for a test that ends: runs what it has launched and not waited for. Nothing
/// is waited for while work of `earlier` is not done, which the test did not launch: later tests may have to help it.
void finish_work_after(const std::vector<StreamPos>& earlier);

/// Whether this is the process that uses CUDA, and no child that fork() has made of it.
bool is_user_of_cuda();

}  // namespace warpfiber::streams

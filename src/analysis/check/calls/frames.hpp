// SPDX-License-Identifier: Apache-2.0
// How far below the top of a thread's stack the functions of a kernel have their frames, as accesses have shown it. So
// a place in a stack that its thread has left leads to the function whose variable was there. Kept for the process;
// any thread may call.
#pragma once

#include <cstdint>
#include <vector>

#include "fiber/trails.hpp"
#include "record/stack_frame.hpp"

namespace warpfiber::check {

/// It runs threads of `kernel`, as the program launches that; null: not known.
void note_kernel(const void* runs_threads, const void* kernel);
/// That kernel; null where it was not noted.
const void* kernel_run_by(const void* runs_threads);

/// A thread that `runs_threads` runs has these return addresses on its stack, whose top is `high`; `whole`: all.
void note_frames(const void* runs_threads, const char* high, const fiber::Returns& found, bool whole);

/// The frames of such threads that may hold the place `depth` bytes below the top, those first that begin nearest.
std::vector<record::StackFrame> frames_around(const void* runs_threads, std::uint64_t depth);

}  // namespace warpfiber::check

// SPDX-License-Identifier: Apache-2.0
// What a debugger reads of the threads of kernels, and what it asks for (share/gdb/warpfiber_gdb/stepping.py, by the
// offsets in engine/debugging/layout.cpp). All of it is plain memory: the debugger calls nothing in the program. Who
// writes what is said at each member; the debugger writes only while the program is stopped.
#pragma once

#include <cstdint>

#include "record/verdict.hpp"

namespace warpfiber::step {

/// How far the program goes on. A move is about one thread, and ends before a statement.
enum class StepMove : std::uint64_t {
  none,    // to `stop_at`, or to the end
  line,    // the next statement of the thread; where it has returned, of any
  lane,    // of another thread
  warp,    // of another warp
  epoch,   // of its block behind the barrier that all of it has passed; where the block has ended, of any
  block,   // of another block
  launch,  // of another launch
};

/// Why the program has stopped.
enum class StepStop : std::uint64_t {
  none,
  position,  // `stop_at`
  move,      // what was asked for
  returned,  // the same, but the thread or its block has ended
  end,       // the process ends, all findings are reported
};

/// A thread of a launch.
struct StepThread {
  std::uint64_t launch = 0;  // number of the launch in the process
  std::uint64_t block = 0;   // rank in the grid
  std::uint64_t thread = 0;  // rank in the block
  friend bool operator==(const StepThread&, const StepThread&) = default;
};

/// The statement that a thread executes, or has executed last.
struct StepPlace {
  std::uint32_t line = 0;  // 0: it has executed none
  std::uint16_t file = 0;  // index in StepState::files
  bool begun = false;      // the engine has reported that it runs; late for threads that never wait
  bool ended = false;      // the same of its return
};

/// A file with device code.
struct StepFile {
  const char* name = nullptr;
  std::uint64_t lines = 0;                // of `counts`
  const std::uint64_t* counts = nullptr;  // how often threads have executed each line, from line 0
};

/// A resident block of the launch that runs.
struct StepBlock {
  std::uint64_t rank = 0;
  std::uint64_t epoch = 0;            // barriers that all of it has passed
  const StepPlace* places = nullptr;  // of its threads, by rank; null: no block is here
};

struct StepState {
  // Written by the debugger.
  std::uint64_t stop_at = 0;  // position; 0: none
  StepMove move = StepMove::none;
  std::uint64_t times = 0;  // how often the move is to be done
  StepThread moving;        // which thread it is about
  std::uint64_t from = 0;   // epoch of its block

  // Written by the program.
  std::uint64_t position = 0;  // statements begun, with the one that comes next
  StepStop stop = StepStop::none;
  StepThread running;
  std::uint64_t files_known = 0;
  const StepFile* files = nullptr;
  std::uint64_t slots = 0;
  const StepBlock* blocks = nullptr;  // by slot
};

/// Called when a move is done; does nothing. A debugger has its breakpoint here.
extern "C" void warpfiber_step_stop(const StepState* state);

/// A finding ends a launch, and no other has before: debuggers may stop.
void announce_failure(record::Verdict verdict);

}  // namespace warpfiber::step

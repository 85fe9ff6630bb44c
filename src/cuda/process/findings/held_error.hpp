// SPDX-License-Identifier: Apache-2.0
// A finding of an error that the program may look at, while it is not known whether it does (findings_log.hpp says
// what handles an error). Belongs to the findings log, whose mutex the caller holds.
#pragma once

#include <warpfiber/error.hpp>

#include <cstdint>

#include "process/findings/findings_log.hpp"
#include "process/host/asked.hpp"

namespace warpfiber::process {

/// How often the program has asked for something, or seen that something is over.
std::uint64_t changes_of_order();

struct HeldError {
  HandledError how;
  bool looked = false;        // the call's result is used
  bool named = false;         // before another call met the same error
  bool is_last = true;        // no other has
  bool counts = false;        // as an error of the process, or of the test that runs
  TimesAsked before;          // it was last seen
  std::uint64_t changes = 0;  // of the order of operations, likewise

  /// The call at the same place has failed again.
  void begin(const HandledError& error, bool is_looked_at);
  /// Another call has met the same error: names of it are that one's from now on.
  void end_naming();
  /// Whether the program, or the test that ends, has handled it. `exit_code`: of the program, or 0 where a test passes.
  bool is_handled(int exit_code);
};

}  // namespace warpfiber::process

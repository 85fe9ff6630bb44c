// SPDX-License-Identifier: Apache-2.0
//
// Compares how often the program has asked for errors since the call failed.
#include "process/findings/held_error.hpp"

#include "process/process_state.hpp"

namespace warpfiber::process {

std::uint64_t changes_of_order() {
  return ProcessState::of_process().order_changes.load(std::memory_order_acquire);
}

void HeldError::begin(const HandledError& error, bool is_looked_at) {
  how = error;
  looked = is_looked_at;
  is_last = true;
  before = times_asked(how.error);
  changes = changes_of_order();
}

void HeldError::end_naming() {
  const TimesAsked now = times_asked(how.error);
  // Of a launch that nothing returns, a program shows what it takes for the outcome.
  const bool any = how.returned_by == nullptr && now.all_names > before.all_names;
  named = named || (is_last && (any || now.names > before.names));
  is_last = false;
}

bool HeldError::is_handled(int exit_code) {
  end_naming();
  if (named) return false;
  if (how.is_answer) return exit_code == 0 || changes_of_order() != changes;
  return exit_code == 0 && (looked || times_asked(how.error).errors > before.errors);
}

}  // namespace warpfiber::process

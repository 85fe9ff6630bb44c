// SPDX-License-Identifier: Apache-2.0
//
// Prints the reason once and returns the error. It takes no lock, as another thread of the parent may have held it
// when the child was made.
#include "process/host/forked_child.hpp"

#include <cstdio>

#include "process/last_error.hpp"
#include "process/process_state.hpp"
#include "process/settings/reporting.hpp"
#include "report/reasons/reasons.hpp"

namespace warpfiber::process {

Error refuse_in_forked_child(const char* function) {
  constexpr Error kError = Error::initialization_error;
  // Written at once and without a lock of ours, which another thread of the parent may have held.
  if (!ProcessState::of_process().fork_is_reported.exchange(true) && !report_settings().quiet)
    std::fprintf(stderr, "warpfiber: %s: %s: %s\n", function, error_name(kError),
                 report::fixed_text(record::ReasonKind::forked_child));
  return remember(kError);
}

}  // namespace warpfiber::process

// SPDX-License-Identifier: Apache-2.0
// Where the program stands when its time is over. `warpfiber check` asks by a signal before it ends a run that takes
// too long (docs/checking.md, --timeout).
#pragma once

namespace warpfiber::runtime {

/// From now on SIGXCPU makes the process say on standard error where it stands, and end.
void tell_standing_when_asked();

}  // namespace warpfiber::runtime

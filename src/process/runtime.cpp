// SPDX-License-Identifier: Apache-2.0
//
// The one Runtime of the process, which constant initialisation makes.
#include "process/runtime.hpp"

#include <type_traits>

namespace warpfiber::process {

static_assert(std::is_trivially_destructible_v<Runtime>, "services outlive the static objects of the program");

constinit Runtime Runtime::the_process_;

void Runtime::reset() {
  scheduler.reset();  // first: it ends its threads, which use the others
  device_arbiter.reset();
  events.reset();
  textures.reset();
  surfaces.reset();
  arrays.reset();
  pools.reset();
  allocations.reset();
  device_settings.reset();
  findings.reset();
  launch_extents.reset();
  reported_accesses.reset();
  reported_pairs.reset();
  reported_reaches.reset();
  ignored_failure.reset();
  printed_refusals.reset();
  unmodelled_calls.reset();
  kept_copies.reset();
  results.reset();
  schedules.reset();
  unshown_output.reset();
  session.reset();
  launches.store(0);
  call_was_refused.store(false);
}

}  // namespace warpfiber::process

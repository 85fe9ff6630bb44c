// SPDX-License-Identifier: Apache-2.0
//
// What a finding is. The room report has the catalogue: the id, meaning and vendor's term of each.
// Invariant: in the alphabetical order of their ids, so that findings sort in the same way by either.
#pragma once

#include <cstdint>

namespace warpfiber::record {

enum class Verdict : std::uint8_t {
  assert,
  async_hazard,
  bad_mask,
  barrier_divergence,
  benign_race,
  cg_misuse,
  conversion,
  deadlock,
  dsmem_lifetime,
  exception,
  host_access,
  invalid_free,
  launch_error,
  leak,
  livelock,
  local_escape,
  misaligned,
  nondeterminism,
  oob_dsmem,
  oob_global,
  oob_index,
  oob_shared,
  race_dsmem,
  race_global,
  race_shared,
  refused_call,
  stack_overflow,
  time_limit,
  trap,
  unfinished,
  uninit_global,
  uninit_shared,
  use_after_free,
};

inline constexpr Verdict kLastVerdict = Verdict::use_after_free;

/// Whether two accesses conflict.
constexpr bool is_race(Verdict verdict) {
  return verdict == Verdict::race_dsmem || verdict == Verdict::race_global || verdict == Verdict::race_shared;
}

/// Whether an access, or an index that may be only for an address, is outside of an object.
constexpr bool is_out_of_bounds(Verdict verdict) {
  return verdict == Verdict::oob_dsmem || verdict == Verdict::oob_global || verdict == Verdict::oob_index ||
         verdict == Verdict::oob_shared;
}

}  // namespace warpfiber::record

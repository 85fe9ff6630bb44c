// SPDX-License-Identifier: Apache-2.0
//
// What a finding is: one value for each row of the catalogue (verdicts.inc), in its order.
#pragma once

#include <cstdint>

namespace warpfiber::record {

enum class Verdict : std::uint8_t {
#define WARPFIBER_VERDICT(name, ...) name,
#include "record/verdicts.inc"
};

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

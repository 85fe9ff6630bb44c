// SPDX-License-Identifier: Apache-2.0
// Calls to barriers in memory that cannot be right.
#include <warpfiber/intrinsics/phase.hpp>

#include "abi/misuse.hpp"
#include "record/diagnosis.hpp"

namespace warpfiber::detail {

namespace {

record::PhaseMisused::Kind kind_of(PhaseMisuse what) {
  using Kind = record::PhaseMisused::Kind;
  switch (what) {
    case PhaseMisuse::uninitialised: return Kind::uninitialised;
    case PhaseMisuse::count_range: return Kind::count_out_of_range;
    case PhaseMisuse::too_many_arrivals: return Kind::too_many_arrivals;
    case PhaseMisuse::byte_range: return Kind::bytes_out_of_range;
  }
  __builtin_unreachable();
}

}  // namespace

void phase_misuse(PhaseMisuse what, const char* call, const std::uint64_t* word, std::uint64_t limit,
                  std::int64_t given, Site site) {
  abi::report_misuse(record::PhaseMisused{kind_of(what), static_cast<std::int64_t>(limit), given}, call, word, site);
}

}  // namespace warpfiber::detail

// SPDX-License-Identifier: Apache-2.0
// What is said about calls to barriers in memory that cannot be right.
#include <warpfiber/detail/phase.hpp>

#include "abi/told_misuse.hpp"

namespace warpfiber::detail {

namespace {

Advice advice_on(PhaseMisuse what) {
  switch (what) {
    case PhaseMisuse::uninitialised:
      return {"The memory holds no barrier: init() has not been called for it, or something has overwritten it.",
              "one thread calls init(&barrier, count), then all meet at __syncthreads(), then the barrier is used"};
    case PhaseMisuse::count_range:
      return {"A barrier of this scope counts from 0 to %1$lld arrivals; %2$lld were asked for.",
              "init() with the number of arrivals of one phase"};
    case PhaseMisuse::too_many_arrivals:
      return {"The phase waits for %1$lld more arrivals, and this call arrives %2$lld times.",
              "init() with the number of arrivals of one phase, and wait for a phase before arriving in the next"};
    case PhaseMisuse::byte_range: break;
  }
  return {"A phase counts at most %1$lld bytes of asynchronous copies; with this call there are %2$lld.",
          "announce what the copies of one phase move, and no more than 2^20 - 1 bytes"};
}

}  // namespace

void phase_misuse(PhaseMisuse what, const char* call, std::uint64_t limit, std::int64_t given, Site site) {
  tell_misuse(advice_on(what), call, static_cast<long long>(limit), static_cast<long long>(given), site);
}

}  // namespace warpfiber::detail

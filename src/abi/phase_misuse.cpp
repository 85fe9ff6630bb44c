// SPDX-License-Identifier: Apache-2.0
// What is said about calls to barriers in memory that cannot be right.
#include <warpfiber/detail/phase.hpp>

#include "abi/told_misuse.hpp"

namespace warpfiber::detail {

namespace {

Advice advice_on(PhaseMisuse what) {
  switch (what) {
    case PhaseMisuse::uninitialised:
      return {
          "There is no barrier at this address: init() was not called for it, or it was overwritten.",
          "call init(&barrier, count) in one thread, then __syncthreads() in all threads, before the barrier is used"};
    case PhaseMisuse::count_range:
      return {"The expected count of a barrier of this scope is from 0 to %1$lld; init() was called with %2$lld.",
              "call init() with the number of arrivals in one phase"};
    case PhaseMisuse::too_many_arrivals:
      return {"The phase waits for %1$lld more arrivals, but this call arrives %2$lld times.",
              "call init() with the number of arrivals in one phase, and wait for a phase before arriving in the next"};
    case PhaseMisuse::byte_range: break;
  }
  return {"A phase counts at most %1$lld bytes of asynchronous copies; this call makes it %2$lld.",
          "expect at most 2^20 - 1 bytes in one phase"};
}

}  // namespace

void phase_misuse(PhaseMisuse what, const char* call, std::uint64_t limit, std::int64_t given, Site site) {
  tell_misuse(advice_on(what), call, static_cast<long long>(limit), static_cast<long long>(given), site);
}

}  // namespace warpfiber::detail

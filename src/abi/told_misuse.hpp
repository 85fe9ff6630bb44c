// SPDX-License-Identifier: Apache-2.0
// How misuse of objects in memory is told: barriers and copies may also be used by the host, where no launch can end.
#pragma once

#include <warpfiber/detail/site.hpp>

namespace warpfiber::detail {

struct Advice {
  const char* why;  // a format of two numbers
  const char* fix;
};

/// Ends the launch with `cg-misuse`; outside a kernel, the process.
template <class Number>
[[noreturn]] void tell_misuse(const Advice& advice, const char* call, Number first, Number second, Site site);

extern template void tell_misuse(const Advice&, const char*, long long, long long, Site);
extern template void tell_misuse(const Advice&, const char*, unsigned long long, unsigned long long, Site);

}  // namespace warpfiber::detail

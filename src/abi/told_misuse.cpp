// SPDX-License-Identifier: Apache-2.0
#include "abi/told_misuse.hpp"

#include <warpfiber/detail/group.hpp>

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "record/finding.hpp"
#include "runtime/findings_log.hpp"

namespace warpfiber::detail {

template <class Number>
void tell_misuse(const Advice& advice, const char* call, Number first, Number second, Site site) {
  char why[256];  // no string: nobody would free it
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  std::snprintf(why, sizeof why, advice.why, first, second);
#pragma GCC diagnostic pop
  if (current_thread.worker == nullptr) {
    char line[512];
    std::snprintf(line, sizeof line, "warpfiber: %s at %s:%u: %s\n", call, site.file != nullptr ? site.file : "?",
                  site.line, why);
    record::Finding finding{.verdict = record::Verdict::cg_misuse};
    finding.parties.push_back({.role = record::Role::call, .place = record::place_of(site), .what = call});
    finding.why = why;
    finding.fix = advice.fix;
    runtime::log_in_a_line(std::move(finding), line);
    std::abort();
  }
  misuse(site, call, why, advice.fix);
}

template void tell_misuse(const Advice&, const char*, long long, long long, Site);
template void tell_misuse(const Advice&, const char*, unsigned long long, unsigned long long, Site);

}  // namespace warpfiber::detail

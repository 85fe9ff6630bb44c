// SPDX-License-Identifier: Apache-2.0
// Tables of launches that end with a report, and how they are checked: the finding's id and CUDA's error code under
// every policy, lines and counts in the text, and the whole text of the in-order run against an approved file.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "support/launches.hpp"

namespace warpfiber::test {

struct Report {
  const char* name;  // of the approved file
  LaunchConfig config;
  std::function<LaunchResult(const LaunchConfig&, int* memory)> launch;
  const char* finding;
  Error error;
  std::vector<std::string> quoted;  // source text of the lines that the report has to name
  std::vector<std::string> said;    // other words it has to say
};

/// Every report of a table in turn; the calling test is run once for each.
template <std::size_t kCount>
const Report& every_report(const Report (&reports)[kCount]) {
  return reports[GENERATE(range(std::size_t{0}, kCount))];
}

/// Runs the kernel in `way`, checks what is the same in every way, and that a correct kernel runs afterwards.
LaunchResult check_report(const Report& report, const Way& way);

/// The report of the in-order run on one worker, against tests/golden/stalls/NAME.txt.
void check_approved(const Report& report);

/// `text` with what differs from run to run left out: addresses, and the program's own command line.
std::string without_chance(const std::string& text);

}  // namespace warpfiber::test

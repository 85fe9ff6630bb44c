// SPDX-License-Identifier: Apache-2.0
// Which observers launches have, as the environment says (session.cpp). Files: empty is none, %p the number of the
// process (file_of_process, reporting.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trace/watch/expression.hpp"

namespace warpfiber::process {

struct ObserveSettings {
  std::string profile;                        // the file that counters are written to
  std::string trace;                          // the file of the trace, by its suffix in one of two formats
  std::string report;                         // the page about the run
  std::optional<std::uint64_t> step;          // where the first stop of warpfiber step is; none: nowhere
  std::vector<trace::WatchExpression> watch;  // whose values that page shows
};

const ObserveSettings& observe_settings();

}  // namespace warpfiber::process

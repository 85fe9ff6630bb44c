// SPDX-License-Identifier: Apache-2.0
//
// The files about a run that its program leaves on request, for the subcommands that run programs.
#pragma once

#include <string>
#include <vector>

namespace warpfiber::tools {

struct RunFiles {
  std::string trace;   // empty: none
  std::string report;  // likewise
};

/// Takes the value of --trace. What is wrong with it, or nothing.
std::string read_trace_file(RunFiles& to, const std::string& value);

/// Takes the value of --report.
std::string read_report_file(RunFiles& to, const std::string& value);

/// What the program gets in its environment. Files of an earlier run are removed, so that those of this one are seen.
std::vector<std::string> variables_of(const RunFiles& files);

/// False for a file that the program has not left, which is then said.
bool are_written(std::string_view subcommand, const RunFiles& files);

}  // namespace warpfiber::tools

// SPDX-License-Identifier: Apache-2.0
//
// The files about a run that its program leaves on request, for the subcommands that run programs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace warpfiber::tools {

/// Which of the files at a path one is; a file that is replaced gets another number.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t number = 0;
  std::int64_t changed = 0;  // in nanoseconds
  bool operator==(const FileIdentity&) const = default;
};

struct RunFiles {
  std::string trace;             // empty: none
  std::string report;            // likewise
  FileIdentity trace_before{};   // what an earlier run has left there
  FileIdentity report_before{};  // likewise
  std::string watch;             // expressions whose values the report shows, with ";" between them
};

/// Takes the value of --trace. What is wrong with it, or nothing.
std::string read_trace_file(RunFiles& to, const std::string& value);

/// Takes the value of --report.
std::string read_report_file(RunFiles& to, const std::string& value);

/// Takes the value of --watch, which may be given several times.
std::string read_watched(RunFiles& to, const std::string& value);

/// Makes one of these the reader of an option that is kept in the member `files`.
template <auto kRead, class To>
std::string of_files(To& to, const std::string& value) {
  return kRead(to.files, value);
}

/// Gives the files the names that `name` makes of theirs.
void name_files(RunFiles& files, const std::function<std::string(const std::string&)>& name);

/// What is wrong with the options together, or nothing.
std::string complaint_about(const RunFiles& files);

/// What the program gets in its environment.
std::vector<std::string> variables_of(const RunFiles& files);

/// False for a file that the program has not left, which is then said.
bool are_written(std::string_view subcommand, const RunFiles& files);

}  // namespace warpfiber::tools

// SPDX-License-Identifier: Apache-2.0
//
// What each option of the manual's table does.
#include "tools/run/options.hpp"

#include "tools/manual/options.hpp"

namespace warpfiber::tools::run {
namespace {

constexpr OptionReader<RunOptions> kReaders[] = {
    {"--trace", of_files<read_trace_file>},
    {"--report", of_files<read_report_file>},
    {"--watch", of_files<read_watched>},
    {"--quiet", read_flag<&RunOptions::quiet>},
};
static_assert(have_readers(manual::kRunOptions, kReaders));

}  // namespace

program::ParsedOptions<RunOptions> parse(const std::vector<std::string>& arguments) {
  auto parsed = program::parse_program<RunOptions>("run", kReaders, arguments);
  if (!parsed.is_to_run()) return parsed;
  parsed.error = complaint_about(parsed.options.files);
  // Types of what the expressions name are in debug information.
  if (!parsed.options.files.watch.empty()) parsed.options.program.host_flags.emplace_back("-g");
  return parsed;
}

}  // namespace warpfiber::tools::run

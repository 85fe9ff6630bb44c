// SPDX-License-Identifier: Apache-2.0
//
// What each option of the manual's table does.
#include "tools/profile/options.hpp"

#include "tools/manual/options.hpp"

namespace warpfiber::tools::profile {
namespace {

constexpr OptionReader<ProfileOptions> kReaders[] = {
    {"--json", read_text<&ProfileOptions::json>},
    {"--csv", read_text<&ProfileOptions::csv>},
    {"--source", read_flag<&ProfileOptions::source>},
    {"--check", read_flag<&ProfileOptions::check>},
    {"--trace", of_files<read_trace_file>},
    {"--report", of_files<read_report_file>},
    {"--watch", of_files<read_watched>},
};
static_assert(have_readers(manual::kProfileOptions, kReaders));

}  // namespace

program::ParsedOptions<ProfileOptions> parse(const std::vector<std::string>& arguments) {
  auto parsed = program::parse_program<ProfileOptions>("profile", kReaders, arguments);
  if (!parsed.is_to_run()) return parsed;
  nvcc::NvccOptions& program = parsed.options.program;
  // Accesses are counted by the hooks of checked programs, executions of lines by what statements report.
  program.check = program.statements = true;
  parsed.error = complaint_about(parsed.options.files);
  if (parsed.ok() && program.inputs.empty()) parsed.error = "nothing to profile: name CUDA files";
  return parsed;
}

}  // namespace warpfiber::tools::profile

// SPDX-License-Identifier: Apache-2.0
//
// What each option of the manual's table does; everything else is left to nvcc's parser.
#include "tools/profile/options.hpp"

#include <utility>

#include "tools/manual/manual.hpp"
#include "tools/manual/options.hpp"
#include "tools/nvcc/own_options.hpp"

namespace warpfiber::tools::profile {
namespace {

std::string read_json(ProfileOptions& to, const std::string& value) {
  return to.json = value, std::string();
}

std::string read_csv(ProfileOptions& to, const std::string& value) {
  return to.csv = value, std::string();
}

std::string read_source(ProfileOptions& to, const std::string&) {
  return to.source = true, std::string();
}

std::string read_check(ProfileOptions& to, const std::string&) {
  return to.check = true, std::string();
}

std::string read_report(ProfileOptions& to, const std::string& value) {
  return read_report_file(to.files, value);
}

std::string read_trace(ProfileOptions& to, const std::string& value) {
  return read_trace_file(to.files, value);
}

std::string read_watch(ProfileOptions& to, const std::string& value) {
  return read_watched(to.files, value);
}

std::string read_help(ProfileOptions& to, const std::string&) {
  return to.help = true, std::string();
}

std::string read_version(ProfileOptions& to, const std::string&) {
  return to.version = true, std::string();
}

constexpr nvcc::OptionReader<ProfileOptions> kReaders[] = {
    {"--json", read_json},   {"--csv", read_csv},     {"--source", read_source},
    {"--check", read_check}, {"--trace", read_trace}, {"--report", read_report},
    {"--watch", read_watch}, {"--help", read_help},   {"--version", read_version},
};
static_assert(nvcc::have_readers(manual::kProfileOptions, kReaders));

}  // namespace

ParsedProfileOptions parse(const std::vector<std::string>& arguments) {
  ProfileOptions options;
  nvcc::OtherWords others = nvcc::take_own(manual::kProfileOptions, kReaders, arguments, options);
  options.arguments = std::move(others.arguments);
  if (others.error.empty()) others.error = complaint_about(options.files);
  if (!others.error.empty() || options.help || options.version) return {std::move(options), others.error};
  nvcc::ParsedNvccOptions program = nvcc::parse_options(others.for_nvcc);
  options.program = std::move(program.options);
  // Accesses are counted by the hooks of checked programs, executions of lines by what statements report.
  options.program.check = options.program.statements = true;
  program.error = manual::with_suggestion(program.error, program.unknown, "profile");
  if (program.ok() && options.program.inputs.empty()) program.error = "nothing to profile: name CUDA files";
  return {std::move(options), program.error};
}

}  // namespace warpfiber::tools::profile

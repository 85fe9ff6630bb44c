// SPDX-License-Identifier: Apache-2.0
//
// What each option of the manual's table does; everything else is left to nvcc's parser.
#include "tools/run/options.hpp"

#include <utility>

#include "tools/manual/manual.hpp"
#include "tools/manual/options.hpp"
#include "tools/nvcc/own_options.hpp"

namespace warpfiber::tools::run {
namespace {

std::string read_report(RunOptions& to, const std::string& value) {
  return read_report_file(to.files, value);
}

std::string read_trace(RunOptions& to, const std::string& value) {
  return read_trace_file(to.files, value);
}

std::string read_watch(RunOptions& to, const std::string& value) {
  return read_watched(to.files, value);
}

std::string read_quiet(RunOptions& to, const std::string&) {
  return to.quiet = true, std::string();
}

std::string read_help(RunOptions& to, const std::string&) {
  return to.help = true, std::string();
}

std::string read_version(RunOptions& to, const std::string&) {
  return to.version = true, std::string();
}

constexpr nvcc::OptionReader<RunOptions> kReaders[] = {
    {"--trace", read_trace}, {"--report", read_report}, {"--watch", read_watch},
    {"--quiet", read_quiet}, {"--help", read_help},     {"--version", read_version},
};
static_assert(nvcc::have_readers(manual::kRunOptions, kReaders));

}  // namespace

ParsedRunOptions parse(const std::vector<std::string>& arguments) {
  RunOptions options;
  nvcc::OtherWords others = nvcc::take_own(manual::kRunOptions, kReaders, arguments, options);
  options.arguments = std::move(others.arguments);
  if (others.error.empty()) others.error = complaint_about(options.files);
  if (!others.error.empty() || options.help || options.version) return {std::move(options), others.error};
  nvcc::ParsedNvccOptions program = nvcc::parse_options(others.for_nvcc);
  options.program = std::move(program.options);
  options.words = std::move(others.for_nvcc);
  // Types of what the expressions name are in debug information.
  if (!options.files.watch.empty()) options.program.host_flags.emplace_back("-g");
  return {std::move(options), manual::with_suggestion(program.error, program.unknown, "run")};
}

}  // namespace warpfiber::tools::run

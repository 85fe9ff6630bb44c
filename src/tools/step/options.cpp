// SPDX-License-Identifier: Apache-2.0
//
// What each option of the manual's table does; everything else is left to nvcc's parser.
#include "tools/step/options.hpp"

#include <utility>

#include "base/text.hpp"
#include "tools/manual/manual.hpp"
#include "tools/manual/options.hpp"
#include "tools/nvcc/own_options.hpp"

namespace warpfiber::tools::step {
namespace {

constexpr std::uint64_t kLeastWidth = 60;
constexpr std::uint64_t kMostWidth = 1000;

std::string read_script(StepOptions& to, const std::string& value) {
  return to.script = value, std::string();
}

std::string read_width(StepOptions& to, const std::string& value) {
  const auto number = base::parse_number(value);
  if (!number.has_value() || *number < kLeastWidth || *number > kMostWidth) return "needs a number from 60 to 1000";
  return to.width = value, std::string();
}

std::string read_watch(StepOptions& to, const std::string& value) {
  return to.watches.push_back(value), std::string();
}

std::string read_help(StepOptions& to, const std::string&) {
  return to.help = true, std::string();
}

std::string read_version(StepOptions& to, const std::string&) {
  return to.version = true, std::string();
}

constexpr nvcc::OptionReader<StepOptions> kReaders[] = {
    {"--script", read_script}, {"--width", read_width},     {"--watch", read_watch},
    {"--help", read_help},     {"--version", read_version},
};
static_assert(nvcc::have_readers(manual::kStepOptions, kReaders));

}  // namespace

ParsedStepOptions parse(const std::vector<std::string>& arguments) {
  StepOptions options;
  nvcc::OtherWords others = nvcc::take_own(manual::kStepOptions, kReaders, arguments, options);
  options.arguments = std::move(others.arguments);
  if (!others.error.empty() || options.help || options.version) return {std::move(options), others.error};
  nvcc::ParsedNvccOptions program = nvcc::parse_options(others.for_nvcc);
  options.program = std::move(program.options);
  options.program.device_debug = options.program.check = options.program.statements = true;
  program.error = manual::with_suggestion(program.error, program.unknown, "step");
  if (program.ok() && options.program.inputs.empty()) program.error = "nothing to step through: name CUDA files";
  return {std::move(options), program.error};
}

}  // namespace warpfiber::tools::step

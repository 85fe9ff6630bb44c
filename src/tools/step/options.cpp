// SPDX-License-Identifier: Apache-2.0
//
// What each option of the manual's table does.
#include "tools/step/options.hpp"

#include <cstdint>

#include "base/text.hpp"
#include "tools/manual/options.hpp"

namespace warpfiber::tools::step {
namespace {

constexpr std::uint64_t kLeastWidth = 60;
constexpr std::uint64_t kMostWidth = 1000;

std::string read_width(StepOptions& to, const std::string& value) {
  const auto number = base::parse_number(value);
  if (!number.has_value() || *number < kLeastWidth || *number > kMostWidth) return "needs a number from 60 to 1000";
  return to.width = value, std::string();
}

std::string read_watch(StepOptions& to, const std::string& value) {
  return to.watches.push_back(value), std::string();
}

constexpr OptionReader<StepOptions> kReaders[] = {
    {"--script", read_text<&StepOptions::script>},
    {"--width", read_width},
    {"--watch", read_watch},
};
static_assert(have_readers(manual::kStepOptions, kReaders));

}  // namespace

program::ParsedOptions<StepOptions> parse(const std::vector<std::string>& arguments) {
  auto parsed = program::parse_program<StepOptions>("step", kReaders, arguments);
  if (!parsed.is_to_run()) return parsed;
  nvcc::NvccOptions& program = parsed.options.program;
  program.device_debug = program.check = program.statements = true;
  if (program.inputs.empty()) parsed.error = "nothing to step through: name CUDA files";
  return parsed;
}

}  // namespace warpfiber::tools::step

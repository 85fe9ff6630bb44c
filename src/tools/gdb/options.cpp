// SPDX-License-Identifier: Apache-2.0
//
// What each option of the manual's table does.
#include "tools/gdb/options.hpp"

#include "tools/manual/options.hpp"

namespace warpfiber::tools::gdb {
namespace {

constexpr OptionReader<GdbOptions> kReaders[] = {
    {"--commands", read_text<&GdbOptions::commands>},
};
static_assert(have_readers(manual::kGdbOptions, kReaders));

}  // namespace

program::ParsedOptions<GdbOptions> parse(const std::vector<std::string>& arguments) {
  auto parsed = program::parse_program<GdbOptions>("gdb", kReaders, arguments);
  if (!parsed.is_to_run()) return parsed;
  parsed.options.program.device_debug = true;
  if (parsed.options.program.inputs.empty()) parsed.error = "nothing to debug: name CUDA files";
  return parsed;
}

}  // namespace warpfiber::tools::gdb

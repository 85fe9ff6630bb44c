// SPDX-License-Identifier: Apache-2.0
//
// What each option of the manual's table does; everything else is left to nvcc's parser.
#include "tools/gdb/options.hpp"

#include <utility>

#include "tools/manual/manual.hpp"
#include "tools/manual/options.hpp"
#include "tools/nvcc/own_options.hpp"

namespace warpfiber::tools::gdb {
namespace {

std::string read_commands(GdbOptions& to, const std::string& value) {
  return to.commands = value, std::string();
}

std::string read_help(GdbOptions& to, const std::string&) {
  return to.help = true, std::string();
}

std::string read_version(GdbOptions& to, const std::string&) {
  return to.version = true, std::string();
}

constexpr nvcc::OptionReader<GdbOptions> kReaders[] = {
    {"--commands", read_commands},
    {"--help", read_help},
    {"--version", read_version},
};
static_assert(nvcc::have_readers(manual::kGdbOptions, kReaders));

}  // namespace

ParsedGdbOptions parse(const std::vector<std::string>& arguments) {
  GdbOptions options;
  nvcc::OtherWords others = nvcc::take_own(manual::kGdbOptions, kReaders, arguments, options);
  options.arguments = std::move(others.arguments);
  if (!others.error.empty() || options.help || options.version) return {std::move(options), others.error};
  nvcc::ParsedNvccOptions program = nvcc::parse_options(others.for_nvcc);
  options.program = std::move(program.options);
  options.program.device_debug = true;
  program.error = manual::with_suggestion(program.error, program.unknown, "gdb");
  if (program.ok() && options.program.inputs.empty()) program.error = "nothing to debug: name CUDA files";
  return {std::move(options), program.error};
}

}  // namespace warpfiber::tools::gdb

// SPDX-License-Identifier: Apache-2.0
//
// A table of options with the function that reads each. All other words go to nvcc's parser (nvcc/options.hpp).
#include "tools/crosscheck/options.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "tools/manual/manual.hpp"
#include "tools/manual/options.hpp"
#include "tools/nvcc/own_options.hpp"

namespace warpfiber::tools::crosscheck {
namespace {

constexpr std::uint64_t kMostUlp = std::uint64_t{1} << 32;

std::string read_ulp(CrosscheckOptions& to, const std::string& value) {
  const auto number = base::parse_number(value);
  if (!number || *number > kMostUlp) return "a number of units in the last place from 0 to 4294967296";
  to.ulp = *number;
  return {};
}

std::string read_keep(CrosscheckOptions& to, const std::string& value) {
  const auto number = base::parse_number(value);
  if (!number || *number == 0) return "a number of bytes";
  to.keep = *number;
  return {};
}

std::string read_as(CrosscheckOptions& to, const std::string& value) {
  constexpr std::string_view kTypes[] = {"float", "double", "half", "bfloat16", "int"};
  if (std::ranges::find(kTypes, value) == std::end(kTypes)) return "one of float, double, half, bfloat16 and int";
  to.as = value == "int" ? "int32" : value;
  return {};
}

constexpr nvcc::OptionReader<CrosscheckOptions> kReaders[] = {
    {"--record", [](CrosscheckOptions& to, const std::string& value) { return to.record = value, std::string(); }},
    {"--replay", [](CrosscheckOptions& to, const std::string& value) { return to.replay = value, std::string(); }},
    {"--build-only",
     [](CrosscheckOptions& to, const std::string& value) { return to.build_only = value, std::string(); }},
    {"--nvcc", [](CrosscheckOptions& to, const std::string& value) { return to.compiler = value, std::string(); }},
    {"--ulp", read_ulp},
    {"--keep", read_keep},
    {"--as", read_as},
    {"--any-order", [](CrosscheckOptions& to, const std::string&) { return to.any_order = true, std::string(); }},
    {"--help", [](CrosscheckOptions& to, const std::string&) { return to.help = true, std::string(); }},
    {"--version", [](CrosscheckOptions& to, const std::string&) { return to.version = true, std::string(); }},
};
static_assert(nvcc::have_readers(manual::kCrosscheckOptions, kReaders));

/// What the options say against each other, or nothing.
std::string contradiction(const CrosscheckOptions& options) {
  const int folders = !options.record.empty() + !options.replay.empty() + !options.build_only.empty();
  if (folders > 1) return "use only one of --record, --replay and --build-only";
  if (options.is_gallery() && !options.words.empty()) return "there is no CUDA file, only options of nvcc";
  if (options.is_gallery() && !options.build_only.empty()) {
    return "--build-only needs a program; the gallery for a GPU is built by cmake --preset crosscheck";
  }
  if (!options.program.output.empty()) return "-o is not supported; --build-only DIR keeps the GPU's program";
  if (!options.is_gallery() && options.program.inputs.empty()) {
    return "'" + options.program.linking.front() + "' is not a source file: both sides are built, so pass CUDA files";
  }
  return {};
}

}  // namespace

ParsedCrosscheckOptions parse(const std::vector<std::string>& arguments) {
  ParsedCrosscheckOptions parsed;
  CrosscheckOptions& options = parsed.options;
  nvcc::OtherWords others = nvcc::take_own(manual::kCrosscheckOptions, kReaders, arguments, options);
  options.words = std::move(others.for_nvcc);
  options.arguments = std::move(others.arguments);
  parsed.error = std::move(others.error);
  if (!parsed.error.empty() || options.help || options.version) return parsed;
  nvcc::ParsedNvccOptions program = nvcc::parse_options(options.words);
  options.program = std::move(program.options);
  parsed.error = program.error.empty() ? contradiction(options)
                                       : manual::with_suggestion(program.error, program.unknown, "crosscheck");
  return parsed;
}

}  // namespace warpfiber::tools::crosscheck

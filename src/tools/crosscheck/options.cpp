// SPDX-License-Identifier: Apache-2.0
//
// What each option of the manual's table does.
#include "tools/crosscheck/crosscheck.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string_view>

#include "base/text.hpp"
#include "tools/manual/options.hpp"

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

constexpr OptionReader<CrosscheckOptions> kReaders[] = {
    {"--replay", read_text<&CrosscheckOptions::replay>},
    {"--nvcc", read_text<&CrosscheckOptions::compiler>},
    {"--ulp", read_ulp},
    {"--as", read_as},
    {"--any-order", read_flag<&CrosscheckOptions::any_order>},
};
static_assert(have_readers(manual::kCrosscheckOptions, kReaders));

constexpr OptionReader<CrosscheckOptions> kRecordReaders[] = {
    {"--to", read_text<&CrosscheckOptions::record>},
    {"--keep", read_keep},
    {"--build-only", read_text<&CrosscheckOptions::build_only>},
    {"--nvcc", read_text<&CrosscheckOptions::compiler>},
};
static_assert(have_readers(manual::kRecordOptions, kRecordReaders));

/// What the options say against each other, or nothing.
std::string contradiction(const CrosscheckOptions& options) {
  if (!options.record.empty() && !options.build_only.empty()) return "use only one of --to and --build-only";
  if (options.is_gallery() && !options.words.empty()) return "there is no CUDA file, only options of nvcc";
  if (options.is_gallery() && !options.build_only.empty()) {
    return "--build-only needs a program; the gallery for a GPU is built by cmake --preset crosscheck";
  }
  if (!options.program.output.empty())
    return "-o is not supported; warpfiber-dev record --build-only DIR keeps the GPU's program";
  if (!options.is_gallery() && options.program.inputs.empty()) {
    return "'" + options.program.linking.front() + "' is not a source file: both sides are built, so pass CUDA files";
  }
  return {};
}

}  // namespace

program::ParsedOptions<CrosscheckOptions> parse(const std::vector<std::string>& arguments) {
  auto parsed = program::parse_program<CrosscheckOptions>("crosscheck", kReaders, arguments);
  if (parsed.is_to_run()) parsed.error = contradiction(parsed.options);
  return parsed;
}

program::ParsedOptions<CrosscheckOptions> parse_recording(const std::vector<std::string>& arguments) {
  auto parsed = program::parse_program<CrosscheckOptions>("record", kRecordReaders, arguments);
  parsed.options.command = manual::full_name("record");
  if (!parsed.is_to_run()) return parsed;
  const bool has_folder = !parsed.options.record.empty() || !parsed.options.build_only.empty();
  parsed.error = has_folder ? contradiction(parsed.options) : "--to DIR is missing: where the recording is written";
  return parsed;
}

int complain(const CrosscheckOptions& options, int status, const std::string& text) {
  std::fprintf(stderr, "%s: %s\n", options.command.c_str(), base::without_controls(text).c_str());
  return status;
}

}  // namespace warpfiber::tools::crosscheck

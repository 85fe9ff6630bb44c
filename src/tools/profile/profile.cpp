// SPDX-License-Identifier: Apache-2.0
// Each process of the program leaves a file. What they have counted is one profile.
#include "tools/profile/profile.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>

#include "tools/manual/options.hpp"
#include "tools/nvcc/driver.hpp"
#include "tools/nvcc/processes/ending.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/processes/scratch.hpp"
#include "tools/nvcc/toolchain.hpp"
#include "tools/options/output.hpp"
#include "tools/profile/table.hpp"

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

namespace {

constexpr int kFailed = 2;
constexpr int kNothingCounted = 3;

void say(const std::string& text) {
  tools::say("profile", text);
}

int complain(const std::string& text) {
  say(text);
  return kFailed;
}

/// The files that processes have left in the folder, those that are whole.
ProfileDocument merged(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  ProfileDocument document;
  for (const std::filesystem::path& path : files) {
    std::ifstream file(path, std::ios::binary);
    ProfileDocument one = ProfileDocument::parse(file, nullptr, false);
    if (one.is_discarded()) continue;
    if (document.is_null()) {
      document = std::move(one);
    } else {
      for (ProfileDocument& kernel : one["kernels"]) document["kernels"].push_back(std::move(kernel));
    }
  }
  return document;
}

int conclude(const ProfileDocument& document, const ProfileOptions& options, int status) {
  if (document.is_null() || document["kernels"].empty()) {
    say("nothing was counted: no kernel ran to its end before the program ended");
    return status != 0 ? status : kNothingCounted;
  }
  print(to_table(document, std::filesystem::current_path().string()));
  if (options.source) print(to_source(document));
  const bool written = write_file("profile", options.json,
                                  document.dump(2, ' ', false, ProfileDocument::error_handler_t::replace) + '\n') &&
                       write_file("profile", options.csv, to_csv(document)) && are_written("profile", options.files);
  return written ? status : kFailed;
}

}  // namespace

int profile(const std::vector<std::string>& arguments) {
  const auto parsed = parse(arguments);
  if (const auto answered = program::answer_without_program("profile", parsed)) return *answered;
  const ProfileOptions& options = parsed.options;
  const nvcc::ScratchFolder scratch;
  if (scratch.path().empty()) return complain(scratch.error());
  std::vector<std::string> command(1);
  const int built = nvcc::build_program(options.program, scratch.path(), "profile", command.front());
  if (built != 0 || options.program.dry_run) return built;
  command.insert(command.end(), options.arguments.begin(), options.arguments.end());
  const std::string folder = scratch.path() + "/profiles";
  std::filesystem::create_directory(folder);
  std::vector<std::string> variables = variables_of(options.files);
  variables.push_back("WARPFIBER_PROFILE=" + folder + "/%p.json");
  if (!options.check) variables.emplace_back("WARPFIBER_CHECK=0");
  variables.push_back("WARPFIBER_COMMAND=" + nvcc::own_command() + " profile " + nvcc::quoted(arguments));
  const int status = nvcc::run(command, {.variables = std::move(variables), .is_program = true});
  if (nvcc::stopped_by() != 0) return status;
  return conclude(merged(folder), options, status);
}

}  // namespace warpfiber::tools::profile

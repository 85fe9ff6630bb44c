// SPDX-License-Identifier: Apache-2.0
//
// Chooses between building, recording and comparing by the options, and prints the result. Both sides are
// in sides.hpp.
#include "tools/crosscheck/crosscheck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/environment.hpp"
#include "base/text.hpp"
#include "tools/crosscheck/explain.hpp"
#include "tools/crosscheck/recording.hpp"
#include "tools/crosscheck/sides.hpp"
#include "tools/crosscheck/sources.hpp"
#include "tools/nvcc/driver.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/processes/scratch.hpp"
#include "tools/options/output.hpp"

namespace warpfiber::tools::crosscheck {
namespace {

namespace fs = std::filesystem;

int status_of(BuildError error) {
  return error == BuildError::unavailable ? kUnavailable : kFailed;
}

/// One program, from its options to what is said about it.
class ProgramComparison {
 public:
  ProgramComparison(const CrosscheckOptions& options, const nvcc::Toolchain& toolchain, const std::string& scratch)
      : options_(options), toolchain_(toolchain), scratch_(scratch), sources_(read_sources(options.program)) {}

  int build_only() {
    const std::string program = folder_made(options_.build_only) + "/" + program_name(options_);
    const Built built = build_for_gpu(options_, sources_, toolchain_, scratch_, program);
    if (!built.ok()) return complain(options_, status_of(built.error), built.why);
    std::printf("%s is built; on a machine with a GPU, WARPFIBER_RECORD=DIR %s leaves DIR/%s\n", program.c_str(),
                program.c_str(), own_recording().c_str());
    return kEqual;
  }

  int record() {
    const Built made = run_here(folder_made(options_.record));
    if (!made.ok()) return complain(options_, status_of(made.error), made.why);
    const auto recording = read_recording(made.path);
    if (!recording.ok()) return complain(options_, kFailed, recording.error());
    if (!compress_file(made.path)) return complain(options_, kFailed, "cannot write " + made.path);
    std::printf("%s: recorded on %s: exit code %d, %s\n", made.path.c_str(), origin_of(recording.value()).c_str(),
                recording.value().exit_code, base::counted(recording.value().copies.size(), "buffer").c_str());
    return kEqual;
  }

  int compare_both() {
    const Built made = options_.replay.empty() ? run_here(scratch_) : recorded();
    if (!made.ok()) return complain(options_, status_of(made.error), made.why);
    auto recording = read_recording(made.path);
    if (!recording.ok()) return complain(options_, kFailed, recording.error());
    const std::string stranger = mismatch(recording.value());
    if (!stranger.empty()) return complain(options_, kFailed, made.path + ": " + stranger);
    std::string program;
    nvcc::NvccOptions typed = options_.program;
    typed.typed_copies = true;
    if (nvcc::build_program(typed, scratch_, "crosscheck", program) != 0) return kFailed;
    const auto simulated = run_on_simulator(program, options_.arguments, scratch_);
    if (!simulated.ok()) return complain(options_, kFailed, simulated.error());
    const GpuRecording& gpu = recording.value();
    return report(compare(simulated.value(), {gpu.exit_code, gpu.output, gpu.copies}, sources_,
                          {options_.ulp, options_.any_order, options_.as}),
                  gpu);
  }

 private:
  static std::string folder_made(const std::string& folder) {
    std::error_code ignored;  // what cannot be made is found when a file is written there
    fs::create_directories(folder, ignored);
    return folder;
  }

  std::string own_recording() const { return recording_name(program_name(options_), options_.arguments); }

  Built recorded() const {
    const std::string path = options_.replay + "/" + own_recording();
    return fs::exists(path)
               ? Built{path}
               : Built{{}, BuildError::failed, path + ": there is no recording of this program with these arguments"};
  }

  Built run_here(const std::string& folder) {
    const Built built = build_for_gpu(options_, sources_, toolchain_, scratch_, scratch_ + "/gpu");
    return built.ok() ? run_on_gpu(built.path, options_.arguments, folder, own_recording(), options_.keep) : built;
  }

  /// Why the recording is not of this program; empty if it is.
  std::string mismatch(const GpuRecording& recording) const {
    if (recording.source != sources_.hash) return "it was recorded with another version of the source; record again";
    if (recording.options == sources_.options) return {};
    return fmt::format("it was recorded with the macros '{}', not '{}'", recording.options, sources_.options);
  }

  int report(const Comparison& comparison, const GpuRecording& gpu) {
    const std::string name = program_name(options_);
    std::printf("%s  %s: %s\n", name.c_str(), comparison.equal ? "equal" : "DIFFERENT", summary(comparison).c_str());
    std::printf("  GPU         %s\n", origin_of(gpu).c_str());
    for (const std::string& difference : comparison.differences) std::printf("  different   %s\n", difference.c_str());
    if (comparison.copy) explain(*comparison.copy);
    return comparison.equal ? kEqual : kDifferent;
  }

  void explain(const DifferentCopy& copy) {
    std::fflush(stdout);
    const std::string writer = writer_of(copy);
    if (!writer.empty()) std::printf("  written by  %s (on the simulator)\n", writer.c_str());
    if (could_be_rounding(copy.likeness)) {
      std::printf("  may be      %s; or allow a larger difference: --ulp %llu\n",
                  reasons(sources_, options_.program.fast_math).c_str(),
                  static_cast<unsigned long long>(copy.likeness.distance));
    } else if (copy.likeness.floating) {
      std::puts("  is not      a rounding difference or another order of a sum: the values are too far apart");
    }
    std::printf(
        "  next        warpfiber check %s looks for races and uninitialised memory, which differ from run to run\n",
        options_.program.inputs.front().c_str());
  }

  /// The program once more, built with hooks.
  std::string writer_of(const DifferentCopy& copy) {
    nvcc::NvccOptions checked = options_.program;
    checked.check = true;
    std::string program;
    if (nvcc::build_program(checked, scratch_, "crosscheck", program) != 0) return {};
    return find_writer(program, options_.arguments, scratch_, copy.ours, copy.likeness.byte);
  }

  const CrosscheckOptions& options_;
  const nvcc::Toolchain& toolchain_;
  const std::string& scratch_;
  Sources sources_;
};

/// What cannot be read is said before nvcc is looked for.
std::string missing_input(const CrosscheckOptions& options) {
  for (const std::string& input : options.program.inputs) {
    if (!fs::exists(input)) return input + ": no such file";
  }
  return {};
}

}  // namespace

namespace {

using CommandLine = program::ParsedOptions<CrosscheckOptions>;

int run_command_line(std::string_view subcommand, const CommandLine& parsed,
                     const std::vector<std::string>& arguments) {
  if (const auto answered = program::answer_without_program(subcommand, parsed)) return *answered;
  const CrosscheckOptions& options = parsed.options;
  const std::string missing = missing_input(options);
  if (!missing.empty()) return complain(options, kFailed, missing);
  const nvcc::Toolchain toolchain = nvcc::find_toolchain(base::own_program());
  if (!toolchain.ok()) return complain(options, kFailed, toolchain.error);
  const nvcc::ScratchFolder scratch;
  if (scratch.path().empty()) return complain(options, kFailed, scratch.error());
  // What is found names it: the program that is built here is gone by then.
  const std::string command = nvcc::own_command() + " " + std::string(subcommand) + " " + nvcc::quoted(arguments);
  setenv("WARPFIBER_COMMAND", command.c_str(), 1);
  if (options.is_gallery()) return crosscheck_gallery(options, toolchain, scratch.path());
  ProgramComparison program(options, toolchain, scratch.path());
  if (!options.build_only.empty()) return program.build_only();
  return options.record.empty() ? program.compare_both() : program.record();
}

}  // namespace

int crosscheck(const std::vector<std::string>& arguments) {
  return run_command_line("crosscheck", parse(arguments), arguments);
}

int record(const std::vector<std::string>& arguments) {
  return run_command_line("record", parse_recording(arguments), arguments);
}

}  // namespace warpfiber::tools::crosscheck

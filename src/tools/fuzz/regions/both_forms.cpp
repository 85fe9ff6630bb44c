// SPDX-License-Identifier: Apache-2.0
//
// Standard error goes where standard output does, so that what is said about a launch stands in front of its line.
#include "tools/fuzz/regions/both_forms.hpp"

#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <string_view>

#include "tools/nvcc/processes/processes.hpp"

namespace warpfiber::tools::fuzz {
namespace {

constexpr std::string_view kKernel = "kernel_";

/// "kernel_12 ab…" or "kernel_12: cudaError…".
bool ends_kernel(std::string_view line) {
  if (!line.starts_with(kKernel)) return false;
  const std::size_t end = line.find_first_not_of("0123456789", kKernel.size());
  return end != std::string_view::npos && end > kKernel.size() && (line[end] == ' ' || line[end] == ':');
}

/// A program without the user's variables for Warpfiber, which env(1) takes away.
std::vector<std::string> without_variables() {
  constexpr std::string_view kPrefix = "WARPFIBER_";
  std::vector<std::string> command{"env"};
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (!text.starts_with(kPrefix)) continue;
    command.emplace_back("-u");
    command.emplace_back(text.substr(0, text.find('=')));
  }
  return command;
}

}  // namespace

std::vector<std::string> output_of_kernels(const std::string& output, std::string& rest) {
  std::vector<std::string> kernels;
  rest.clear();
  for (std::size_t begin = 0; begin < output.size();) {
    const std::size_t end = std::min(output.find('\n', begin), output.size());
    const std::string line = output.substr(begin, end - begin);
    rest += line + "\n";
    if (ends_kernel(line) && end < output.size()) {
      kernels.push_back(rest);
      rest.clear();
    }
    begin = end + 1;
  }
  return kernels;
}

void read_said(const std::string& said, KernelBuild& build) {
  build.is_without_regions = said.find(": without regions: ") != std::string::npos;
  constexpr std::string_view kOnFibers = " runs on fibers: ";
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(": kernel kernel_") == std::string::npos) continue;
    const std::size_t at = line.find(kOnFibers);
    if (at != std::string::npos) {
      build.refused.push_back(line.substr(at + kOnFibers.size()));
    } else if (line.find(" runs as ") != std::string::npos) {
      ++build.as_regions;
    }
  }
}

KernelBuild build_kernels(const std::string& warpfiber, const std::string& source, const std::string& program,
                          const std::string& folder) {
  const std::string said = folder + "/said.txt";
  KernelBuild build;
  build.status = nvcc::run({warpfiber, "nvcc", "-fregions=report", "-O1", "-arch=sm_90", source, "-o", program},
                           {.silent = true, .error_file = said});
  build.said = nvcc::content_of(said);
  read_said(build.said, build);
  return build;
}

KernelRun run_kernels(const std::string& program, std::uint64_t first, KernelForm form, unsigned most_seconds) {
  std::vector<std::string> command = without_variables();
  command.insert(command.end(),
                 {"WARPFIBER_WORKERS=1", form == KernelForm::fibers ? "WARPFIBER_REGIONS=off" : "WARPFIBER_REGIONS=on",
                  program, std::to_string(first)});
  KernelRun run;
  std::string output;
  run.status = nvcc::run(command, {.silent = true,
                                   .output = &output,
                                   .joins_error = true,
                                   .most_seconds = most_seconds,
                                   .out_of_time = &run.is_out_of_time});
  run.kernels = output_of_kernels(output, run.rest);
  return run;
}

}  // namespace warpfiber::tools::fuzz

// SPDX-License-Identifier: Apache-2.0
//
// Variables of a file that both objects use are local to the host compiler's; they are global as long as the linker
// joins the two (`ld -r`), and local again after that.
#include "tools/nvcc/sidecar.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/targets.hpp"
#include "tools/nvcc/compiler_flags.hpp"
#include "tools/nvcc/processes/ending.hpp"
#include "tools/nvcc/regions/compiler_names.hpp"
#include "tools/nvcc/regions/object_symbols.hpp"
#include "tools/nvcc/regions/report.hpp"
#include "tools/nvcc/regions/unit.hpp"
#include "tools/options/output.hpp"
#include "translate/translate.hpp"

namespace warpfiber::tools::nvcc {
namespace {

namespace fs = std::filesystem;

/// Whether a clang++ is of a major version of LLVM.
bool is_of_version(const std::string& clang, const std::string& major) {
  constexpr unsigned kMostSeconds = 10;
  if (program_path(clang).empty()) return false;
  std::string version;
  bool is_late = false;
  const int status = run({clang, "-dumpversion"},
                         {.silent = true, .output = &version, .most_seconds = kMostSeconds, .out_of_time = &is_late});
  if (is_late) say("nvcc", clang + " does not say its version within 10 s, and is not used");
  return status == 0 && version.starts_with(major + ".");
}

void say_without(const std::string& reason) {
  say("nvcc", "-fregions has no effect: " + reason);
}

/// The first error of a compiler, or the first line that it has said.
std::string first_error(const std::string& said) {
  std::istringstream lines(said);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (first.empty() || line.find("error:") != std::string::npos) first = line;
    if (line.find("error:") != std::string::npos) break;
  }
  return first;
}

SpawnOptions how_to_run(const RegionsStep& step) {
  SpawnOptions how{.error_file = step.said};
  if (!step.report.empty()) how.variables = {"WARPFIBER_REGIONS_REPORT=" + step.report};
  return how;
}

/// objcopy with one option for each symbol.
Command changing_symbols(const char* option, const std::vector<std::string>& symbols) {
  Command command{"objcopy"};
  for (const std::string& symbol : symbols) command.push_back(option + symbol);
  return command;
}

/// objcopy, which writes `object` anew.
Command renaming_symbols(const std::vector<std::pair<std::string, std::string>>& names, const std::string& object) {
  Command command{"objcopy"};
  for (const auto& [from, to] : names) command.push_back("--redefine-sym=" + from + "=" + to);
  command.push_back(object);
  return command;
}

}  // namespace

std::string find_region_compiler(const NvccOptions& options, const Toolchain& toolchain) {
  std::error_code ignored;
  if (!options.regions) return {};
  if (const std::string obstacle = obstacle_to_regions(options); !obstacle.empty()) return say_without(obstacle), "";
  if (!base::kIsX86) return say_without("regions are made for x86-64 only"), "";
  if (toolchain.region_plugin.empty() || !fs::exists(toolchain.region_plugin, ignored)) {
    return say_without("this installation was built without the plugin for clang++ (docs/regions.md)"), "";
  }
  const std::string& major = toolchain.region_llvm;
  const char* named = std::getenv("WARPFIBER_CLANG");
  if (named != nullptr && *named != '\0') {
    if (fs::path(named).filename().string().find("clang") != std::string::npos && is_of_version(named, major))
      return named;
    return say_without("WARPFIBER_CLANG=" + std::string(named) + " is no clang++ of version " + major), "";
  }
  // Of this name it has the version without being asked.
  const std::string versioned = "clang++-" + major;
  if (!program_path(versioned).empty()) return versioned;
  if (is_of_version("clang++", major)) return "clang++";
  return say_without("no clang++ of version " + major + " is on the path; WARPFIBER_CLANG may name one"), "";
}

void Sidecar::start(const Step& step) {
  const RegionsStep& regions = step.regions;
  if (step.translates()) is_over_ = false;
  if (regions.command.empty() || is_over_) return;
  Command command = regions.command;
  if (!step.translates()) {
    precompiled_ = headers_.find_or_make(text_.header, {.command = command,
                                                        .input = regions.translated,
                                                        .output = regions.object,
                                                        .by_clang = true,
                                                        .is_made_at_once = true,
                                                        .complains = true});
    if (!precompiled_.empty()) append(command, with_precompiled(precompiled_));
    const std::string text = (precompiled_.empty() ? text_.header : std::string()) + text_.rest;
    if (!write_content(regions.translated, text)) return give_up(regions, "cannot write " + regions.translated);
  }
  running_ = std::make_unique<ConcurrentProcess>(command, how_to_run(regions));
}

/// Once more without the precompiled header, which may be damaged.
int Sidecar::compile_whole(const RegionsStep& step) {
  std::error_code failure;
  fs::remove(std::exchange(precompiled_, {}), failure);
  if (!write_content(step.translated, text_.header + text_.rest)) return 1;
  return run(step.command, how_to_run(step));
}

void Sidecar::finish(const Step& step, const Translated& source) {
  if (step.translates() && source.kernels.empty()) {
    is_over_ = true;
    running_.reset();
  }
  if (running_ == nullptr) return;
  int status = std::exchange(running_, nullptr)->wait();
  const RegionsStep& regions = step.regions;
  if (status != 0 && !precompiled_.empty() && stopped_by() == 0) status = compile_whole(regions);
  if (status != 0) {
    if (options_.verbose) std::fputs(content_of(regions.said).c_str(), stderr);
    const std::string error = first_error(content_of(regions.said));
    give_up(regions, regions.command.front() + " cannot compile it" + (error.empty() ? "" : ": " + error));
  } else if (step.translates()) {
    translate(regions, source);
  } else {
    merge(regions);
  }
}

void Sidecar::translate(const RegionsStep& step, const Translated& source) {
  const std::string host = content_of(step.host);
  std::string device;
  if (!source.device.empty()) {
    if (run(step.device_command, {.error_file = step.said}) != 0) {
      return give_up(step, step.command.front() + " cannot preprocess it: " + first_error(content_of(step.said)));
    }
    device = content_of(step.device);
  }
  std::string difference = difference_by_compiler(content_of(source.host), host);
  if (difference.empty() && !device.empty()) difference = difference_by_compiler(content_of(source.device), device);
  if (!difference.empty()) return give_up(step, difference);
  translate::TranslateOptions how = source.how;
  how.unrolls = true;
  how.in_order = translate::TranslateOptions().in_order;
  const translate::Translation result = translate::translate(host, device, how);
  if (!result.diagnostics.empty()) return give_up(step, translate::to_text(result.diagnostics.front()));
  text_ = cut_behind_header(result.text, source.unit);
}

void Sidecar::merge(const RegionsStep& step) {
  const RegionsReport report = read_regions_report(content_of(step.report));
  if (options_.verbose || options_.regions_report) {
    for (const std::string& line : report.kernels) say("nvcc", line);
  }
  // Nothing is added to what is no file, as /dev/null.
  std::error_code failure;
  if (!report.has_made || !fs::is_regular_file(step.fibers, failure)) return;
  const NeededSymbols needed = find_needed(report.needs, read_symbols(step.object), read_symbols(step.fibers));
  if (!needed.missing.empty()) return give_up(step, "the host compiler's object has no " + needed.missing);
  const auto runs = [&](const Command& command) {
    if (options_.verbose) std::fprintf(stderr, "#$ %s\n", quoted(command).c_str());
    return run(command, {.error_file = step.said}) == 0;
  };
  Command merge = step.merge;
  bool is_merged = needed.renamed.empty() || runs(renaming_symbols(needed.renamed, step.object));
  if (!needed.local.empty()) {
    const std::string global = step.merged + ".global.o";
    Command globalise = changing_symbols("--globalize-symbol=", needed.local);
    append(globalise, {step.fibers, global});
    std::ranges::replace(merge, step.fibers, global);
    Command localise = changing_symbols("--localize-symbol=", needed.local);
    localise.push_back(step.merged);
    is_merged = is_merged && runs(globalise) && runs(merge) && runs(localise);
  } else {
    is_merged = is_merged && runs(merge);
  }
  if (!is_merged) return give_up(step, "the two objects cannot be joined: " + first_error(content_of(step.said)));
  fs::copy_file(step.merged, step.fibers, fs::copy_options::overwrite_existing, failure);
  if (failure) give_up(step, step.fibers + ": " + failure.message());
}

void Sidecar::give_up(const RegionsStep& step, const std::string& reason) {
  is_over_ = true;
  if (stopped_by() == 0) say("nvcc", step.input + ": without regions: " + reason);
}

}  // namespace warpfiber::tools::nvcc

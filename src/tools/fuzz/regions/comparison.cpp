// SPDX-License-Identifier: Apache-2.0
//
// One file after the other, so that as many of these commands as there are processors can run at a time, each in a
// temporary folder of its own. Where a program does not come to its end, the next run begins behind the kernel that was
// the last.
#include "tools/fuzz/regions/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/fuzz/regions/both_forms.hpp"
#include "tools/nvcc/processes/ending.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/processes/scratch.hpp"
#include "tools/nvcc/toolchain.hpp"
#include "tools/shards/fuzz_results.hpp"

namespace warpfiber::tools::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr int kDiffers = 1;
constexpr int kFailed = 2;
constexpr std::uint64_t kShown = 10;  // differences; the others are counted
// Labels of counts.
constexpr const char* kAsRegions = "ran as regions";
constexpr const char* kOnFibers = "on fibers only: ";

/// The first line in which two texts differ, of each.
std::pair<std::string, std::string> first_lines(const std::string& one, const std::string& other) {
  std::istringstream first(one);
  std::istringstream second(other);
  std::pair<std::string, std::string> lines;
  while (lines.first == lines.second) {
    const bool has_first = static_cast<bool>(std::getline(first, lines.first));
    const bool has_second = static_cast<bool>(std::getline(second, lines.second));
    if (!has_first) lines.first = "(nothing)";
    if (!has_second) lines.second = "(nothing)";
    if (!has_first && !has_second) break;
  }
  return lines;
}

std::string ending_of(const KernelRun& run) {
  return run.is_out_of_time ? "(does not end, and is killed)" : fmt::format("(ends with exit code {})", run.status);
}

class RegionsComparison {
 public:
  RegionsComparison(const RegionsRequest& request, const std::string& prefix, shards::StateFile* state)
      : request_(request), warpfiber_(prefix + "/bin/warpfiber"), state_(state) {
    if (state_ == nullptr || state_->known().is_null()) return;
    results_ = *shards::results_of(state_->known());
    for (const shards::FuzzDifference& difference : results_.differences) reply_.out += difference.text;
  }

  Reply run() {
    std::uint64_t done = state_ == nullptr ? 0 : state_->progress().ran;
    if (done < request_.count) {
      if (std::string complaint = obstacle(); !complaint.empty()) return refusal(complaint);
    }
    const nvcc::ScopedSignalDeferral deferral;
    const nvcc::ScratchFolder folder;
    if (folder.path().empty()) return refusal(folder.error());
    while (done < request_.count && has_compiler_ && nvcc::stopped_by() == 0) {
      const std::uint64_t count = std::min(request_.in_a_file, request_.count - done);
      compare_file(folder.path(), request_.seed + done, count);
      // What a shard could not build or run to its end is left to the next call.
      if (state_ != nullptr && (!reply_.err.empty() || nvcc::stopped_by() != 0)) break;
      done += count;
      if (!save(done)) break;
    }
    reply_.out += summary();
    reply_.status = results_.differing() != 0 ? kDiffers : reply_.err.empty() ? 0 : kFailed;
    if (nvcc::stopped_by() != 0) reply_.status = nvcc::kSignalled + nvcc::stopped_by();
    return reply_;
  }

 private:
  static Reply refusal(const std::string& complaint) {
    return {kFailed, "", "warpfiber-dev fuzz: --regions: " + complaint + "\n"};
  }

  /// Why nothing can be built; empty: it can be tried.
  std::string obstacle() {
    const nvcc::Toolchain toolchain = nvcc::find_toolchain(warpfiber_);
    if (!toolchain.ok()) return toolchain.error;
    llvm_ = toolchain.region_llvm;
    if (toolchain.region_plugin.empty()) {
      return "this installation was built without the plugin for clang++; build it where there are clang++ and LLVM's "
             "headers (apt install clang llvm-dev)";
    }
    std::error_code failure;
    if (!request_.keep.empty()) fs::create_directories(request_.keep, failure);
    return failure ? "--keep: " + request_.keep + ": " + failure.message() : "";
  }

  /// False where it cannot be kept what was compared.
  bool save(std::uint64_t done) {
    if (state_ == nullptr) return true;
    state_->end(done, done == request_.count ? shards::ShardEnd::all : shards::ShardEnd::none);
    const std::string why = state_->save(document_of(results_), done);
    if (!why.empty()) fail(why);
    return why.empty();
  }

  void compare_file(const std::string& folder, std::uint64_t seed, std::uint64_t count) {
    const std::string source = fmt::format("{}/regions_{}.cu", folder, seed);
    const std::string program = folder + "/program";
    if (!nvcc::write_content(source, kernel_program(seed, count, request_.mistakes, request_.matrices)))
      return fail(source + ": cannot be written");
    const KernelBuild build = build_kernels(warpfiber_, source, program, folder);
    if (nvcc::stopped_by() != 0) return;
    if (!build.has_both_forms(count)) return fail_to_build(build, seed, count);
    const std::uint64_t before = results_.differing();
    for (std::uint64_t first = 0; first < count && nvcc::stopped_by() == 0;)
      first += compare_runs(program, seed + first, first, count - first);
    if (nvcc::stopped_by() != 0) return;
    results_.programs += count;
    results_.count(kAsRegions, build.as_regions);
    for (const std::string& reason : build.refused) results_.count(kOnFibers + reason);
    if (results_.differing() != before && !request_.keep.empty()) keep(source);
    std::error_code ignored;
    fs::remove(source, ignored);
  }

  void fail(const std::string& complaint) { reply_.err += "warpfiber-dev fuzz: --regions: " + complaint + "\n"; }

  void fail_to_build(const KernelBuild& build, std::uint64_t seed, std::uint64_t count) {
    has_compiler_ = build.said.find("-fregions has no effect") == std::string::npos;
    std::string said = build.said;
    while (said.ends_with('\n')) said.pop_back();
    if (!has_compiler_) {
      return fail(fmt::format("kernels cannot be compiled as regions (apt install clang-{}; docs/regions.md):\n{}",
                              llvm_, said));
    }
    fail(fmt::format("seeds {} to {} cannot be built (exit code {}):\n{}", seed, seed + count - 1, build.status, said));
  }

  /// Of `count` kernels from the one on that has this seed and this index. How many of them are done then.
  std::uint64_t compare_runs(const std::string& program, std::uint64_t seed, std::uint64_t first, std::uint64_t count) {
    const KernelRun fibers = run_kernels(program, first, KernelForm::fibers, request_.most_seconds);
    const KernelRun regions = run_kernels(program, first, KernelForm::regions, request_.most_seconds);
    if (nvcc::stopped_by() != 0) return count;
    const std::uint64_t both = std::min(fibers.kernels.size(), regions.kernels.size());
    const std::uint64_t before = results_.differing();
    for (std::uint64_t i = 0; i < both; ++i) {
      if (fibers.kernels[i] != regions.kernels[i]) found(seed + i, fibers.kernels[i], regions.kernels[i]);
    }
    const std::uint64_t last = std::min(both, count - 1);
    const bool one_goes_on = fibers.kernels.size() != regions.kernels.size();
    const bool ends_differ = fibers.rest != regions.rest || ending_of(fibers) != ending_of(regions);
    // The exit code counts launches that fail, and may differ by a kernel that was named.
    if (one_goes_on || (ends_differ && results_.differing() == before)) found_end(seed + last, both, fibers, regions);
    return last + 1;
  }

  /// About the kernel in which a program ended, or behind the last one.
  void found_end(std::uint64_t seed, std::uint64_t both, const KernelRun& fibers, const KernelRun& regions) {
    const auto said = [both](const KernelRun& run) {
      return (both < run.kernels.size() ? run.kernels[both] : run.rest + ending_of(run)) + "\n";
    };
    found(seed, said(fibers), said(regions));
  }

  void found(std::uint64_t seed, const std::string& fibers, const std::string& regions) {
    if (results_.differences.size() >= kShown) return results_.unexplained.push_back(seed);
    const auto [fiber_line, region_line] = first_lines(fibers, regions);
    const std::string text = fmt::format(
        "seed {}: fibers and regions differ\n  fibers   {}\n  regions  {}\n  the kernel: warpfiber-dev fuzz "
        "--regions{} --print {}\n",
        seed, fiber_line, region_line, options_of_kinds(request_), seed);
    // Of a kernel, not of an operation.
    results_.add(shards::FuzzDifference{seed, fmt::format("seed {}", seed), text});
    reply_.out += text;
  }

  void keep(const std::string& source) {
    std::error_code failure;
    const fs::path to = fs::path(request_.keep) / fs::path(source).filename();
    fs::copy_file(source, to, fs::copy_options::overwrite_existing, failure);
    if (failure) return fail(to.string() + ": " + failure.message());
    reply_.out += "  a file with this difference: " + to.string() + "\n";
  }

  std::string summary() const {
    const std::uint64_t compared = results_.programs;
    if (compared == 0) return {};
    std::string text = fmt::format("{} kernel{} from seed {}: ", compared, compared == 1 ? "" : "s", request_.seed);
    text += results_.differing() == 0 ? "no difference between fibers and regions"
                                      : fmt::format("{} differ", results_.differing());
    const std::uint64_t as_regions = results_.counted(kAsRegions);
    text += fmt::format("\n  {} ran as regions, {} on fibers only\n", as_regions, compared - as_regions);
    std::vector<std::pair<std::string, std::uint64_t>> reasons;
    for (const auto& [label, count] : results_.counts) {
      if (label.starts_with(kOnFibers)) reasons.emplace_back(label.substr(std::string_view(kOnFibers).size()), count);
    }
    std::ranges::sort(reasons);
    std::ranges::stable_sort(reasons, [](const auto& one, const auto& other) { return one.second > other.second; });
    for (const auto& [reason, count] : reasons) text += fmt::format("    {}: {}\n", count, reason);
    if (compared != request_.count)
      text += fmt::format("  {} of {} kernels were not compared\n", request_.count - compared, request_.count);
    return text;
  }

  const RegionsRequest& request_;
  const std::string warpfiber_;
  shards::StateFile* const state_;
  std::string llvm_;
  Reply reply_;
  bool has_compiler_ = true;
  shards::FuzzResults results_;
};

}  // namespace

std::string options_of_kinds(const RegionsRequest& request) {
  return std::string(request.mistakes ? " --mistakes" : "") + (request.matrices ? " --matrices" : "");
}

Reply compare_with_regions(const RegionsRequest& request, const std::string& prefix, shards::StateFile* state) {
  return RegionsComparison(request, prefix, state).run();
}

}  // namespace warpfiber::tools::fuzz

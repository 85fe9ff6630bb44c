// SPDX-License-Identifier: Apache-2.0
//
// Asks the gallery's program for its kernels and runs each on both sides. A kernel that cannot be compared is listed
// with the reason.
#include "tools/crosscheck/crosscheck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <vector>

#include "base/text.hpp"
#include "tools/crosscheck/explain.hpp"
#include "tools/crosscheck/recording.hpp"
#include "tools/crosscheck/sides.hpp"
#include "tools/nvcc/processes/processes.hpp"

namespace warpfiber::tools::crosscheck {
namespace {

namespace fs = std::filesystem;

constexpr const char* kGallery = "gallery";  // the program's name in recordings

struct GalleryKernel {
  std::string name{};
  bool any_order = false;  // atomics decide where its results go
};

/// What the gallery prints, or those of its kernels that the user asked for.
std::vector<GalleryKernel> kernels(const CrosscheckOptions& options, const nvcc::Toolchain& toolchain,
                                   const std::string& scratch, std::string& unknown) {
  nvcc::SpawnOptions spawn_options;
  spawn_options.output_file = scratch + "/kernels";
  nvcc::run({toolchain.gallery}, spawn_options);
  std::istringstream lines(nvcc::content_of(spawn_options.output_file));
  std::vector<GalleryKernel> all;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t blank = std::min(line.find(' '), line.size());
    all.push_back({line.substr(0, blank), line.substr(blank) == " any-order"});
  }
  if (options.arguments.empty()) return all;
  std::vector<GalleryKernel> chosen;
  for (const std::string& name : options.arguments) {
    const auto kernel = std::ranges::find(all, name, &GalleryKernel::name);
    if (kernel == all.end()) unknown = name;
    if (kernel != all.end()) chosen.push_back(*kernel);
  }
  return chosen;
}

class GalleryTable {
 public:
  GalleryTable(const CrosscheckOptions& options, const nvcc::Toolchain& toolchain, const std::string& scratch)
      : options_(options), toolchain_(toolchain), scratch_(scratch), gpu_(gpu_side()), on_gpu_(gpu_.ok()) {
    recordings_ = options.replay.empty() ? toolchain.recordings : options.replay;
  }

  int compare_all(const std::vector<GalleryKernel>& all) {
    if (gpu_.error == BuildError::failed) return complain(options_, kFailed, gpu_gallery() + ": " + gpu_.why);
    if (!on_gpu_ && options_.replay.empty()) {
      std::printf("no GPU, or no gallery built for one (cmake --preset crosscheck): compared with recordings in %s\n\n",
                  recordings_.c_str());
    }
    std::printf("%-36s %-58s %s\n", "kernel", "compared", "result");
    for (const GalleryKernel& kernel : all) add(kernel);
    std::printf("\n%s, %s equal, %s different, %s not compared", base::counted(all.size(), "kernel").c_str(),
                base::thousands(equal_).c_str(), base::thousands(different_).c_str(),
                base::thousands(all.size() - equal_ - different_).c_str());
    std::printf("%s%s\n", origin_.empty() ? "" : "; GPU: ", origin_.c_str());
    if (!left_out_.empty()) complain(options_, kFailed, "not compared, which counts as a failure: " + left_out_);
    return different_ != 0 ? kDifferent : failed_ ? kFailed : left_out_.empty() ? kEqual : kUnavailable;
  }

  int record_all(const std::vector<GalleryKernel>& all) {
    if (gpu_.error == BuildError::failed) return complain(options_, kFailed, gpu_gallery() + ": " + gpu_.why);
    if (!on_gpu_)
      return complain(options_, kUnavailable, "no GPU here, or no gallery built for one (cmake --preset crosscheck)");
    std::error_code ignored;  // what cannot be made is found when a file is written there
    fs::create_directories(options_.record, ignored);
    for (const auto& [name, any_order] : all) {
      const Built made = run_on_gpu(gpu_gallery(), {name}, options_.record, recording_name(kGallery, {name}),
                                    any_order ? 0 : options_.keep);
      if (!made.ok()) return complain(options_, kFailed, name + ": " + made.why);
      if (!compress_file(made.path)) return complain(options_, kFailed, "cannot write " + made.path);
      std::printf("%s  %s\n", name.c_str(), made.path.c_str());
    }
    return kEqual;
  }

 private:
  std::string gpu_gallery() const { return toolchain_.gallery + "_gpu"; }

  /// Whether there is one. A gallery that is there and cannot be run is no missing GPU.
  Built gpu_side() const {
    if (!options_.replay.empty() || !fs::exists(gpu_gallery())) return {{}, BuildError::unavailable, {}};
    return run_on_gpu(gpu_gallery(), {}, scratch_, recording_name(kGallery, {}));
  }

  /// From a file of several, or from a folder with one file for each kernel.
  base::Result<GpuRecording> recorded(const std::string& name) const {
    if (fs::is_regular_file(recordings_)) return read_recording_of(recordings_, kGallery, {name});
    const std::string path = recordings_ + "/" + recording_name(kGallery, {name});
    return fs::exists(path) ? read_recording(path) : base::Failure{"no recording " + path};
  }

  void line(const std::string& name, const std::string& compared, const std::string& result) {
    std::printf("%-36s %-58s %s\n", name.c_str(), compared.c_str(), result.c_str());
    std::fflush(stdout);
  }

  void leave_out(const std::string& name, BuildError error, const std::string& why) {
    failed_ |= error == BuildError::failed;
    left_out_ += (left_out_.empty() ? "" : ", ") + name;
    line(name, "nothing", why);
  }

  void add(const GalleryKernel& kernel) {
    const std::string& name = kernel.name;
    const Built made =
        on_gpu_ ? run_on_gpu(gpu_gallery(), {name}, scratch_, recording_name(kGallery, {name})) : Built{};
    if (!made.ok()) return leave_out(name, made.error, made.why);
    const auto recording = on_gpu_ ? read_recording(made.path) : recorded(name);
    if (!recording.ok()) return leave_out(name, BuildError::failed, recording.error());
    const auto simulated = run_on_simulator(toolchain_.gallery, {name}, scratch_);
    if (!simulated.ok()) return leave_out(name, BuildError::failed, simulated.error());
    const GpuRecording& gpu = recording.value();
    origin_ = origin_of(gpu);
    const Comparison comparison = compare(simulated.value(), {gpu.exit_code, gpu.output, gpu.copies}, Sources{},
                                          {options_.ulp, options_.any_order || kernel.any_order, options_.as});
    ++(comparison.equal ? equal_ : different_);
    line(name, summary(comparison), comparison.equal ? "equal" : "DIFFERENT");
    for (const std::string& difference : comparison.differences) std::printf("    %s\n", difference.c_str());
  }

  const CrosscheckOptions& options_;
  const nvcc::Toolchain& toolchain_;
  const std::string& scratch_;
  Built gpu_;
  bool on_gpu_;
  std::string recordings_;  // where there is no GPU
  std::string origin_;
  std::size_t equal_ = 0;
  std::size_t different_ = 0;
  bool failed_ = false;
  std::string left_out_;  // kernels that were not compared
};

}  // namespace

int crosscheck_gallery(const CrosscheckOptions& options, const nvcc::Toolchain& toolchain, const std::string& scratch) {
  if (!fs::exists(toolchain.gallery)) {
    return complain(options, kFailed, toolchain.gallery + " is missing: Warpfiber was built without its gallery");
  }
  constexpr int kUnlessSet = 0;
  setenv("WARPFIBER_GALLERY_DATA", toolchain.gallery_data.c_str(), kUnlessSet);  // both sides read it
  std::string unknown;
  const std::vector<GalleryKernel> names = kernels(options, toolchain, scratch, unknown);
  if (!unknown.empty()) return complain(options, kFailed, "there is no kernel '" + unknown + "' in the gallery");
  if (names.empty()) return complain(options, kFailed, toolchain.gallery + " names no kernels");
  GalleryTable table(options, toolchain, scratch);
  return options.record.empty() ? table.compare_all(names) : table.record_all(names);
}

}  // namespace warpfiber::tools::crosscheck

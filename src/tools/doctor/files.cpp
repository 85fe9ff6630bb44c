// SPDX-License-Identifier: Apache-2.0
// Looks for a file or two of each part of the installation, and for each library that a build names.
#include <algorithm>
#include <filesystem>
#include <iterator>

#include "tools/doctor/trials.hpp"

namespace warpfiber::tools::doctor {
namespace {

namespace fs = std::filesystem;

constexpr char kInstallAgain[] = "install Warpfiber again";

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

class FileLook {
 public:
  explicit FileLook(const Workplace& at) : prefix_(at.prefix) {}

  /// `place`: of all of them, for the report.
  void look(const std::string& name, bool required, const std::string& place, const std::vector<std::string>& files) {
    std::vector<std::string> lost;
    std::error_code ignored;
    for (const std::string& file : files) {
      if (!fs::exists(file, ignored)) lost.push_back(below_prefix(file));
    }
    if (lost.empty()) {
      checks_.push_back({name, State::works, required, place});
    } else {
      checks_.push_back({name, State::missing, required, "there is no " + joined(lost), {}, kInstallAgain});
    }
  }

  /// A part that no build, run or check needs; without a file this installation was made without it.
  void look_if_made(const std::string& name, const std::string& file, const std::string& without) {
    if (file.empty()) return checks_.push_back({name, State::absent, false, without});
    look(name, false, below_prefix(file), {file});
  }

  std::string below_prefix(const std::string& file) const {
    const std::string relative = fs::path(file).lexically_relative(prefix_).string();
    return relative.empty() || relative.starts_with("..") ? file : relative;
  }

  /// Those among the words for a linker, as places in the report.
  std::string places(const std::vector<std::string>& files) const {
    std::vector<std::string> shown;
    for (const std::string& file : files) shown.push_back(below_prefix(file));
    return joined(shown);
  }

  std::vector<Examination> take() { return std::move(checks_); }

 private:
  const std::string prefix_;
  std::vector<Examination> checks_;
};

/// The libraries that are linked into programs, and into those that check themselves.
std::vector<std::string> libraries_of(const nvcc::Toolchain& toolchain) {
  std::vector<std::string> files;
  for (const std::vector<std::string>* words :
       {&toolchain.linking_shared, &toolchain.linking_program, &toolchain.linking_static, &toolchain.checking_library,
        &toolchain.checking})
    std::ranges::copy_if(*words, std::back_inserter(files), [](const std::string& word) { return word[0] == '/'; });
  return files;
}

}  // namespace

std::vector<Examination> look_at_files(const Workplace& at) {
  const nvcc::Toolchain& of = at.toolchain;
  if (!of.ok()) return {{"installation", State::fails, true, of.error, {}, kInstallAgain}};
  FileLook files(at);
  const std::vector<std::string> libraries = libraries_of(of);
  files.look("headers", true, files.below_prefix(of.headers),
             {of.headers + "/warpfiber/warpfiber.hpp", of.toolkit + "/include/cuda_runtime.h"});
  files.look("libraries", true, files.places(libraries), libraries);
  files.look("toolkit folder", true, files.below_prefix(of.toolkit), {of.toolkit + "/bin/nvcc", of.toolkit + "/lib64"});
  files.look("assembler", true, files.below_prefix(of.assembler), {of.assembler + "/as"});
  files.look_if_made("plugin of clang++", of.region_plugin, "without it -fregions has no effect");
  files.look_if_made("commands for gdb", of.debugger, "");
  files.look_if_made("documentation", of.pages, "");
  return files.take();
}

}  // namespace warpfiber::tools::doctor

// SPDX-License-Identifier: Apache-2.0
//
// Parses the file as JSON. The command finds it below the folder that it lies in itself, whatever the installation's
// prefix is.
#include "tools/nvcc/toolchain.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "base/environment.hpp"
#include "tools/nvcc/processes/processes.hpp"

namespace warpfiber::tools::nvcc {
namespace {

constexpr const char* kFile = "warpfiber/toolchain.json";

/// In the file, paths that begin with "@" are relative to the folder that the file is in.
std::string resolved(const std::string& word, const std::filesystem::path& folder) {
  const std::size_t at = word.find('@');
  if (at == std::string::npos) return word;
  return word.substr(0, at) + (folder / word.substr(at + 1)).lexically_normal().string();
}

std::vector<std::string> words(const nlohmann::json& list, const std::filesystem::path& folder) {
  std::vector<std::string> found;
  for (const auto& word : list) found.push_back(resolved(word.get<std::string>(), folder));
  return found;
}

}  // namespace

Toolchain find_toolchain(const std::string& program) {
  const std::filesystem::path prefix = std::filesystem::path(program).parent_path().parent_path();
  Toolchain found;
  for (const char* libraries : {WARPFIBER_LIBDIR, "lib", "lib64"}) {
    const std::filesystem::path path = prefix / libraries / kFile;
    std::ifstream file(path);
    if (const int error = errno; !file) {
      if (error == ENOENT || error == ENOTDIR) continue;
      found.error = path.string() + ": " + std::strerror(error);  // no right to read it, too many files are open
      return found;
    }
    const nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
    if (!json.is_object()) {
      found.error = path.string() + " is damaged; install Warpfiber again";
      return found;
    }
    const std::filesystem::path folder = path.parent_path();
    found.preprocessing = words(json.at("preprocessing"), folder);
    found.compiling = words(json.at("compiling"), folder);
    found.checking = words(json.at("checking"), folder);
    found.checking_library = words(json.at("checking_library"), folder);
    found.checking_object = resolved(json.at("checking_object"), folder);
    found.checking_object_of_library = resolved(json.at("checking_object_of_library"), folder);
    found.compiling_by_gcc = words(json.at("compiling_by_gcc"), folder);
    found.linking_shared = words(json.at("linking_shared"), folder);
    found.linking_program = words(json.at("linking_program"), folder);
    found.linking_static = words(json.at("linking_static"), folder);
    found.has_cuda_libraries = json.at("libraries");
    found.headers = resolved(json.at("headers"), folder);
    found.recorder = resolved(json.at("recorder"), folder);
    found.gallery = resolved(json.at("gallery"), folder);
    found.gallery_data = resolved(json.at("gallery_data"), folder);
    found.recordings = resolved(json.at("recordings"), folder);
    found.pages = resolved(json.at("pages"), folder);
    found.assembler = resolved(json.at("assembler"), folder);
    found.debugger = resolved(json.at("debugger"), folder);
    found.toolkit = resolved(json.at("toolkit"), folder);
    found.opengl = resolved(json.at("opengl"), folder);
    found.runtime = resolved(json.at("runtime"), folder);
    found.cache = resolved(json.at("cache"), folder);
    found.region_plugin = resolved(json.at("region_plugin"), folder);
    found.region_llvm = json.at("region_llvm");
    return found;
  }
  found.error =
      "no " + std::string(kFile) + " below " + prefix.string() + "; the installation is incomplete or was moved";
  return found;
}

std::string own_command() {
  const std::filesystem::path own = base::own_program();
  const std::string name = own.filename() == "warpfiber-dev" ? "warpfiber-dev" : "warpfiber";
  if (own.filename() != name) return name;  // a test, or a link of another name
  const std::string found = program_path(name);
  std::error_code none;
  if (!found.empty() && std::filesystem::equivalent(found, own, none)) return name;
  return base::shell_quoted(own.string());
}

std::string compiler_of_environment() {
  constexpr std::string_view kCaches[] = {"ccache", "sccache", "distcc"};
  const char* named = std::getenv("CXX");
  std::istringstream words(named != nullptr ? named : "");
  const auto file_of = [](const std::string& path) { return std::filesystem::path(path).filename().string(); };
  std::string compiler;
  words >> compiler;
  if (std::ranges::find(kCaches, file_of(compiler)) != std::end(kCaches)) words >> compiler;
  std::string option;
  words >> option;
  // clang++ has a g++ in it.
  return option.empty() && file_of(compiler).find("g++") != std::string::npos ? compiler : std::string();
}

}  // namespace warpfiber::tools::nvcc

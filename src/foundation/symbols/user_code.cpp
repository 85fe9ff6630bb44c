// SPDX-License-Identifier: Apache-2.0
// The library's own sources and headers, those of compilers and of the C library are no user's.
#include "symbols/user_code.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

namespace warpfiber::symbols {
namespace {

/// The header that every installation of this library has next to those of CUDA's names.
constexpr std::string_view kOwnHeader = "/include/warpfiber/detail/site.hpp";

bool is_system_header(const std::string& file) {
  return (file.starts_with("/usr/include/") && !is_cuda_library(file)) || file.starts_with("/usr/lib/");
}

/// The C library, whose debug information may be installed, and names no folder of its own.
bool is_system_library(std::string_view module) {
  constexpr std::array<std::string_view, 6> kNames{"libc.so",      "libm.so",     "libpthread.so",
                                                   "libstdc++.so", "libgcc_s.so", "ld-linux"};
  const std::string_view name = module.substr(module.rfind('/') + 1);
  return std::ranges::any_of(kNames, [name](std::string_view one) { return name.starts_with(one); });
}

/// The folder of the library's own sources, as debug information names it.
std::string_view own_sources() {
  constexpr std::string_view kThis = __FILE__;
  return kThis.substr(0, kThis.rfind("foundation/symbols/"));
}

}  // namespace

/// Libraries of CUDA code, whose kernels are checked like the user's: without them a report of one would name no line.
/// They are a distribution's, a toolkit's or a checkout of CCCL.
bool is_cuda_library(std::string_view file) {
  constexpr std::array<std::string_view, 10> kFolders{
      "/include/thrust/", "/include/cub/", "/cccl/thrust/", "/cccl/cub/", "/cccl/cuda/",
      "/thrust/thrust/",  "/cub/cub/",     "/cuda/std/__",  "/cuda/__",   "/libcudacxx/include/"};
  return std::ranges::any_of(kFolders, [file](std::string_view folder) { return file.find(folder) != file.npos; });
}

/// Whether the folder above "/include/" is an installation or a build tree of this library. A user may have folders of
/// these names, too.
bool UserCode::is_ours(const std::string& prefix) {
  const auto [entry, fresh] = ours_.try_emplace(prefix);
  std::error_code ignored;  // what cannot be looked at is the user's
  if (fresh) entry->second = std::filesystem::exists(prefix + std::string(kOwnHeader), ignored);
  return entry->second;
}

bool UserCode::is_own_header(const std::string& file, const std::string& started_in) {
  constexpr std::array<std::string_view, 3> kFolders{"/include/warpfiber/", "/include/warpfiber-cuda/",
                                                     "/include/cuda/"};
  // clang names files below the folder that it was started in without that folder.
  const std::string whole = (std::filesystem::path(started_in) / file).string();
  return std::ranges::any_of(kFolders, [&](std::string_view folder) {
    const std::size_t at = whole.rfind(folder);
    return at != std::string::npos && is_ours(whole.substr(0, at));
  });
}

bool UserCode::has(const std::string& file, const std::string& folder, std::string_view module) {
  // AddressSanitizer's, in front of a function of the C library; a program that is built with it contains them.
  if (file.find("sanitizer_common") != std::string::npos) return false;
  return !file.starts_with(own_sources()) && !is_system_header(file) && !is_system_library(module) &&
         !is_own_header(file, folder);
}

std::string file_from_here(const std::string& file, const std::string& folder) {
  std::error_code unknown;
  if (file.empty() || folder.empty() || file.front() == '/' || std::filesystem::exists(file, unknown)) return file;
  const std::filesystem::path there = (std::filesystem::path(folder) / file).lexically_normal();
  return std::filesystem::exists(there, unknown) ? there.string() : file;
}

record::Place user_place(std::span<const Frame> frames) {
  const auto own = [](const Frame& frame) { return frame.users && !is_cuda_library(frame.place.file); };
  auto found = std::ranges::find_if(frames, own);
  if (found == frames.end()) found = std::ranges::find_if(frames, &Frame::users);
  if (found == frames.end()) return {};
  record::Place place = found->place;
  place.function = found->function;
  place.column = found->column;
  return place;
}

}  // namespace warpfiber::symbols

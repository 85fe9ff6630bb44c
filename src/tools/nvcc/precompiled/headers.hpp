// SPDX-License-Identifier: Apache-2.0
//
// The header that every CUDA file begins with, precompiled, so that it is parsed once and not for each file. A
// precompiled header is of preprocessed text: macros and header folders are in it already, and only files whose text
// begins with exactly the same share it.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace warpfiber::tools::nvcc {

/// The folder for precompiled headers: WARPFIBER_CACHE, or `of_build`, or warpfiber in XDG_CACHE_HOME or in ~/.cache.
/// Empty where WARPFIBER_CACHE is "off", or there is no home.
std::string cache_folder(const std::string& of_build);

/// The compilation of preprocessed text that begins with a header.
struct HeaderCompilation {
  std::vector<std::string> command;
  std::string input{};  // the words of the command for its files
  std::string output{};
  bool by_clang = false;
  bool is_made_at_once = false;  // else when it is asked for a second time; once made, a header has to be used thrice
  bool complains = false;        // of a folder that cannot be trusted
};

/// Precompiled headers in a folder. Other processes may use the folder at the same time. At most kMost are kept, of
/// 5 MB (clang++) or 27 MB (g++): those that were used last. Where the folder cannot be used there are none.
class PrecompiledHeaders {
 public:
  static constexpr std::size_t kMost = 16;
  static constexpr std::size_t kMostOfBuild = 64;  // tests compile with many sets of options

  explicit PrecompiledHeaders(std::string folder, std::size_t most = kMost) : folder_(std::move(folder)), most_(most) {}

  /// The file that stands for `header`, made if there is none; empty if there is to be none, or can be none. None can
  /// be of a header of which the compiler has something to say.
  std::string find_or_make(const std::string& header, const HeaderCompilation& compilation) const;

 private:
  std::string make(const std::string& stem, const HeaderCompilation& compilation) const;
  void remove_oldest() const;

  std::string folder_;
  std::size_t most_;
};

/// The options by which clang++ goes on behind a precompiled header.
std::vector<std::string> with_precompiled(const std::string& precompiled);

}  // namespace warpfiber::tools::nvcc

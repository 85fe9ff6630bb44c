// SPDX-License-Identifier: Apache-2.0
//
// The header that every CUDA file begins with, precompiled for clang++ of -fregions, so that it is parsed once and not
// for each file. A precompiled header is of preprocessed text: macros and header folders are in it already, and only
// files whose text begins with exactly the same share it.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace warpfiber::tools::nvcc {

/// The translated text of a file in two parts, which are compiled one behind the other.
struct CutText {
  std::string header;  // up to the end of the first file that is included by the command line
  std::string rest;
};

/// Cuts translated text of clang++ -E behind the header, and defines kUnitName as `unit` at the beginning of the rest;
/// the header has a declaration. Where there is no such header, it has nothing else.
CutText cut_behind_header(const std::string& translated, const std::string& unit);

/// The folder for precompiled headers: WARPFIBER_CACHE, or warpfiber in XDG_CACHE_HOME or in ~/.cache. Empty where
/// WARPFIBER_CACHE is "off", or there is no home.
std::string cache_folder();

/// Precompiled headers in a folder. Other processes may use the folder at the same time. At most kMost are kept, of
/// some 6 MB each: those that were used last.
class PrecompiledHeaders {
 public:
  static constexpr std::size_t kMost = 16;

  explicit PrecompiledHeaders(std::string folder) : folder_(std::move(folder)) {}

  /// The file that stands for `header` where `compile` is the command, made if there is none; empty if there can be
  /// none. `input` and `output` are the words of the command for its files.
  std::string find_or_make(const std::string& header, const std::vector<std::string>& compile, const std::string& input,
                           const std::string& output) const;

 private:
  bool make(const std::string& text, const std::string& stem, std::vector<std::string> compile,
            const std::string& input, const std::string& output) const;
  void remove_oldest() const;

  std::string folder_;
};

/// The options by which clang++ goes on behind a precompiled header.
std::vector<std::string> behind(const std::string& precompiled);

}  // namespace warpfiber::tools::nvcc

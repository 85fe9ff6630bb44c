// SPDX-License-Identifier: Apache-2.0
//
// Where translated text is cut, so that the header that every CUDA file begins with is compiled once. Pure.
#pragma once

#include <string>

namespace warpfiber::tools::nvcc {

/// The translated text of a file in two parts, which are compiled one behind the other.
struct CutText {
  std::string header;
  std::string rest;
};

/// Cuts translated text of clang++ -E behind the first file that is included by the command line, and defines
/// kUnitName as `unit` at the beginning of the rest; the header has a declaration. Where there is no such file, it has
/// nothing else.
CutText cut_behind_header(const std::string& translated, const std::string& unit);

/// Translated text around cuda_runtime.h, which the command line includes; empty where it does not.
struct CutRuntime {
  std::string first_line;  // names the file that is compiled, and is of no header
  std::string header;      // from there to where cuda_runtime.h ends
  std::string including;   // the last line of it: which of the command line's files goes on
  std::string rest;        // what is behind it
};
CutRuntime cut_behind_runtime(const std::string& translated);

}  // namespace warpfiber::tools::nvcc

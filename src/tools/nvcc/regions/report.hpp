// SPDX-License-Identifier: Apache-2.0
//
// What the plugin for clang++ (src/regions) writes about a compilation, and what of the host compiler's object its own
// object refers to. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpfiber::tools::nvcc {

struct RegionsReport {
  bool has_made = false;             // regions for at least one kernel
  std::vector<std::string> kernels;  // a line for the user about each
  std::vector<std::string> needs;    // symbols of the host compiler's object
};

/// Reads the lines `made FILE:LINE KERNEL N regions`, `refused FILE:LINE KERNEL: REASON` and `needs SYMBOL`.
RegionsReport read_regions_report(std::string_view text);

/// Which of the symbols are local to an object, and which it has not, or more than once.
struct NeededSymbols {
  std::vector<std::string> local;
  std::string missing;  // the first of them; empty: none
};

/// `listing` is what `nm --defined-only --format=posix` says of the object.
NeededSymbols find_needed(const std::vector<std::string>& needs, std::string_view listing);

}  // namespace warpfiber::tools::nvcc

// SPDX-License-Identifier: Apache-2.0
//
// What the plugin for clang++ (src/compiler/regions) writes about a compilation, and what of the host compiler's object
// its own object refers to. Pure.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/nvcc/regions/object_symbols.hpp"

namespace warpfiber::tools::nvcc {

struct RegionsReport {
  bool has_made = false;             // regions for at least one kernel
  std::vector<std::string> kernels;  // a line for the user about each
  std::vector<std::string> needs;    // symbols of the host compiler's object
};

/// Reads the lines `made FILE:LINE KERNEL REGIONS BYTES`, `refused FILE:LINE KERNEL: REASON` and `needs SYMBOL`.
RegionsReport read_regions_report(std::string_view text);

/// What the second object refers to in the host compiler's.
struct NeededSymbols {
  std::vector<std::string> local;                            // is not visible to it yet
  std::vector<std::pair<std::string, std::string>> renamed;  // its names for what the first object calls otherwise
  std::string missing;  // the first that is not there, or is there more than once; empty: none
};

/// `needs` is from the report. What the second object calls by a name of C may be a library's, all else has to be known
/// to the first one.
NeededSymbols find_needed(const std::vector<std::string>& needs, const std::vector<ObjectSymbol>& second,
                          const std::vector<ObjectSymbol>& first);

}  // namespace warpfiber::tools::nvcc

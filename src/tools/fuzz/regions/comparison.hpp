// SPDX-License-Identifier: Apache-2.0
//
// `warpfiber-dev fuzz --regions`: random kernels as fibers and as loops over the threads of a block (docs/regions.md).
#pragma once

#include <cstdint>
#include <string>

#include "tools/options/reply.hpp"

namespace warpfiber::tools::fuzz {

struct RegionsRequest {
  std::uint64_t seed = 1;
  std::uint64_t count = 100;
  std::uint64_t in_a_file = 40;
  bool mistakes = false;        // threads may wait for each other for ever
  std::string keep;             // a folder for files in which something differs; empty: none
  unsigned most_seconds = 120;  // of a run, which is then killed
};

/// Builds and runs the kernels both ways and says which differ. `prefix`: the folder that the command is installed in.
/// Status: 1 if a kernel differs; else 2 if something could not be built; else 0; 128 + a signal that ended it.
Reply compare_with_regions(const RegionsRequest& request, const std::string& prefix);

}  // namespace warpfiber::tools::fuzz

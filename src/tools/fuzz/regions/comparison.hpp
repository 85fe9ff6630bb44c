// SPDX-License-Identifier: Apache-2.0
// `warpfiber-dev fuzz --regions`: random kernels as fibers and as loops over the threads of a block (docs/regions.md).
#pragma once

#include <cstdint>
#include <string>

#include "tools/options/output.hpp"
#include "tools/shards/state_file.hpp"

namespace warpfiber::tools::fuzz {

struct RegionsRequest {
  std::uint64_t seed = 1;
  std::uint64_t count = 100;
  std::uint64_t in_a_file = 40;
  bool mistakes = false;        // threads may wait for each other for ever
  bool matrices = false;        // warps multiply matrices
  std::string keep;             // a folder for files in which something differs; empty: none
  unsigned most_seconds = 120;  // of a run, which is then killed
};

/// The options of the command that name the kinds of kernels, each behind a blank.
std::string options_of_kinds(const RegionsRequest& request);

/// Builds and runs the kernels both ways and says which differ. `prefix`: the folder that the command is installed in.
/// Status: 1 if a kernel differs; else 2 if something could not be built; else 0; 128 + a signal that ended it.
/// `state` keeps what was compared, and where to go on; null: nothing is kept.
Reply compare_with_regions(const RegionsRequest& request, const std::string& prefix,
                           shards::StateFile* state = nullptr);

/// A .cu file with the kernels of `count` seeds from `seed` on, each "kernel_SEED". The program runs them one after the
/// other, from the one whose index is its first argument, and prints a line that begins with the name, and then a blank
/// or, where the launch failed, a colon. `mistakes`: threads may wait for each other for ever.
/// `matrices`: warps have operations on matrices.
std::string kernel_program(std::uint64_t seed, std::uint64_t count, bool mistakes, bool matrices = false);

}  // namespace warpfiber::tools::fuzz

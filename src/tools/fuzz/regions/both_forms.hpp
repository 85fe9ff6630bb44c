// SPDX-License-Identifier: Apache-2.0
//
// A program of random kernels, built by the drop-in for nvcc with both forms of each kernel, and run with fibers or
// with regions. Child processes do both.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpfiber::tools::fuzz {

/// How the drop-in has built a program.
struct KernelBuild {
  int status = 0;                    // of the drop-in
  std::string said;                  // what it has said
  std::uint64_t as_regions = 0;      // kernels
  std::vector<std::string> refused;  // for each other kernel why it is none: "it calls printf"
  bool is_without_regions = false;   // they could not be compiled, or not be joined to the program
  bool has_both_forms(std::uint64_t kernels) const {
    return status == 0 && !is_without_regions && as_regions + refused.size() == kernels;
  }
};

/// Builds `source` as `program`; `folder` is for what the drop-in says. `warpfiber`: the command.
KernelBuild build_kernels(const std::string& warpfiber, const std::string& source, const std::string& program,
                          const std::string& folder);

/// What a program did.
struct KernelRun {
  int status = 0;                    // its exit code; 128 + the signal that ended it
  bool is_out_of_time = false;       // and was killed
  std::vector<std::string> kernels;  // what it printed about each
  std::string rest;                  // what it printed after that
};

enum class KernelForm { fibers, regions };

/// Runs the kernels from the one with this index on, with one worker and without the user's variables, so that what is
/// printed is the same each time. It is killed after `most_seconds`.
KernelRun run_kernels(const std::string& program, std::uint64_t first, KernelForm form, unsigned most_seconds);

/// Cuts what a program of kernel_program() prints behind the line of each kernel; the rest is what follows the last
/// one.
std::vector<std::string> output_of_kernels(const std::string& output, std::string& rest);

/// What became of each kernel, from what the drop-in says with -fregions=report.
void read_said(const std::string& said, KernelBuild& build);

}  // namespace warpfiber::tools::fuzz

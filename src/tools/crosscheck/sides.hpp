// SPDX-License-Identifier: Apache-2.0
// The two sides of a comparison. The simulator's runs a program in a child process with what it copies back kept in a
// file. The GPU's finds nvcc, builds a program with the recorder linked in (share/crosscheck), and runs it. What cannot
// be had here, a toolkit or a GPU, is distinguished from what went wrong.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "tools/crosscheck/crosscheck.hpp"
#include "tools/crosscheck/explain.hpp"
#include "tools/crosscheck/sources.hpp"
#include "tools/nvcc/toolchain.hpp"

namespace warpfiber::tools::crosscheck {

/// Runs the program with files in `scratch`. Its standard error is this process's.
base::Result<RunResult> run_on_simulator(const std::string& program, const std::vector<std::string>& arguments,
                                         const std::string& scratch);

/// Runs a program with access hooks silently once more: who wrote a byte of a copy, or of managed memory, last, in
/// words; empty if the run does not say.
std::string find_writer(const std::string& program, const std::vector<std::string>& arguments,
                        const std::string& scratch, const Copy& copy, std::uint64_t byte);

enum class BuildError {
  none,
  unavailable,  // no nvcc, or no GPU: nothing was compared
  failed,       // it could not be built or run
};

/// A path, or why there is none.
struct Built {
  std::string path{};
  BuildError error = BuildError::none;
  std::string why{};
  bool ok() const { return error == BuildError::none; }
};

/// nvcc: the one that the options name, else on PATH, in CUDA_PATH, CUDA_HOME or /usr/local/cuda.
Built find_nvcc(const CrosscheckOptions& options);

/// "saxpy", for src/saxpy.cu.
std::string program_name(const CrosscheckOptions& options);

/// Builds the program for a GPU as `program`, with files in `scratch` on the way. nvcc prints its own errors.
Built build_for_gpu(const CrosscheckOptions& options, const Sources& sources, const nvcc::Toolchain& toolchain,
                    const std::string& scratch, const std::string& program);

/// Runs a program that build_for_gpu made, which leaves a recording called `name` in `folder`: its path. `keep`: bytes
/// of a buffer that are stored; 0: all.
Built run_on_gpu(const std::string& program, const std::vector<std::string>& arguments, const std::string& folder,
                 const std::string& name, std::uint64_t keep = 0);

}  // namespace warpfiber::tools::crosscheck

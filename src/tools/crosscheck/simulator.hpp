// SPDX-License-Identifier: Apache-2.0
//
// The simulator's side: runs a program in a child process with what it copies back kept in a file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "tools/crosscheck/explain.hpp"

namespace warpfiber::tools::crosscheck {

/// Runs the program with files in `scratch`. Its standard error is this process's.
base::Result<RunResult> run_on_simulator(const std::string& program, const std::vector<std::string>& arguments,
                                         const std::string& scratch);

/// Runs a program with access hooks silently once more: who wrote a byte of a copy, or of managed memory, last, in
/// words; empty if the run does not say.
std::string find_writer(const std::string& program, const std::vector<std::string>& arguments,
                        const std::string& scratch, const Copy& copy, std::uint64_t byte);

}  // namespace warpfiber::tools::crosscheck

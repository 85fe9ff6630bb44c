// SPDX-License-Identifier: Apache-2.0
// What is done with random programs: they are drawn, printed as CUDA source, and made small.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "tools/fuzz/program/program.hpp"

namespace warpfiber::tools::fuzz {

/// The program of a seed. It is valid. It depends on its seed and on nothing else, not even on the platform.
FuzzProgram generate(std::uint64_t seed);

/// A program as CUDA source: what a reader wants to see of a difference that was found, and a test of its own. It is a
/// self-contained .cu file that runs the program, prints its digest, and fails if it is not `expected`. `remarks` are
/// lines for its head, each without the slashes.
std::string printed(const FuzzProgram& program, std::uint64_t expected, const std::string& remarks);

/// What the node `index` of the program does, in a line; "none" where it has no such node.
std::string line_of(const FuzzProgram& program, unsigned index);

/// Whether a program, which is valid, shows what is looked for.
using Shows = std::function<bool(const FuzzProgram&)>;

/// A valid program that shows what `program` shows, with fewer nodes, threads and operands: none of the simplifications
/// that are known leaves one that does, or `most_trials` were tried.
FuzzProgram shrunk(const FuzzProgram& program, const Shows& shows, unsigned most_trials);

}  // namespace warpfiber::tools::fuzz

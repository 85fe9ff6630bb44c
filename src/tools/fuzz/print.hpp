// SPDX-License-Identifier: Apache-2.0
//
// A program as CUDA source: what a reader wants to see of a difference that was found, and a test of its own.
#pragma once

#include <cstdint>
#include <string>

#include "tools/fuzz/program/program.hpp"

namespace warpfiber::tools::fuzz {

/// A self-contained .cu file that runs the program, prints its digest, and fails if it is not `expected`. `remarks` are
/// lines for its head, each without the slashes.
std::string printed(const FuzzProgram& program, std::uint64_t expected, const std::string& remarks);

/// What the node `index` of the program does, in a line; "none" where it has no such node.
std::string line_of(const FuzzProgram& program, unsigned index);

}  // namespace warpfiber::tools::fuzz

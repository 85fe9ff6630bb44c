// SPDX-License-Identifier: Apache-2.0
//
// Makes a program that shows a difference small, so that a reader sees what matters.
#pragma once

#include <functional>

#include "tools/fuzz/program/program.hpp"

namespace warpfiber::tools::fuzz {

/// Whether a program, which is valid, shows what is looked for.
using Shows = std::function<bool(const FuzzProgram&)>;

/// A valid program that shows what `program` shows, with fewer nodes, threads and operands: none of the simplifications
/// that are known leaves one that does, or `most_trials` were tried.
FuzzProgram shrunk(const FuzzProgram& program, const Shows& shows, unsigned most_trials);

}  // namespace warpfiber::tools::fuzz

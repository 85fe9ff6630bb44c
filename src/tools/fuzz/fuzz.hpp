// SPDX-License-Identifier: Apache-2.0
//
// `warpfiber fuzz`: draws programs, runs each on the simulator under two schedules, compares, and explains the first
// difference of a program that has one. docs/fuzzing.md says what is drawn and why.
#pragma once

#include <string>
#include <vector>

#include "tools/command.hpp"

namespace warpfiber::tools::fuzz {

/// `warpfiber fuzz [options]`, without that word. `prefix`: the folder that the command is installed in, with its
/// recordings. Status: 1 if a difference was found; else 2 if something could not be run; else 0.
Reply fuzz(const std::vector<std::string>& arguments, const std::string& prefix);

}  // namespace warpfiber::tools::fuzz

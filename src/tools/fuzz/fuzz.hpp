// SPDX-License-Identifier: Apache-2.0
//
// `warpfiber-dev fuzz`: draws programs, runs each on the simulator under two schedules and by a sequential model,
// compares, and explains the first difference of a program that has one. With --regions it compares fibers with
// regions. docs/fuzzing.md says what is drawn and why.
#pragma once

#include <string>
#include <vector>

#include "tools/fuzz/program/run.hpp"
#include "tools/options/output.hpp"

namespace warpfiber::tools::fuzz {

/// `warpfiber-dev fuzz [options]`, without that word. `prefix`: the folder that the command is installed in, with its
/// recordings. Status: 1 if a difference was found; else 2 if something could not be run; else 0. `fault` is a mistake
/// of the simulator's that a build for tests makes.
Reply fuzz(const std::vector<std::string>& arguments, const std::string& prefix,
           InjectedFault fault = InjectedFault::none);

}  // namespace warpfiber::tools::fuzz

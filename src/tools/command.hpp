// SPDX-License-Identifier: Apache-2.0
// The command line of `warpfiber` as a function from arguments to text, so that it is tested without a process.
#pragma once

#include <string>
#include <vector>

#include "tools/options/output.hpp"

namespace warpfiber::tools {

/// Runs `warpfiber` with these arguments, the program's name left out.
Reply command(const std::vector<std::string>& arguments);

// What the smallest subcommands answer: one file each.

/// `warpfiber devices [<name or file>]`: the device models, or with a name the numbers of that one.
Reply devices(const std::string& name_or_file);

/// `warpfiber occupancy` with the words behind it, `--block <threads> ...`: how many blocks an SM holds, and which
/// limit stops the next.
Reply occupancy(const std::vector<std::string>& words);

}  // namespace warpfiber::tools

// SPDX-License-Identifier: Apache-2.0
//
// The command line of `warpfiber` as a function from arguments to text, so that it is tested without a process.
// Status: 0 done, 1 the answer is an error, 2 wrong usage.
#pragma once

#include <string>
#include <vector>

namespace warpfiber::tools {

/// What a run of the command prints and returns to the shell.
struct Reply {
  int status = 0;
  std::string out;
  std::string err;
};

/// Runs `warpfiber` with these arguments, the program's name left out.
Reply command(const std::vector<std::string>& arguments);

}  // namespace warpfiber::tools

// SPDX-License-Identifier: Apache-2.0
//
// The answer of a subcommand that is a function from words to text. Status: 0 done, 1 the answer is an error, 2 wrong
// usage.
#pragma once

#include <string>

namespace warpfiber::tools {

/// What a run of the command prints and returns to the shell.
struct Reply {
  int status = 0;
  std::string out;
  std::string err;
};

}  // namespace warpfiber::tools

// SPDX-License-Identifier: Apache-2.0
//
// The command line of `warpfiber` as a function from arguments to text, so that it is tested without a process.
#pragma once

#include <string>
#include <vector>

#include "tools/options/reply.hpp"

namespace warpfiber::tools {

/// Runs `warpfiber` with these arguments, the program's name left out.
Reply command(const std::vector<std::string>& arguments);

}  // namespace warpfiber::tools

// SPDX-License-Identifier: Apache-2.0
//
// What the smallest subcommands of `warpfiber` answer, as plain functions: one file each.
#pragma once

#include <string>
#include <vector>

#include "tools/options/reply.hpp"

namespace warpfiber::tools {

/// `warpfiber devices [<name or file>]`: the device models, or with a name the numbers of that one.
Reply devices(const std::string& name_or_file);

/// `warpfiber occupancy` with the words behind it, `--block <threads> ...`: how many blocks an SM holds, and which
/// limit stops the next.
Reply occupancy(const std::vector<std::string>& words);

}  // namespace warpfiber::tools

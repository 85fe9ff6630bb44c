// SPDX-License-Identifier: Apache-2.0
//
// What each subcommand of `warpfiber` answers, as a plain function: one file each. command.cpp, which alone includes
// the parser (it takes seconds to compile), gives them their arguments.
#pragma once

#include <cstddef>
#include <string>
#include <warpfiber/occupancy.hpp>

#include "tools/options/reply.hpp"

namespace warpfiber::tools {

/// `warpfiber devices [<name or file>]`: the device models, or with a name the numbers of that one.
Reply devices(const std::string& name_or_file);

struct OccupancyRequest {
  std::string device;  // name or file; empty for the default
  KernelAttributes kernel;
  unsigned block = 0;              // threads
  std::size_t dynamic_shared = 0;  // bytes
};

/// `warpfiber occupancy --block <threads> ...`: how many blocks an SM holds, and which limit stops the next.
Reply occupancy(const OccupancyRequest& request);

}  // namespace warpfiber::tools

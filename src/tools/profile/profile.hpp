// SPDX-License-Identifier: Apache-2.0
//
// `warpfiber profile`: builds CUDA files with access hooks, runs the program, and prints exact counters of its kernels
// (docs/counters.md).
#pragma once

#include <string>
#include <vector>

namespace warpfiber::tools::profile {

/// `warpfiber profile [OPTION...] [nvcc's options] FILE.cu... [-- ARGUMENT...]`. The exit status: the program's; 1
/// where it could not be built, 2 for wrong usage or a file that cannot be written, 3 where nothing was counted.
int profile(const std::vector<std::string>& arguments);

}  // namespace warpfiber::tools::profile

// SPDX-License-Identifier: Apache-2.0
//
// `warpfiber gdb`: builds CUDA files with -G and starts gdb with the program and Warpfiber's commands
// (docs/debugging.md).
#pragma once

#include <string>
#include <vector>

namespace warpfiber::tools::gdb {

/// `warpfiber gdb [OPTION...] [nvcc's options] FILE.cu... [-- ARGUMENT...]`. The exit status: gdb's; 1 where the
/// program could not be built, 2 for wrong usage or where there is no gdb.
int gdb(const std::vector<std::string>& arguments);

}  // namespace warpfiber::tools::gdb

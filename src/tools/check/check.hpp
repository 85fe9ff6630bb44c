// SPDX-License-Identifier: Apache-2.0
//
// `warpfiber check`: builds with access hooks, runs in child processes, and reports what they found. The child prints
// the reports of the first run itself, as any program does; this command adds what further runs find, a summary and
// files.
#pragma once

#include <string>
#include <vector>

namespace warpfiber::tools::check {

/// `warpfiber check [options] <nvcc's arguments or a program> [-- <arguments of the program>]`. Exit status: 1 if an
/// error was found; else 2 if the program failed, could not be built or the command line makes no sense; else 0.
int check(const std::vector<std::string>& arguments);

}  // namespace warpfiber::tools::check

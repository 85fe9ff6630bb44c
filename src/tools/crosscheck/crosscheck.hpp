// SPDX-License-Identifier: Apache-2.0
//
// `warpfiber crosscheck`: the same program on the simulator and on a GPU, or against a recording of one
// (docs/crosscheck.md).
#pragma once

#include <string>
#include <vector>

namespace warpfiber::tools::crosscheck {

/// How the command ends.
enum Status : int {
  kEqual = 0,
  kDifferent = 1,
  kFailed = 2,       // wrong usage, a build that failed, a recording that cannot be read
  kUnavailable = 3,  // no nvcc or no GPU: nothing was compared
};

/// `warpfiber crosscheck [options] [<nvcc's arguments> [-- <arguments of the program>]]`.
int crosscheck(const std::vector<std::string>& arguments);

/// `warpfiber-dev record --to DIR [options] [<nvcc's arguments> [-- <arguments of the program>]]`.
int record(const std::vector<std::string>& arguments);

}  // namespace warpfiber::tools::crosscheck

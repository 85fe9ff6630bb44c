// SPDX-License-Identifier: Apache-2.0
// The calls that lead to the two accesses of a race, and where they part.
#pragma once

#include <vector>

#include "record/finding.hpp"

namespace warpfiber::report {

/// Two lines of one function, and the calls that lead to both.
struct LinesOfFunction {
  record::Place one{};
  record::Place other{};
  std::vector<record::Place> callers{};  // outermost first
};

/// The first lines at which the ways to the first two parties differ, which are in one function; else where they end.
/// Lines of libraries of CUDA code are left out, where the program's own lead to them.
LinesOfFunction lines_in_one_function(const record::Finding& finding);

}  // namespace warpfiber::report

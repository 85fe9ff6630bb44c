// SPDX-License-Identifier: Apache-2.0
//
// The shortest way to have a failure again: in launches of as few blocks and threads as show it; in order, without any
// schedule, if that fails as well; else with the few switches between threads that it needs, in a file that is kept.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tools/check/documents/merged.hpp"
#include "tools/check/options.hpp"

namespace warpfiber::tools::check {

/// Runs the program with these options, with a seed or without, and with further variables ("NAME=value"), and gives
/// the document that it has written.
using RunSilently = std::function<Json(const CheckOptions& options, const std::uint64_t* seed,
                                       const std::vector<std::string>& variables)>;

/// Finds it for the first launch of `merged` that hangs, else for its first error, and writes it into the finding. What
/// else fails in order as well gets a command without a schedule. A sentence that says what the shortest schedule is.
std::string shorten(Merged& merged, const CheckOptions& options, const std::string& scratch, const RunSilently& run);

}  // namespace warpfiber::tools::check

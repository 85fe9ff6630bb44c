// SPDX-License-Identifier: Apache-2.0
//
// The shortest way to have a failure again: in launches of as few blocks and threads as show it; in order, without any
// schedule, if that fails as well; else with the few switches between threads that it needs, in a file that is kept.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tools/check/merged.hpp"
#include "tools/check/options.hpp"

namespace warpfiber::tools::check {

/// Runs the program with these options, with a seed or without, and with further variables ("NAME=value"), and gives
/// the document that it has written.
using RunSilently = std::function<Json(const CheckOptions& options, const std::uint64_t* seed,
                                       const std::vector<std::string>& variables)>;

/// Finds it for the first error of `merged`, which the schedule of `seed` has shown, and writes it into the finding. A
/// sentence that says what it is.
std::string shorten(Merged& merged, const CheckOptions& options, std::uint64_t seed, const std::string& scratch,
                    const RunSilently& run);

}  // namespace warpfiber::tools::check

// SPDX-License-Identifier: Apache-2.0
//
// The calls that led a party to its place, as lines below it, innermost first. Part of the text report.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "record/finding.hpp"
#include "report/names.hpp"

namespace warpfiber::report {

inline constexpr std::size_t kMostCalls = 4;  // of a stack, where there is room

/// "called at tile.cu:31 in load", at most `most` of a stack and how many more there are; where members of the party
/// came by other calls, "some called at …" and "others called at …".
std::vector<std::string> call_lines(const record::Finding& finding, const record::Party& party, const Names& names,
                                    std::size_t most);

}  // namespace warpfiber::report

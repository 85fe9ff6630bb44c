// SPDX-License-Identifier: Apache-2.0
//
// The parties of a finding as aligned rows: how many do what, where, the source line there, who. Part of the text
// report.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "record/finding.hpp"
#include "report/names.hpp"
#include "report/source_text.hpp"
#include "report/text.hpp"

namespace warpfiber::report {

/// "wait", "waits", "not started": what the party does, in the number of its members.
std::string_view verb_text(const record::Party& party);

/// The lines of each party, indented and aligned with one another: a row, and notes below it for memory, for what is
/// too wide, and for at most so many calls of a stack.
std::vector<std::vector<std::string>> party_lines(const record::Finding& finding, const Names& names,
                                                  SourceText& sources, const TextStyle& style, std::size_t calls);

}  // namespace warpfiber::report

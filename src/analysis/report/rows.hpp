// SPDX-License-Identifier: Apache-2.0
// The parties of a finding as aligned rows: how many do what, where, the source line there, who; of accesses to memory
// what was done with which value, by exactly which thread; below them the calls that led there. Part of the text
// report.
#pragma once

#include <cstddef>
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

/// Whether a finding is about accesses to an object, so that its parties are sides.
bool is_about_accesses(const record::Finding& finding);

/// The lines of each side, indented and aligned with one another.
std::vector<std::vector<std::string>> access_lines(const record::Finding& finding, const Names& names,
                                                   SourceText& sources, const TextStyle& style);

inline constexpr std::size_t kMostCalls = 4;  // of a stack, where there is room

/// "called at tile.cu:31 in load", at most `most` of a stack and how many more there are; where members of the party
/// came by other calls, "some called at …" and "others called at …".
std::vector<std::string> call_lines(const record::Finding& finding, const record::Party& party, const Names& names,
                                    std::size_t most);

}  // namespace warpfiber::report

// SPDX-License-Identifier: Apache-2.0
//
// The sides of a finding about accesses to memory, as aligned rows: what was done with which value, by exactly which
// thread, where, the source line there; below it the calls that led there. Part of the text report.
#pragma once

#include <string>
#include <vector>

#include "record/finding.hpp"
#include "report/names.hpp"
#include "report/source_text.hpp"
#include "report/text.hpp"

namespace warpfiber::report {

/// Whether a finding is about accesses to an object, so that its parties are sides.
bool is_about_accesses(const record::Finding& finding);

/// The lines of each side, indented and aligned with one another.
std::vector<std::vector<std::string>> access_lines(const record::Finding& finding, const Names& names,
                                                   SourceText& sources, const TextStyle& style);

}  // namespace warpfiber::report

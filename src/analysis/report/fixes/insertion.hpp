// SPDX-License-Identifier: Apache-2.0
// Where a statement can be added to the source so that threads execute it between two lines.
#pragma once

#include <optional>
#include <string>

#include "record/finding.hpp"
#include "report/source_text.hpp"

namespace warpfiber::report {

/// Adds `text` after the statement at line `after` and before the one at line `before` of `file`. Nothing where one of
/// the two shares its lines with the statement next to it, so that no line can stand between.
std::optional<record::Insertion> insertion_between(SourceText& sources, const std::string& file, unsigned after,
                                                   unsigned before, const std::string& text);

/// The same after the statement at line `after`, which is the last of a loop's or a function's that has to come first.
std::optional<record::Insertion> insertion_after(SourceText& sources, const std::string& file, unsigned after,
                                                 const std::string& text);

}  // namespace warpfiber::report

// SPDX-License-Identifier: Apache-2.0
// Which array of a source line an index is for, by the column that the compiler says.
#pragma once

#include <string>
#include <string_view>

#include "record/finding.hpp"
#include "report/source_text.hpp"

namespace warpfiber::report {

/// "mine.position" of "mine.position[i] += 1". `column`, from 1, is that of the bracket behind the index (g++) or that
/// where the expression begins (clang++), in which several arrays may have an index: then the one with `dimensions`, if
/// that is no other one. Empty where that is not known.
std::string indexed_array(std::string_view line, unsigned column, std::size_t dimensions);

/// Sets the name of the array where the finding is about an index outside of one. Called once places have lines, and
/// before explain().
void name_array(record::Finding& finding, SourceText& sources);

}  // namespace warpfiber::report

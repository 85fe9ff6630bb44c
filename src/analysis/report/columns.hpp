// SPDX-License-Identifier: Apache-2.0
//
// Text in terminal columns: widths, cutting, wrapping. One code point counts as one column, which holds for everything
// a report prints besides quoted source. Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpfiber::report {

/// How many columns UTF-8 text takes.
std::size_t columns(std::string_view text);

/// The text, or as much of it as fits `width` columns together with a final "…".
std::string cut(std::string_view text, std::size_t width);

/// The text with spaces up to `width` columns.
std::string padded(std::string_view text, std::size_t width);

/// Breaks at spaces so that every line fits `width` columns; a longer word gets a line of its own.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

}  // namespace warpfiber::report

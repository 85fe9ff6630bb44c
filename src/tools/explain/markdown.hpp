// SPDX-License-Identifier: Apache-2.0
//
// Pages of docs as plain text for a terminal: the Markdown that they use (headings, paragraphs, lists, tables, fenced
// code, code spans, emphasis, links) and nothing else. Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/paint.hpp"

namespace warpfiber::tools::explain {

/// The page in lines of at most `width` columns; code, and words that are longer, keep their length.
std::string plain_text(std::string_view markdown, std::size_t width, const report::Paint& paint);

/// One line without markup: "`x` of [a page](page.md)" is "x of a page". An address of the web stays, in brackets.
std::string without_markup(std::string_view text);

/// The files that the page links to, as they are written, each once.
std::vector<std::string> linked_files(std::string_view markdown);

}  // namespace warpfiber::tools::explain

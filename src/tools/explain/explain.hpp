// SPDX-License-Identifier: Apache-2.0
// `warpfiber explain`: the pages of docs, by the id of a finding or by their names, as plain text for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/paint.hpp"
#include "tools/options/output.hpp"

namespace warpfiber::tools::explain {

/// How a page is shown.
struct View {
  std::size_t width = 80;  // columns
  report::Paint paint{false};
};

/// The view that fits standard output: a terminal's width up to 100 columns, and colours where they are wanted.
View view_of_output();

/// The names of the pages in this folder, without those of findings, in order.
std::vector<std::string> pages_in(const std::string& docs);

/// The ids of all findings.
std::vector<std::string> finding_ids();

/// The page of an id or name, or with an empty word what there is. `docs`: the folder of pages, which toolchain.json
/// names. Status 1: there is no such page, or no such folder.
Reply explain(const std::string& word, const std::string& docs, const View& view);

// Plain text is made of the Markdown that they use (headings, paragraphs, lists, tables, fenced
// code, code spans, emphasis, links) and of nothing else. Pure functions.

/// The page in lines of at most `width` columns; code, and words that are longer, keep their length.
std::string plain_text(std::string_view markdown, std::size_t width, const report::Paint& paint);

/// One line without markup: "`x` of [a page](page.md)" is "x of a page". An address of the web stays, in brackets.
std::string without_markup(std::string_view text);

/// The files that the page links to, as they are written, each once.
std::vector<std::string> linked_files(std::string_view markdown);

}  // namespace warpfiber::tools::explain

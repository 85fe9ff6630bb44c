// SPDX-License-Identifier: Apache-2.0
//
// `warpfiber explain`: the pages of docs, by the id of a finding or by their names.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/paint.hpp"
#include "tools/options/reply.hpp"

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

}  // namespace warpfiber::tools::explain

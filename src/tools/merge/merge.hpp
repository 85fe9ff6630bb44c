// SPDX-License-Identifier: Apache-2.0
//
// `warpfiber merge`: what the shards of a search have found, as if one process had run all seeds, and what is missing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/check/reporting.hpp"
#include "tools/options/output.hpp"

namespace warpfiber::tools::merge {

struct MergeOptions : check::ReportOptions {
  std::vector<std::string> files{};
};

struct ParsedMergeOptions {
  MergeOptions options{};
  std::optional<Reply> reply{};  // the help, or what is wrong: nothing is to be merged
};

/// Reads the arguments, without the word merge.
ParsedMergeOptions parse(const std::vector<std::string>& arguments);

/// `warpfiber merge [options] <files>`, without that word. Exit status: as `warpfiber check` has it; 2 where files do
/// not belong together, 3 where shards are missing or were interrupted and no error was found.
int merge(const std::vector<std::string>& arguments);

}  // namespace warpfiber::tools::merge

// SPDX-License-Identifier: Apache-2.0
//
// Where the words of a command line and what CLI11 throws (help, version, wrong usage) become a reply.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/command.hpp"

namespace CLI {
class App;
}  // namespace CLI

namespace warpfiber::tools {

/// Parses the words. A reply if nothing more is to be done: exit code 0 for help and version, 2 for wrong usage.
std::optional<Reply> parse_words(CLI::App& app, std::vector<std::string> words);

}  // namespace warpfiber::tools

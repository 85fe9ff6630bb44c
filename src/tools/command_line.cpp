// SPDX-License-Identifier: Apache-2.0
#include "tools/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <utility>

namespace warpfiber::tools {
namespace {

constexpr int kWrongUsage = 2;

}  // namespace

std::optional<Reply> parse_words(CLI::App& app, std::vector<std::string> words) {
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& parting) {
    std::ostringstream out;
    std::ostringstream err;
    const int status = app.exit(parting, out, err);
    return Reply{status == 0 ? 0 : kWrongUsage, out.str(), err.str()};
  }
  return std::nullopt;
}

}  // namespace warpfiber::tools

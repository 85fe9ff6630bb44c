// SPDX-License-Identifier: Apache-2.0
//
// Catches CLI11's exceptions and turns them into replies in the words of tools/manual.
#include "tools/manual/command_line.hpp"

#include <algorithm>
#include <utility>

#include "tools/manual/help.hpp"
#include "tools/manual/options.hpp"

namespace warpfiber::tools {
namespace {

constexpr int kWrongUsage = 2;

bool names(const std::vector<std::string>& words, const manual::OptionHelp& option) {
  return std::ranges::any_of(words, [&option](const std::string& word) { return option.is_called(word); });
}

Reply wrong_usage(const manual::Subcommand& subcommand, const std::string& complaint) {
  const std::string name = "warpfiber " + std::string(subcommand.name);
  return {kWrongUsage, "", name + ": " + complaint + "\n" + name + " --help lists the options\n"};
}

std::string complaint_about_word(const CLI::App& app, const manual::Subcommand& subcommand) {
  const std::string word = app.remaining().front();
  if (word[0] != '-') return "'" + word + "' is an unexpected argument";
  return manual::with_suggestion("unknown option '" + word + "'", word, subcommand.name);
}

}  // namespace

std::optional<Reply> parse_words(CLI::App& app, const manual::Subcommand& subcommand, std::vector<std::string> words) {
  if (names(words, manual::kHelp)) return Reply{0, manual::help_of(subcommand.name), ""};
  if (names(words, manual::kVersion)) return Reply{0, manual::version(), ""};
  app.set_help_flag();
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    // A word that nobody knows may be why another one is missing.
    return wrong_usage(subcommand, app.remaining().empty() ? error.what() : complaint_about_word(app, subcommand));
  }
  return std::nullopt;
}

}  // namespace warpfiber::tools

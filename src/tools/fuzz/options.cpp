// SPDX-License-Identifier: Apache-2.0
//
// Declares the options by the manual's table and checks how they go together.
#include "tools/fuzz/options.hpp"

#include <CLI/CLI.hpp>
#include <limits>
#include <map>
#include <utility>

#include "base/text.hpp"
#include "tools/manual/command_line.hpp"

namespace warpfiber::tools::fuzz {
namespace {

constexpr int kWrongUsage = 2;
constexpr std::uint64_t kMostPrograms = 10'000'000;

const std::map<std::string, Against> kAgainst = {
    {"recordings", Against::recordings}, {"gpu", Against::gpu}, {"model", Against::model}};

/// What is wrong with a seed; CLI11 takes the largest number for one that does not fit.
std::string check_seed(const std::string& text) {
  return base::parse_number(text) ? "" : text + ": a seed is a whole number below 2^64";
}

}  // namespace

ParsedFuzzOptions parse(std::vector<std::string> arguments) {
  ParsedFuzzOptions parsed;
  FuzzOptions& to = parsed.options;
  std::uint64_t printed = 0;
  const manual::Subcommand& subcommand = *manual::find_subcommand("fuzz");
  CLI::App app;
  declare(app, subcommand, "--count", to.count)->check(CLI::Range(std::uint64_t(1), kMostPrograms));
  declare(app, subcommand, "--seed", to.seed)->check(check_seed);
  std::string against;
  declare(app, subcommand, "--against", against)->check(CLI::IsMember({"recordings", "gpu", "model"}));
  declare(app, subcommand, "--recordings", to.recordings);
  declare(app, subcommand, "--record", to.record);
  const CLI::Option* const print = declare(app, subcommand, "--print", printed)->check(check_seed);
  parsed.reply = parse_words(app, subcommand, std::move(arguments));
  if (parsed.reply.has_value()) return parsed;
  if (print->count() != 0) to.print = printed;
  if (!against.empty()) to.against = kAgainst.at(against);
  if (to.seed > std::numeric_limits<std::uint64_t>::max() - to.count) {
    parsed.reply = Reply{kWrongUsage, "", "warpfiber fuzz: --seed: no seeds are left for so many programs\n"};
  } else if (!to.recordings.empty() && (to.against == Against::gpu || to.against == Against::model)) {
    parsed.reply = Reply{kWrongUsage, "", "warpfiber fuzz: --recordings: needs --against recordings\n"};
  }
  return parsed;
}

}  // namespace warpfiber::tools::fuzz

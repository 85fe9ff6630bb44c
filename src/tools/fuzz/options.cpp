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
constexpr std::uint64_t kMostInAFile = 1000;

const std::map<std::string, Against> kAgainst = {
    {"recordings", Against::recordings}, {"gpu", Against::gpu}, {"model", Against::model}};

/// What is wrong with a seed; CLI11 takes the largest number for one that does not fit.
std::string check_seed(const std::string& text) {
  return base::parse_number(text) ? "" : text + ": a seed is a whole number below 2^64";
}

/// What the options say against each other, or nothing. `others` are set that need --regions.
std::string contradiction(const FuzzOptions& options, bool others) {
  if (options.seed > std::numeric_limits<std::uint64_t>::max() - options.count)
    return "--seed: no seeds are left for so many programs";
  if (others && !options.regions) return "--in-a-file, --mistakes and --keep need --regions";
  const bool compares = options.against != Against::automatic || !options.recordings.empty() || !options.record.empty();
  if (compares && options.regions)
    return "--regions compares with fibers: leave out --against, --recordings and --record";
  if (!options.recordings.empty() && (options.against == Against::gpu || options.against == Against::model))
    return "--recordings: needs --against recordings";
  return {};
}

}  // namespace

ParsedFuzzOptions parse(std::vector<std::string> arguments) {
  ParsedFuzzOptions parsed;
  FuzzOptions& to = parsed.options;
  std::uint64_t printed = 0;
  std::uint64_t count = 0;  // as the kind of program has it
  const manual::Subcommand& subcommand = *manual::find_subcommand("fuzz");
  CLI::App app;
  declare(app, subcommand, "--count", count)->check(CLI::Range(std::uint64_t(1), kMostPrograms));
  declare(app, subcommand, "--seed", to.seed)->check(check_seed);
  std::string against;
  declare(app, subcommand, "--against", against)->check(CLI::IsMember({"recordings", "gpu", "model"}));
  declare(app, subcommand, "--recordings", to.recordings);
  declare(app, subcommand, "--record", to.record);
  const CLI::Option* const print = declare(app, subcommand, "--print", printed)->check(check_seed);
  bool regions = false;
  RegionsRequest request;
  declare_flag(app, subcommand, "--regions", regions);
  const CLI::Option* const in_a_file =
      declare(app, subcommand, "--in-a-file", request.in_a_file)->check(CLI::Range(std::uint64_t(1), kMostInAFile));
  declare_flag(app, subcommand, "--mistakes", request.mistakes);
  declare(app, subcommand, "--keep", request.keep);
  parsed.reply = parse_words(app, subcommand, std::move(arguments));
  if (parsed.reply.has_value()) return parsed;
  if (print->count() != 0) to.print = printed;
  if (!against.empty()) to.against = kAgainst.at(against);
  if (regions) to.count = request.count;
  if (count != 0) to.count = count;
  request.seed = to.seed;
  request.count = to.count;
  const bool others = in_a_file->count() != 0 || request.mistakes || !request.keep.empty();
  if (regions) to.regions = request;
  if (const std::string wrong = contradiction(to, others); !wrong.empty())
    parsed.reply = Reply{kWrongUsage, "", "warpfiber fuzz: " + wrong + "\n"};
  return parsed;
}

}  // namespace warpfiber::tools::fuzz

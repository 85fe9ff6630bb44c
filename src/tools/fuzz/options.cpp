// SPDX-License-Identifier: Apache-2.0
#include "tools/fuzz/options.hpp"

#include <CLI/CLI.hpp>
#include <limits>
#include <map>
#include <utility>

#include "base/text.hpp"
#include "tools/command_line.hpp"

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

Parsed parse(std::vector<std::string> arguments) {
  Parsed parsed;
  Options& to = parsed.options;
  std::uint64_t printed = 0;
  CLI::App app("Runs random kernels and compares the simulator with a GPU, or with itself", "warpfiber fuzz");
  app.footer(
      "exit code: 1 a difference was found, 2 the programs could not be run or compared, 3 there is no GPU or no "
      "fuzz_device, 0 none of these");
  app.add_option("--count", to.count, "How many programs (default 1000)")
      ->check(CLI::Range(std::uint64_t(1), kMostPrograms));
  app.add_option("--seed", to.seed, "The seed of the first; each has the next one (default 1)")->check(check_seed);
  std::string against;
  app.add_option("--against", against, "recordings of a GPU, a GPU itself, or the model: its own schedules")
      ->check(CLI::IsMember({"recordings", "gpu", "model"}));
  app.add_option("--recordings", to.recordings, "The file of recordings, in place of the installed one");
  app.add_option("--record", to.record, "Runs the programs on a GPU and writes what it computes to this file");
  CLI::Option* const print =
      app.add_option("--print", printed, "Prints the program of this seed as a CUDA file")->check(check_seed);
  parsed.reply = parse_words(app, std::move(arguments));
  if (parsed.reply.has_value()) return parsed;
  if (print->count() != 0) to.print = printed;
  if (!against.empty()) to.against = kAgainst.at(against);
  if (to.seed > std::numeric_limits<std::uint64_t>::max() - to.count) {
    parsed.reply = Reply{kWrongUsage, "", "--seed: no seeds are left for so many programs\n"};
  } else if (!to.recordings.empty() && (to.against == Against::gpu || to.against == Against::model)) {
    parsed.reply = Reply{kWrongUsage, "", "--recordings: goes with --against recordings only\n"};
  }
  return parsed;
}

}  // namespace warpfiber::tools::fuzz

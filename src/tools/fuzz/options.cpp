// SPDX-License-Identifier: Apache-2.0
//
// What each option of the manual's table does, and how they go together.
#include "tools/fuzz/options.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>

#include "tools/manual/command_line.hpp"
#include "tools/manual/options.hpp"

namespace warpfiber::tools::fuzz {
namespace {

constexpr int kWrongUsage = 2;
constexpr std::uint64_t kMostPrograms = 10'000'000;
constexpr std::uint64_t kMostInAFile = 1000;

/// What the options say before they are put together.
struct FuzzWords {
  FuzzOptions options;
  bool has_seed = false;
  std::uint64_t count = 0;      // 0: as the kind of program has it
  std::uint64_t in_a_file = 0;  // likewise
  bool compares_regions = false;
  RegionsRequest request;
};

std::string read_seed(FuzzWords& to, const std::string& value) {
  to.has_seed = true;
  return read_number(value, 0, std::numeric_limits<std::uint64_t>::max(), to.options.seed);
}

std::string read_search(FuzzWords& to, const std::string& value) {
  const auto range = shards::parse_range(value, kMostPrograms);
  if (range.ok()) to.options.search = range.value();
  return range.error();
}

std::string read_shard(FuzzWords& to, const std::string& value) {
  const auto shard = shards::parse_shard(value);
  if (shard.ok()) to.options.shard = shards::NamedShard{shard.value(), {}};
  return shard.error();
}

std::string read_printed(FuzzWords& to, const std::string& value) {
  return read_number(value, 0, std::numeric_limits<std::uint64_t>::max(), to.options.print.emplace());
}

std::string read_against(FuzzWords& to, const std::string& value) {
  constexpr std::pair<std::string_view, Against> kWords[] = {
      {"recordings", Against::recordings}, {"gpu", Against::gpu}, {"model", Against::model}};
  const auto* const word = std::ranges::find(kWords, value, &std::pair<std::string_view, Against>::first);
  if (word == std::end(kWords)) return "recordings, gpu or model";
  to.options.against = word->second;
  return {};
}

constexpr OptionReader<FuzzWords> kReaders[] = {
    {"--count", [](FuzzWords& to, const std::string& value) { return read_number(value, 1, kMostPrograms, to.count); }},
    {"--seed", read_seed},
    {"--seeds", read_search},
    {"--shard", read_shard},
    {"--json", [](FuzzWords& to, const std::string& value) { return to.options.json = value, std::string(); }},
    {"--against", read_against},
    {"--recordings",
     [](FuzzWords& to, const std::string& value) { return to.options.recordings = value, std::string(); }},
    {"--record", [](FuzzWords& to, const std::string& value) { return to.options.record = value, std::string(); }},
    {"--print", read_printed},
    {"--regions", read_flag<&FuzzWords::compares_regions>},
    {"--in-a-file",
     [](FuzzWords& to, const std::string& value) { return read_number(value, 1, kMostInAFile, to.in_a_file); }},
    {"--mistakes", [](FuzzWords& to, const std::string&) { return to.request.mistakes = true, std::string(); }},
    {"--matrices", [](FuzzWords& to, const std::string&) { return to.request.matrices = true, std::string(); }},
    {"--keep", [](FuzzWords& to, const std::string& value) { return to.request.keep = value, std::string(); }},
};
static_assert(have_readers(manual::kFuzzOptions, kReaders));

/// Takes the shard from the command or the environment. What is wrong, or nothing.
std::string set_shard(FuzzWords& read) {
  FuzzOptions& options = read.options;
  if (!options.search)
    return options.shard || !options.json.empty() ? "--shard and --json need --seeds A..B, the seeds of all shards"
                                                  : "";
  if (read.has_seed || read.count != 0 || options.print || !options.record.empty())
    return "--seeds A..B says which programs are run: leave out --seed, --count, --print and --record";
  auto shard = shards::own_shard(options.shard);
  if (!shard.ok()) return shard.error();
  options.shard = std::move(shard.value());
  const shards::Shard own = options.shard.value_or(shards::NamedShard{}).shard;
  options.json = shards::file_of_shard(options.json, own);
  const shards::SeedRange seeds = seeds_of(*options.search, own);
  options.seed = seeds.first;
  options.count = seeds.count;
  return {};
}

/// What the options say against each other, or nothing. `others` are set that need --regions.
std::string contradiction(const FuzzOptions& options, bool others) {
  if (options.seed > std::numeric_limits<std::uint64_t>::max() - options.count)
    return "--seed: no seeds are left for so many programs";
  if (others && !options.regions) return "--in-a-file, --mistakes, --matrices and --keep need --regions";
  const bool compares = options.against != Against::automatic || !options.recordings.empty() || !options.record.empty();
  if (compares && options.regions)
    return "--regions compares with fibers: leave out --against, --recordings and --record";
  if (!options.recordings.empty() && (options.against == Against::gpu || options.against == Against::model))
    return "--recordings: needs --against recordings";
  return {};
}

}  // namespace

ParsedFuzzOptions parse(const std::vector<std::string>& arguments) {
  ParsedFuzzOptions parsed;
  FuzzWords read;
  parsed.reply = manual::parse_words(*manual::find_subcommand("fuzz"), kReaders, arguments, read);
  if (parsed.reply.has_value()) return parsed;
  RegionsRequest& request = read.request;
  if (read.compares_regions) read.options.count = request.count;
  if (read.count != 0) read.options.count = read.count;
  std::string wrong = set_shard(read);
  if (read.in_a_file != 0) request.in_a_file = read.in_a_file;
  request.seed = read.options.seed;
  request.count = read.options.count;
  const bool others = read.in_a_file != 0 || request.mistakes || request.matrices || !request.keep.empty();
  if (read.compares_regions) read.options.regions = request;
  if (wrong.empty()) wrong = contradiction(read.options, others);
  if (!wrong.empty()) parsed.reply = Reply{kWrongUsage, "", "warpfiber-dev fuzz: " + wrong + "\n"};
  parsed.options = std::move(read.options);
  return parsed;
}

}  // namespace warpfiber::tools::fuzz

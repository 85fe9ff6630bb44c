// SPDX-License-Identifier: Apache-2.0
//
// What each option of the manual's table does.
#include "tools/check/options.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "base/environment.hpp"
#include "base/text.hpp"
#include "report/reasons/reasons.hpp"
#include "schedule/options.hpp"
#include "tools/manual/options.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/toolchain.hpp"

namespace warpfiber::tools::check {
namespace {

constexpr std::uint64_t kMostSeeds = 100'000;
constexpr std::uint64_t kMostSeedsOfShards = 1'000'000;

/// What the options say before they are put together.
struct ReadOptions : CheckOptions {
  std::uint64_t seed = 1;
  bool has_seed = false;
  std::uint64_t runs = 0;
};

std::string read_policy(ReadOptions& to, const std::string& value) {
  to.policy = value;
  return report::reason_text(schedule::parse_policy(value).error());
}

std::string read_convergence(ReadOptions& to, const std::string& value) {
  constexpr std::string_view kWords[] = {"full", "random", "random-masks", "none"};
  to.convergence = value;
  const bool known = std::ranges::find(kWords, value) != std::end(kWords);
  return known ? std::string() : report::reason_text(record::ReasonKind::convergence_words);
}

std::string read_seed(ReadOptions& to, const std::string& value) {
  const auto seed = schedule::parse_seed(value);
  if (!seed.ok()) return report::reason_text(seed.error());
  to.seed = seed.value();
  to.has_seed = true;
  return {};
}

std::string read_seeds(ReadOptions& to, const std::string& value) {
  if (!shards::is_range(value)) return read_number(value, 1, kMostSeeds, to.runs);
  const auto range = shards::parse_range(value, kMostSeedsOfShards);
  if (range.ok()) to.search = range.value();
  return range.error();
}

std::string read_shard(ReadOptions& to, const std::string& value) {
  const auto shard = shards::parse_shard(value);
  if (shard.ok()) to.shard = shards::NamedShard{shard.value(), {}};
  return shard.error();
}

std::string read_timeout(ReadOptions& to, const std::string& value) {
  constexpr std::uint64_t kMostSeconds = 7 * 24 * 3600;
  const auto seconds = base::parse_number(value);
  if (!seconds || *seconds == 0 || *seconds > kMostSeconds)
    return fmt::format("a number of seconds from 1 to {}", kMostSeconds);
  to.timeout = static_cast<unsigned>(*seconds);
  return {};
}

constexpr OptionReader<ReadOptions> kReaders[] = {
    {"--json", read_text<&CheckOptions::json>},
    {"--sarif", read_text<&CheckOptions::sarif>},
    {"--junit", read_text<&CheckOptions::junit>},
    {"--trace", of_files<read_trace_file>},
    {"--report", of_files<read_report_file>},
    {"--watch", of_files<read_watched>},
    {"--suppressions", read_text<&CheckOptions::suppressions>, true},
    {"--schedule", read_text<&CheckOptions::schedule>},
    {"--policy", read_policy, true},
    {"--convergence", read_convergence, true},
    {"--seed", read_seed},
    {"--seeds", read_seeds},
    {"--shard", read_shard},
    {"--format", [](ReadOptions& to, const std::string& value) { return read_format(to, value); }},
    {"--colour", [](ReadOptions& to, const std::string& value) { return read_colour(to, value); }},
    {"--strict", read_flag<&CheckOptions::strict>, true},
    {"--leak-check", read_flag<&CheckOptions::leak_check>, true},
    {"--stop-at-first", read_flag<&CheckOptions::stop_at_first>, true},
    {"--keep-going", read_flag<&CheckOptions::keep_going>},
    {"--try-fixes", read_flag<&CheckOptions::try_fixes>},
    {"--most-blocks", read_count<&CheckOptions::most_blocks, 1>, true},
    {"--most-threads", read_count<&CheckOptions::most_threads, 1>, true},
    {"--timeout", read_timeout},
};
static_assert(have_readers(manual::kCheckOptions, kReaders));

/// Where shards are one of many, none writes what another one does.
std::string complaint_about_shard(const ReadOptions& options) {
  if (options.search && options.has_seed) return "--seed: --seeds A..B says where the seeds begin";
  if (!options.shard) return {};
  if (!options.search) return "--shard needs --seeds A..B, the seeds of all shards";
  if (!options.schedule.empty())
    return "--schedule: a shard looks for no shorter schedule; run a seed that fails by itself";
  if (options.try_fixes) return "--try-fixes: not for a shard; run a seed that fails by itself";
  const std::pair<const char*, const std::string*> files[] = {{"--sarif", &options.sarif},
                                                              {"--junit", &options.junit},
                                                              {"--trace", &options.files.trace},
                                                              {"--report", &options.files.report}};
  for (const auto& [option, file] : files) {
    if (!options.shard->shard.is_whole() && !file->empty() && !shards::names_shard(*file))
      return fmt::format("{} {}: each shard writes one; put %s, the number of the shard, into the name", option, *file);
  }
  return {};
}

/// Takes the shard from the environment where the command names none, and names its files. What is wrong, or nothing.
std::string set_shard(ReadOptions& options) {
  if (options.search) {
    auto found = shards::own_shard(options.shard);
    if (!found.ok()) return found.error();
    options.shard = std::move(found.value());
  }
  if (std::string complaint = complaint_about_shard(options); !complaint.empty()) return complaint;
  if (!options.search) return {};
  const shards::Shard own = options.shard.value_or(shards::NamedShard{}).shard;
  for (std::string* const file : {&options.json, &options.sarif, &options.junit})
    *file = shards::file_of_shard(*file, own);
  name_files(options.files, [&own](const std::string& file) { return shards::file_of_shard(file, own); });
  return {};
}

void set_seeds(ReadOptions& reading) {
  shards::SeedRange seeds{reading.seed, reading.runs != 0 ? reading.runs : reading.has_seed ? 1U : 0U};
  if (reading.search) seeds = reading.shard ? seeds_of(*reading.search, reading.shard->shard) : *reading.search;
  for (std::uint64_t run = 0; run < seeds.count; ++run) reading.seeds.push_back(seeds.first + run);
  reading.mixes = reading.policy.empty() && reading.compares();
  if (reading.policy.empty() && (seeds.count != 0 || reading.search)) reading.policy = "random";
}

/// The place behind the options of the command that begin at `from`.
std::size_t behind_options(const std::vector<std::string>& words, std::size_t from) {
  while (from < words.size()) {
    const NamedOption named = named_option(manual::kCheckOptions, words[from]);
    if (named.option == nullptr) break;
    from += named.has_value_behind() ? 2 : 1;
  }
  return std::min(from, words.size());
}

/// Whether the word names a program: a file that can be executed, or one that is searched for on the path.
bool names_program(const std::string& word) {
  if (word.empty() || word[0] == '-' || !nvcc::parse_options({word}).options.inputs.empty()) return false;
  if (std::filesystem::exists(word)) return nvcc::is_program_file(word);
  return word.find('/') == std::string::npos && !nvcc::program_path(word).empty();
}

/// Where the first file is a program already, nothing is built, so that the words behind it are its arguments without
/// "--" as well.
std::vector<std::string> with_arguments_apart(std::vector<std::string> words) {
  const std::size_t first = behind_options(words, 0);
  if (first == words.size() || !names_program(words[first])) return words;
  const std::size_t next = behind_options(words, first + 1);
  if (next < words.size() && words[next] != "--") words.insert(words.begin() + static_cast<std::ptrdiff_t>(next), "--");
  return words;
}

/// The words with this value of the option, or without it if the value is empty.
void reword(std::vector<std::string>& words, const std::string& option, const std::string& value) {
  const auto named = std::ranges::find(words, option);
  if (named != words.end()) words.erase(named, named + 2);
  if (!value.empty()) words.insert(words.begin(), {option, value});
}

}  // namespace

std::string CheckOptions::binary() const {
  const bool one_word = program.inputs.empty() && program.linking.size() == 1 && words.size() >= 1;
  if (!one_word || program.linking[0][0] == '-') return {};
  const std::string& word = program.linking[0];
  const bool is_bare = word.find('/') == std::string::npos;
  if (::access(word.c_str(), X_OK) == 0) return is_bare ? "./" + word : word;
  return is_bare ? nvcc::program_path(word) : std::string();
}

std::string CheckOptions::name() const {
  return program.inputs.empty() ? binary() : program.inputs.front();
}

program::ParsedOptions<CheckOptions> parse(const std::vector<std::string>& arguments) {
  auto parsed = program::parse_program<ReadOptions>("check", kReaders, with_arguments_apart(arguments));
  ReadOptions& options = parsed.options;
  if (parsed.is_to_run()) {
    options.program.check = true;
    parsed.error = set_shard(options);
    set_seeds(options);
    if (parsed.ok()) parsed.error = complaint_about(options.files);
    if (parsed.ok() && !options.names_files()) parsed.error = "nothing to check: name CUDA files, or a program";
  }
  return {std::move(static_cast<CheckOptions&>(options)), std::move(parsed.error)};
}

std::string again(const CheckOptions& options, const std::uint64_t* seed) {
  std::vector<std::string> command{"check"};
  if (seed != nullptr) command.insert(command.end(), {"--seed", std::to_string(*seed)});
  command.insert(command.end(), options.words.begin(), options.words.end());
  if (!options.arguments.empty()) command.emplace_back("--");
  command.insert(command.end(), options.arguments.begin(), options.arguments.end());
  return base::run_variables(seed == nullptr) + nvcc::own_command() + " " + nvcc::quoted(command);
}

CheckOptions of_seed(const CheckOptions& options, std::uint64_t seed) {
  constexpr std::uint64_t kSeedsOfMasks = 4;
  if (!options.mixes) return options;
  if (seed % 2 == 0) return with_policy(options, "delays");
  if (!options.convergence.empty() || seed % kSeedsOfMasks != kSeedsOfMasks - 1) return options;
  return with_convergence(options, "random-masks");
}

std::vector<std::pair<std::string, std::uint64_t>> policies_of(const CheckOptions& options, std::size_t runs) {
  std::map<std::string, std::uint64_t> counts;
  for (std::size_t run = 0; run < std::min(runs, options.seeds.size()); ++run) {
    const CheckOptions one = of_seed(options, options.seeds[run]);
    ++counts[one.policy + (one.convergence.empty() ? "" : " " + one.convergence)];
  }
  return {counts.begin(), counts.end()};
}

CheckOptions with_policy(const CheckOptions& options, const std::string& policy) {
  CheckOptions other = options;
  other.policy = policy;
  reword(other.words, "--policy", policy);
  return other;
}

CheckOptions with_convergence(const CheckOptions& options, const std::string& convergence) {
  CheckOptions other = options;
  other.convergence = convergence;
  reword(other.words, "--convergence", convergence);
  return other;
}

CheckOptions with_sizes(const CheckOptions& options, std::uint64_t most_blocks, std::uint64_t most_threads) {
  CheckOptions other = options;
  other.most_blocks = most_blocks;
  other.most_threads = most_threads;
  reword(other.words, "--most-threads", most_threads == 0 ? std::string() : std::to_string(most_threads));
  reword(other.words, "--most-blocks", most_blocks == 0 ? std::string() : std::to_string(most_blocks));
  return other;
}

}  // namespace warpfiber::tools::check

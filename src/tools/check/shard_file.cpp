// SPDX-License-Identifier: Apache-2.0
//
// The program is known by a digest of its file, or of the sources that were named: headers are not looked at.
#include "tools/check/shard_file.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/environment.hpp"
#include "tools/manual/help.hpp"
#include "tools/nvcc/processes/processes.hpp"

namespace warpfiber::tools::check {
namespace {

bool is_unsigned(const Json& value) {
  return value.is_number_unsigned();
}

bool is_failed_run(const Json& value) {
  return value.is_object() && value.contains("run") && is_unsigned(value["run"]) && value.contains("status") &&
         value["status"].is_number_integer() && (!value.contains("signal") || value["signal"].is_number_integer());
}

/// What `warpfiber check` adds to the document of a process.
bool is_of_command(const Json& document) {
  const auto holds = [&document](const char* key, bool (*test)(const Json&)) {
    const auto found = document.find(key);
    return found != document.end() && (found->is_array() || found->is_object()) && std::ranges::all_of(*found, test);
  };
  if (!document.contains("runs") || !is_unsigned(document["runs"])) return false;
  if (!holds("seeds", is_unsigned) || !holds("failed_runs", is_failed_run)) return false;
  if (document.contains("policies") && !holds("policies", is_unsigned)) return false;
  if (document.contains("checked") && !document["checked"].is_string()) return false;
  const std::size_t runs = document["seeds"].size();
  const bool are_runs = std::ranges::all_of(
      document["failed_runs"], [runs](const Json& failed) { return failed["run"] >= 1 && failed["run"] <= runs; });
  return are_runs && document["runs"] == runs && std::ranges::all_of(document["findings"], [](const Json& finding) {
           return finding.contains("seed") && is_unsigned(finding["seed"]) && finding.contains("found_in_runs") &&
                  is_unsigned(finding["found_in_runs"]);
         });
}

std::string options_text(const CheckOptions& options) {
  std::vector<std::string> words = options.words;
  if (!options.binary().empty()) std::erase(words, options.program.linking.front());
  if (options.keep_going) words.emplace_back("--keep-going");
  if (options.timeout != 0) words.insert(words.end(), {"--timeout", std::to_string(options.timeout)});
  if (!options.arguments.empty()) words.emplace_back("--");
  words.insert(words.end(), options.arguments.begin(), options.arguments.end());
  return base::run_variables(false) + nvcc::quoted(words);
}

/// What all shards of the search have in common.
shards::Campaign campaign_of(const CheckOptions& options) {
  std::vector<std::string> texts;
  const std::string binary = options.binary();
  for (const std::string& file : binary.empty() ? options.program.inputs : std::vector<std::string>{binary})
    texts.push_back(nvcc::content_of(file));
  std::string version = manual::version();
  while (version.ends_with('\n')) version.pop_back();
  return {.command = "check",
          .version = std::move(version),
          .program = std::filesystem::path(options.name()).filename().string(),
          .digest = shards::digest_of(texts),
          .options = options_text(options)};
}

}  // namespace

shards::StateFile shard_file(const CheckOptions& options) {
  const shards::ShardProgress progress{options.shard.value_or(shards::NamedShard{}).shard, *options.search};
  return {options.shard.has_value() ? options.json : std::string(), campaign_of(options), progress};
}

Json read_shard_document(const std::string& text) {
  Json document = read_document(text);
  const bool is_whole = !document.is_discarded() && is_of_command(document) && shards::campaign_of(document) &&
                        !shards::shards_of(document).empty();
  return is_whole ? document : Json(Json::value_t::discarded);
}

}  // namespace warpfiber::tools::check

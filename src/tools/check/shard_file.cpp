// SPDX-License-Identifier: Apache-2.0
//
// The program is known by a digest of its file, or of the sources that were named: headers are not looked at.
#include "tools/check/shard_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/environment.hpp"
#include "base/files.hpp"
#include "tools/manual/help.hpp"
#include "tools/nvcc/processes/processes.hpp"

namespace warpfiber::tools::check {
namespace {

constexpr std::size_t kMostMib = 512;

bool is_count(const Json& value) {
  return value.is_number_unsigned();
}

bool is_failed_run(const Json& value) {
  return value.is_object() && value.contains("run") && is_count(value["run"]) && value.contains("status") &&
         value["status"].is_number_integer() && (!value.contains("signal") || value["signal"].is_number_integer());
}

/// What `warpfiber check` adds to the document of a process.
bool is_of_command(const Json& document) {
  const auto holds = [&document](const char* key, bool (*test)(const Json&)) {
    const auto found = document.find(key);
    return found != document.end() && (found->is_array() || found->is_object()) && std::ranges::all_of(*found, test);
  };
  if (!document.contains("runs") || !is_count(document["runs"])) return false;
  if (!holds("seeds", is_count) || !holds("failed_runs", is_failed_run)) return false;
  if (document.contains("policies") && !holds("policies", is_count)) return false;
  if (document.contains("checked") && !document["checked"].is_string()) return false;
  const std::size_t runs = document["seeds"].size();
  const bool are_runs = std::ranges::all_of(
      document["failed_runs"], [runs](const Json& failed) { return failed["run"] >= 1 && failed["run"] <= runs; });
  return are_runs && document["runs"] == runs && std::ranges::all_of(document["findings"], [](const Json& finding) {
           return finding.contains("seed") && is_count(finding["seed"]) && finding.contains("found_in_runs") &&
                  is_count(finding["found_in_runs"]);
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

}  // namespace

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

Json read_shard_document(const std::string& text) {
  Json document = read_document(text);
  const bool is_whole = !document.is_discarded() && is_of_command(document) && shards::campaign_of(document) &&
                        !shards::shards_of(document).empty();
  return is_whole ? document : Json(Json::value_t::discarded);
}

ShardFile::ShardFile(const CheckOptions& options)
    : path_(options.shard.has_value() && shards::keeps_state(options.json) ? options.json : std::string()),
      campaign_(campaign_of(options)),
      progress_{options.shard.value_or(shards::NamedShard{}).shard, *options.search} {}

std::string ShardFile::open() {
  if (path_.empty()) return {};
  Merged fresh;
  fresh.set_campaign(campaign_, {progress_});
  std::string why;
  if (!std::filesystem::exists(path_)) {
    const shards::Claim claim = shards::claim_file(path_, fresh.text(), why);
    if (claim == shards::Claim::failed) return path_ + ": the file cannot be written: " + why;
    if (claim == shards::Claim::made) return {};
  }
  const auto text = base::read_input(path_, kMostMib);
  if (!text.ok()) return path_ + ": the file cannot be read: " + text.error();
  const std::string complaint = complaint_about(text.value());
  return complaint.empty() ? std::string() : path_ + ": the file " + complaint;
}

std::string ShardFile::complaint_about(const std::string& text) {
  Json document = read_shard_document(text);
  if (document.is_discarded()) return "is there and is not of a shard; remove it, or name another one with --json";
  const auto shards = shards::shards_of(document);
  const shards::ShardProgress& known = shards.front();
  if (shards.size() != 1 || known.shard != progress_.shard || known.all != progress_.all) {
    return fmt::format(
        "is of shard {} of seeds {}, not of {} of {}; each shard needs a file of its own, as --json found-%s.json: %s "
        "is "
        "its number",
        shard_text(known.shard), range_text(known.all), shard_text(progress_.shard), range_text(progress_.all));
  }
  // What could not be built has run nothing.
  if (document.contains("built")) return {};
  if (const std::string other = difference_between(*shards::campaign_of(document), campaign_); !other.empty())
    return "cannot be continued: this call " + other + "; remove the file to begin anew";
  progress_ = known;
  known_ = std::move(document);
  return {};
}

std::string ShardFile::save(Json document, std::uint64_t ran) {
  progress_.ran = ran;
  if (path_.empty()) return {};
  shards::set_campaign(document, campaign_, {progress_});
  const std::string why = base::write_output(path_, text_of(document));
  return why.empty() ? std::string() : path_ + ": the file cannot be written: " + why;
}

void ShardFile::end(Merged& merged, shards::ShardEnd end) {
  progress_.ran = merged.runs();
  progress_.end = end;
  merged.set_campaign(campaign_, {progress_});
}

}  // namespace warpfiber::tools::check

// SPDX-License-Identifier: Apache-2.0
//
// Files are merged in the order of their seeds, so that the first occurrence of a finding is that of the lowest seed.
#include "tools/merge/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "base/files.hpp"
#include "base/text.hpp"
#include "tools/check/documents/merged.hpp"
#include "tools/check/reporting.hpp"
#include "tools/check/shard_file.hpp"
#include "tools/manual/command_line.hpp"
#include "tools/manual/options.hpp"
#include "tools/merge/coverage.hpp"
#include "tools/options/run_main.hpp"
#include "tools/shards/fuzz_results.hpp"

namespace warpfiber::tools::merge {
namespace {

using check::CheckStatus;
using check::Json;
using check::Merged;
using check::ReportOptions;

constexpr std::size_t kMostMib = 512;  // of a file

template <auto kRead>
std::string read_with(MergeOptions& to, const std::string& value) {
  return kRead(to, value);
}

constexpr OptionReader<MergeOptions> kReaders[] = {
    {"--json", read_text<&ReportOptions::json>},   {"--sarif", read_text<&ReportOptions::sarif>},
    {"--junit", read_text<&ReportOptions::junit>}, {"--format", read_with<&check::read_format>},
    {"--colour", read_with<&check::read_colour>},
};
static_assert(have_readers(manual::kMergeOptions, kReaders));

void say(const std::string& text) {
  tools::say("merge", text);
}

struct ShardDocument {
  FileShards shards;
  Json document;
};

/// Of either command that has shards; discarded where the text is of neither.
Json read_any(const std::string& text) {
  Json document = check::read_shard_document(text);
  return document.is_discarded() ? shards::read_fuzz_document(text) : document;
}

bool is_of_fuzz(const ShardDocument& one) {
  return one.shards.campaign.command == "fuzz";
}

/// Nothing where a file cannot be read, which is then said.
std::optional<std::vector<ShardDocument>> read_documents(const std::vector<std::string>& files) {
  std::vector<ShardDocument> documents;
  bool is_read = true;
  for (const std::string& file : files) {
    const auto text = base::read_input(file, kMostMib);
    Json document = text.ok() ? read_any(text.value()) : Json(Json::value_t::discarded);
    if (document.is_discarded()) {
      say(text.ok() ? file + ": the file is not of a shard: warpfiber check --seeds A..B --json writes one"
                    : file + ": the file cannot be read: " + text.error());
      is_read = false;
      continue;
    }
    FileShards shards{file, *shards::campaign_of(document), shards::shards_of(document)};
    documents.push_back({std::move(shards), std::move(document)});
  }
  return is_read ? std::optional(std::move(documents)) : std::nullopt;
}

/// Why a shard has not checked what it has run; empty: it has.
std::string unchecked_of(const ShardDocument& shard) {
  const Merged merged(shard.document);
  if (merged.is_built() && merged.runs() == 0) return {};
  const std::string why = merged.unchecked();
  return why.empty() ? std::string() : shard.shards.file + ": " + why;
}

void say_failed_runs(const Merged& merged) {
  const Json& failed = merged.document()["failed_runs"];
  if (failed.empty()) return;
  const Json& seed = merged.document()["seeds"][failed[0]["run"].get<std::size_t>() - 1];
  const int signal = merged.signal();
  const std::string how = signal != 0 ? fmt::format("was ended by signal {} ({})", signal, strsignal(signal))
                                      : fmt::format("ended with exit code {}", merged.failure());
  say(fmt::format("the program failed in {} of {}: with seed {} it {}", base::thousands(failed.size()),
                  base::counted(merged.runs(), "run"), seed.dump(), how));
}

void say_coverage(const SearchCoverage& coverage) {
  std::ranges::for_each(coverage.left, say);
  std::ranges::for_each(coverage.missing, say);
  say(fmt::format("{} of {}, {} of {}", base::thousands(coverage.known_shards), base::counted(coverage.shards, "shard"),
                  base::thousands(coverage.run_seeds), base::counted(coverage.seeds, "seed")));
}

std::vector<shards::ShardProgress> progress_of(const std::vector<ShardDocument>& documents) {
  std::vector<shards::ShardProgress> progress;
  for (const ShardDocument& one : documents)
    progress.insert(progress.end(), one.shards.progress.begin(), one.shards.progress.end());
  return progress;
}

int merge_fuzz(const std::vector<ShardDocument>& documents, const ReportOptions& options,
               const SearchCoverage& coverage) {
  if (!options.sarif.empty() || !options.junit.empty() || options.format != check::Format::text) {
    say("files of warpfiber-dev fuzz have no findings: leave out --sarif, --junit and --format");
    return CheckStatus::kFailed;
  }
  shards::FuzzResults results;
  for (const ShardDocument& one : documents) results.add(*shards::results_of(one.document));
  for (const auto& [seed, operation, text, programs] : results.differences) {
    std::fputs(base::without_controls(text).c_str(), stderr);
    if (programs > 1)
      std::fprintf(stderr, "  first by seed %" PRIu64 ", explained in %" PRIu64 " programs\n", seed, programs);
  }
  if (!results.unexplained.empty()) {
    const std::uint64_t least = *std::ranges::min_element(results.unexplained);
    say(fmt::format("{} more differ and were not explained, the first with seed {}",
                    base::counted(results.unexplained.size(), "program"), least));
  }
  say_coverage(coverage);
  for (const auto& [label, count] : results.counts) say(fmt::format("{} {}", base::thousands(count), label));
  say(results.differing() == 0 ? fmt::format("no difference in {}", base::counted(results.programs, "program"))
                               : fmt::format("{} of {} differ", base::thousands(results.differing()),
                                             base::counted(results.programs, "program")));
  Json document = document_of(results);
  shards::set_campaign(document, documents.front().shards.campaign, progress_of(documents));
  if (!write_file("merge", options.json, shards::text_of(document))) return CheckStatus::kFailed;
  if (results.differing() != 0) return CheckStatus::kFound;
  return coverage.is_whole() ? 0 : CheckStatus::kUnchecked;
}

int merge_documents(std::vector<ShardDocument> documents, const ReportOptions& options) {
  std::vector<FileShards> files;
  for (const ShardDocument& one : documents) files.push_back(one.shards);
  if (const std::vector<std::string> wrong = contradictions(files); !wrong.empty()) {
    std::ranges::for_each(wrong, say);
    say("nothing was merged: the files are not of one search");
    return CheckStatus::kFailed;
  }
  std::ranges::stable_sort(documents, {}, [](const ShardDocument& one) {
    const shards::ShardProgress& first = one.shards.progress.front();
    return std::pair(first.all.first, first.shard.number);
  });
  SearchCoverage coverage = coverage_of(files);
  if (is_of_fuzz(documents.front())) return merge_fuzz(documents, options, coverage);
  Merged merged;
  const std::vector<shards::ShardProgress> progress = progress_of(documents);
  for (ShardDocument& one : documents) {
    if (std::string unchecked = unchecked_of(one); !unchecked.empty()) coverage.missing.push_back(std::move(unchecked));
    merged.add_shard(std::move(one.document));
  }
  merged.add_differences();
  merged.set_campaign(files.front().campaign, progress);
  if (options.format == check::Format::text) {
    print_reports("merge", merged, options, [](const Json&) { return true; });
    print_seeds(merged);
  }
  print_lines(merged, options);
  say_failed_runs(merged);
  say_coverage(coverage);
  summarise("merge", merged, false);
  if (!write_files("merge", merged, options, files.front().campaign.program)) return CheckStatus::kFailed;
  const int status = status_of(merged);
  return status == 0 && !coverage.is_whole() ? CheckStatus::kUnchecked : status;
}

}  // namespace

ParsedMergeOptions parse(const std::vector<std::string>& arguments) {
  ParsedMergeOptions parsed;
  const manual::Subcommand& subcommand = *manual::find_subcommand("merge");
  const OtherWords others = read_options(subcommand.options, kReaders, arguments, parsed.options);
  constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();
  parsed.reply = answer_words(subcommand, others, kAny, parsed.options.files);
  if (!parsed.reply && parsed.options.files.empty())
    parsed.reply = manual::wrong_usage("merge", "name the files that shards have written with --json");
  return parsed;
}

int merge(const std::vector<std::string>& arguments) {
  const ParsedMergeOptions parsed = parse(arguments);
  if (parsed.reply.has_value()) return print_reply(*parsed.reply);
  auto documents = read_documents(parsed.options.files);
  return documents.has_value() ? merge_documents(std::move(*documents), parsed.options) : CheckStatus::kFailed;
}

}  // namespace warpfiber::tools::merge

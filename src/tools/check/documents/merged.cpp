// SPDX-License-Identifier: Apache-2.0
//
// Finds equal findings by a key of their kind and sites. The first occurrence stays, with the command that repeats
// it; later ones only count.
#include "tools/check/documents/merged.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "report/json.hpp"

namespace warpfiber::tools::check {
namespace {

constexpr std::size_t kKept = 1000;

std::string site_text(const Json& finding, const Json& site) {
  if (!site["file"].is_string()) return finding.value("kernel", "") + " " + site.value("operation", "");
  return fmt::format("{}:{} {}", site["file"].get<std::string>(), site["line"].get<unsigned>(),
                     site["role"].get<std::string>());
}

/// Whether threads stand there for which others of a launch that hangs wait: who has returned meanwhile depends on the
/// schedule.
bool has_returned(const Json& finding, const Json& site) {
  return is_hang(finding) && site.value("role", "") == "exited";
}

/// Of `count` sites from `first` on.
std::string kind_of(const Json& finding, std::size_t first, std::size_t count) {
  std::vector<std::string> sites;
  for (std::size_t at = first; at < std::min(first + count, finding["sites"].size()); ++at) {
    const Json& site = finding["sites"][at];
    if (!has_returned(finding, site)) sites.push_back(site_text(finding, site));
  }
  if (sites.empty()) sites.push_back(finding.value("kernel", ""));
  const Json stack = finding["sites"].empty() ? Json() : finding["sites"][0].value("stack", Json());
  if (verdict_of(finding) == record::Verdict::refused_call && !stack.empty() && stack[0]["file"].is_string()) {
    sites.push_back(fmt::format("{}:{}", stack[0]["file"].get<std::string>(), stack[0]["line"].get<unsigned>()));
  }
  std::ranges::sort(sites);
  return fmt::format("{}\n{}", finding["id"].get<std::string>(), fmt::join(sites, "\n"));
}

/// The tests in which `finding` was found, besides those of an equal one.
void add_tests_of(const Json& finding, Json& known) {
  for (const Json& test : finding.value("tests", Json::array())) {
    const bool is_named = known.contains("tests") && std::ranges::find(known["tests"], test) != known["tests"].end();
    if (!is_named) known["tests"].push_back(test);
  }
}

std::string last_name(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);
}

}  // namespace

Merged::Merged()
    : document_{{"schema", report::kSchema},
                {"tool", "warpfiber"},
                {"version", 1},
                {"checked", "nothing"},
                {"hooks", false},
                {"launches", 0},
                {"suppressed", 0},
                {"unlisted", 0},
                {"runs", 0},
                {"seeds", Json::array()},
                {"failed_runs", Json::array()},
                {"findings", Json::array()}} {}

Merged::Merged(Json document)
    : document_(std::move(document)),
      runs_(number_at(document_, "runs")),
      launches_(number_at(document_, "launches")),
      accesses_checked_(text_at(document_, "checked") == "all"),
      written_(launches_ != 0) {
  for (std::size_t at = 0; at < findings().size(); ++at) {
    for (const std::string& kind : kinds_of(findings()[at])) kinds_.try_emplace(kind, at);
    last_runs_.push_back(0);
  }
  for (std::size_t at = 0; at < tests().size(); ++at) tests_.try_emplace(key_of_test(tests()[at]), at);
}

void Merged::add(const std::string& document, std::optional<std::uint64_t> seed, int status, int signal) {
  add(std::vector<std::string>{document}, seed, status, signal);
}

void Merged::add(const std::vector<std::string>& documents, std::optional<std::uint64_t> seed, int status, int signal) {
  document_["runs"] = ++runs_;
  if (seed) document_["seeds"].push_back(*seed);
  if (status != 0) {
    Json failed = {{"run", runs_}, {"status", status}};
    if (signal != 0) failed["signal"] = signal;
    document_["failed_runs"].push_back(std::move(failed));
  }
  for (const std::string& document : documents) add_document(document, seed);
  if (!is_empty()) document_["checked"] = accesses_checked_ ? "all" : "hangs-and-faults";
}

std::string Merged::unchecked() const {
  if (!is_built()) return "nothing was checked: the program could not be built";
  const std::string no_kernel = "nothing was checked: no kernel ran before the program ended";
  if (!written_) return no_kernel + ", or it was not built by warpfiber";
  if (is_empty()) return no_kernel;
  if (accesses_checked_) return {};
  return "the program has no access hooks, or the system refuses the addresses that they need (ulimit -v), so hangs "
         "and "
         "faults were checked and memory accesses were not; build it with warpfiber nvcc -fcheck";
}

void Merged::add_shard(Json document) {
  const std::uint64_t before = runs_;
  runs_ += number_at(document, "runs");
  document_["runs"] = runs_;
  for (Json& seed : document["seeds"]) document_["seeds"].push_back(std::move(seed));
  for (Json& failed : document["failed_runs"]) {
    failed["run"] = failed["run"].get<std::uint64_t>() + before;
    document_["failed_runs"].push_back(std::move(failed));
  }
  if (document.contains("policies")) {
    for (const auto& [policy, runs] : document["policies"].items())
      document_["policies"][policy] =
          number_at(document_.value("policies", Json::object()), policy.c_str()) + runs.get<std::uint64_t>();
  }
  launches_ += number_at(document, "launches");
  document_["launches"] = launches_;
  accesses_checked_ = accesses_checked_ || text_at(document, "checked") == "all";
  written_ = written_ || launches_ != 0;
  document_["hooks"] = has_hooks() || document["hooks"].get<bool>();
  if (!is_empty()) document_["checked"] = accesses_checked_ ? "all" : "hangs-and-faults";
  if (document.contains("built")) set_unbuilt();
  add_counts(document);
  Json difference = take_difference(document);
  std::map<std::size_t, std::uint64_t> counted;
  for (Json& finding : document["findings"]) fold_of_shard(std::move(finding), counted);
  if (document.contains("tests")) add_tests(document["tests"]);
  if (difference.is_null()) return;
  const auto rank = [](const Json& finding) {
    return std::pair(finding["severity"] != "error", finding["seed"].get<std::uint64_t>());
  };
  const std::uint64_t runs = number_at(difference_, "found_in_runs") + number_at(difference, "found_in_runs");
  if (difference_.is_null() || rank(difference) < rank(difference_)) difference_ = std::move(difference);
  difference_["found_in_runs"] = runs;
}

void Merged::add_differences() {
  if (count("error") == 0 && !difference_.is_null()) document_["findings"].push_back(std::move(difference_));
  difference_ = Json();
}

void Merged::add_counts(const Json& document) {
  for (const char* count : {"suppressed", "unlisted"})
    document_[count] = document_[count].get<std::uint64_t>() + document[count].get<std::uint64_t>();
}

void Merged::add_document(const std::string& document, std::optional<std::uint64_t> seed) {
  Json run = read_document(document);
  if (run.is_discarded()) return;
  const auto launches = run.value("launches", std::uint64_t{0});
  launches_ += launches;
  accesses_checked_ = accesses_checked_ || (launches != 0 && run["hooks"].get<bool>());
  document_["launches"] = launches_;
  written_ = true;
  document_["hooks"] = has_hooks() || run["hooks"].get<bool>();
  add_counts(run);
  for (Json& finding : run["findings"]) fold(std::move(finding), seed);
  if (run.contains("tests")) add_tests(run["tests"]);
}

void Merged::add_tests(const Json& tests) {
  constexpr std::array<std::string_view, 4> kFromBest{"skipped", "passed", "running", "failed"};
  const auto rank = [&](const Json& test) { return std::ranges::find(kFromBest, test["outcome"].get<std::string>()); };
  for (const Json& test : tests) {
    const auto [known, is_new] = tests_.try_emplace(key_of_test(test), this->tests().size());
    if (is_new) {
      document_["tests"].push_back(test);
    } else if (rank(test) > rank(document_["tests"][known->second])) {
      document_["tests"][known->second]["outcome"] = test["outcome"];
    }
  }
}

const Json& Merged::tests() const {
  static const Json none = Json::array();
  const auto found = document_.find("tests");
  return found == document_.end() ? none : *found;
}

void Merged::add_finding(Json finding, std::uint64_t seed, std::uint64_t runs) {
  finding["seed"] = seed;
  finding["found_in_runs"] = runs;
  document_["findings"].push_back(std::move(finding));
}

void Merged::add_suppressed() {
  document_["suppressed"] = document_["suppressed"].get<std::uint64_t>() + 1;
}

void Merged::set_again(std::size_t index, const std::string& command) {
  Json& finding = document_["findings"][index];
  const std::string before = finding.value("again", "");
  std::string text = finding.value("text", "");
  const std::size_t at = before.empty() ? std::string::npos : text.rfind(before);
  if (at != std::string::npos) text.replace(at, before.size(), command);
  finding["text"] = text;
  finding["again"] = command;
}

void Merged::set_tried(std::size_t index, Json tried) {
  Json& finding = document_["findings"][index];
  std::string text = finding.value("text", "");
  const std::size_t again = text.rfind("\n  again: ");
  text.insert(again == std::string::npos ? text.size() : again + 1,
              fmt::format("  the fix: {}\n", tried["text"].get<std::string>()));
  finding["text"] = text;
  finding["tried"] = std::move(tried);
}

std::optional<std::size_t> Merged::find_known(const std::vector<std::string>& kinds) const {
  const bool fresh = std::ranges::any_of(kinds, [this](const std::string& kind) { return !kinds_.contains(kind); });
  return fresh ? std::nullopt : std::optional(kinds_.find(kinds.front())->second);
}

/// False where there is no room for it.
bool Merged::append(Json finding, const std::vector<std::string>& kinds) {
  Json& findings = document_["findings"];
  if (findings.size() == kKept) {
    document_["unlisted"] = document_["unlisted"].get<std::uint64_t>() + 1;
    return false;
  }
  for (const std::string& kind : kinds) kinds_.try_emplace(kind, findings.size());
  findings.push_back(std::move(finding));
  last_runs_.push_back(runs_);
  return true;
}

void Merged::fold(Json finding, std::optional<std::uint64_t> seed) {
  const std::vector<std::string> kinds = kinds_of(finding);
  if (const auto index = find_known(kinds)) {
    Json& known = document_["findings"][*index];
    known["repeats"] = known["repeats"].get<std::uint64_t>() + 1 + finding["repeats"].get<std::uint64_t>();
    add_tests_of(finding, known);
    const bool is_first = std::exchange(last_runs_[*index], runs_) != runs_;
    if (seed && is_first) known["found_in_runs"] = known["found_in_runs"].get<std::uint64_t>() + 1;
    return;
  }
  if (seed) {
    finding["seed"] = *seed;
    finding["found_in_runs"] = 1;
  }
  append(std::move(finding), kinds);
}

/// `counted`: in how many runs of the same shard each finding is already, by its place. What one shard has twice may be
/// one by what another has.
void Merged::fold_of_shard(Json finding, std::map<std::size_t, std::uint64_t>& counted) {
  const std::vector<std::string> kinds = kinds_of(finding);
  const auto runs = finding["found_in_runs"].get<std::uint64_t>();
  const auto index = find_known(kinds);
  if (!index) {
    if (append(std::move(finding), kinds)) counted[findings().size() - 1] = runs;
    return;
  }
  Json& known = document_["findings"][*index];
  const auto repeats = known["repeats"].get<std::uint64_t>() + 1 + finding["repeats"].get<std::uint64_t>();
  std::uint64_t& already = counted[*index];
  const auto found = known["found_in_runs"].get<std::uint64_t>() + runs - std::min(runs, already);
  already = std::max(already, runs);
  if (finding["seed"].get<std::uint64_t>() < known["seed"].get<std::uint64_t>()) std::swap(known, finding);
  add_tests_of(finding, known);
  known["repeats"] = repeats;
  known["found_in_runs"] = found;
}

std::size_t Merged::count(const std::string& severity) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(findings(), [&](const Json& finding) { return finding["severity"] == severity; }));
}

int Merged::failure() const {
  const Json& failed = document_["failed_runs"];
  return failed.empty() ? 0 : failed[0]["status"].get<int>();
}

void Merged::set_policies(const std::vector<std::pair<std::string, std::uint64_t>>& policies) {
  for (const auto& [policy, runs] : policies) document_["policies"][policy] = runs;
}

int Merged::signal() const {
  const Json& failed = document_["failed_runs"];
  return failed.empty() ? 0 : failed[0].value("signal", 0);
}

Json take_difference(Json& document) {
  Json& findings = document["findings"];
  const auto found = std::ranges::find_if(
      findings, [](const Json& finding) { return verdict_of(finding) == record::Verdict::nondeterminism; });
  if (found == findings.end()) return {};
  Json taken = std::move(*found);
  findings.erase(found);
  return taken;
}

std::vector<std::string> kinds_of(const Json& finding) {
  const Json& sites = finding["sites"];
  const std::optional<record::Verdict> verdict = verdict_of(finding);
  const bool in_pairs = verdict.has_value() && record::is_race(*verdict) && sites.size() % 2 == 0;
  const std::size_t size = in_pairs ? 2 : sites.size();
  std::vector<std::string> kinds;
  for (std::size_t at = 0; at == 0 || at < sites.size(); at += std::max<std::size_t>(size, 1))
    kinds.push_back(kind_of(finding, at, size));
  return kinds;
}

std::string key_of_test(const Json& test) {
  return test["suite"].get<std::string>() + '\n' + test["name"].get<std::string>();
}

std::string places_of(const Json& finding) {
  std::vector<std::string> places;
  for (const Json& site : finding["sites"]) {
    if (!site["file"].is_string() || has_returned(finding, site)) continue;
    std::string place = fmt::format("{}:{}", last_name(site["file"].get<std::string>()), site["line"].get<unsigned>());
    if (std::ranges::find(places, place) == places.end()) places.push_back(std::move(place));
  }
  constexpr std::size_t kShown = 4;
  const std::size_t hidden = places.size() - std::min(places.size(), kShown);
  places.resize(places.size() - hidden);
  return fmt::format("{}{}", fmt::join(places, ", "), hidden == 0 ? "" : fmt::format(" and {} more", hidden));
}

std::string headline_of(const Json& finding) {
  const std::string text = finding.value("text", "");
  return text.substr(0, text.find('\n'));
}

std::string role_text(const Json& site) {
  std::string text = site.value("role", "");
  if (site.contains("who")) text += (text.empty() ? "" : " by ") + site["who"].get<std::string>();
  return text;
}

std::string path_below(const std::string& file, const std::string& folder) {
  const std::filesystem::path path = std::filesystem::path(file).lexically_normal();
  if (path.is_relative()) return path.string();
  const std::filesystem::path below = path.lexically_relative(folder);
  const bool inside = !below.empty() && *below.begin() != "..";
  return inside ? below.string() : path.string();
}

}  // namespace warpfiber::tools::check

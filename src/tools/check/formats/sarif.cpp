// SPDX-License-Identifier: Apache-2.0
//
// Section numbers are those of SARIF 2.1.0. The first site of a finding is its location, the others are related ones.
#include "tools/check/formats/sarif.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "report/paint.hpp"
#include "tools/explain/explain.hpp"
#include "tools/nvcc/processes/processes.hpp"

namespace warpfiber::tools::check {
namespace {

/// RFC 3986: what may not stand in a path is written as %XX.
std::string percent_encoded(const std::string& path) {
  std::string encoded;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = std::isalnum(byte) != 0 || std::string_view("-._~/").find(c) != std::string_view::npos;
    encoded += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return encoded;
}

// The name that code hosts give the folder of a checkout.
constexpr const char* kBase = "%SRCROOT%";

/// Section 3.4. A file below the folder is found wherever the folder is.
Json artifact_of(const std::string& file, const std::string& folder) {
  const std::string path = path_below(file, folder);
  if (path.starts_with('/')) return {{"uri", "file://" + percent_encoded(path)}};
  return {{"uri", percent_encoded(path)}, {"uriBaseId", kBase}};
}

Json location_of(const Json& site, const std::string& folder) {
  Json location;
  Json& physical = location["physicalLocation"];
  physical["artifactLocation"] = artifact_of(site["file"].get<std::string>(), folder);
  physical["region"]["startLine"] = site["line"];
  if (site.contains("source")) physical["region"]["snippet"]["text"] = site["source"];
  const std::string message = role_text(site);
  if (!message.empty()) location["message"]["text"] = message;
  return location;
}

/// Section 3.46. A result's stacks say nothing of its locations but in words.
Json stack_of(const Json& site, const Json& calls, const std::string& folder) {
  Json frames = Json::array();
  for (const Json& call : calls) {
    Json frame;
    if (call["file"].is_string()) frame["location"] = location_of(call, folder);
    if (call.contains("function"))
      frame["location"]["logicalLocations"] = Json::array({{{"fullyQualifiedName", call["function"]}}});
    frames.push_back(std::move(frame));
  }
  return {{"message", {{"text", role_text(site)}}}, {"frames", std::move(frames)}};
}

std::string message_of(const Json& finding) {
  std::string message = headline_of(finding);
  for (const char* part : {"why", "fix"})
    if (finding.contains(part)) message += fmt::format("\n{}: {}", part, finding[part].get<std::string>());
  if (finding.contains("tried")) message += "\nthe fix: " + finding["tried"]["text"].get<std::string>();
  return message;
}

/// FNV-1a, the same on every machine.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

/// Section 3.27.17: the same for a finding whose lines have moved. Made of what stands in the lines, not of their
/// numbers.
std::string fingerprint_of(const Json& finding, const std::string& folder) {
  std::string about = finding["id"].get<std::string>() + '\n' + finding.value("kernel", "");
  for (const Json& site : finding["sites"]) {
    about += '\n' + site["role"].get<std::string>();
    if (!site["file"].is_string()) continue;
    const std::string source = site.value("source", "");
    about += '\n' + path_below(site["file"].get<std::string>(), folder) + '\n' +
             (source.empty() ? site["line"].dump() : source);
  }
  return fmt::format("{:016x}", hash_of(about));
}

Json result_of(const Json& finding, std::size_t rule, const std::string& folder) {
  const std::string severity = finding["severity"];
  Json result = {{"ruleId", finding["id"]},
                 {"ruleIndex", rule},
                 {"level", severity == "info" ? "note" : severity},
                 {"message", {{"text", message_of(finding)}}},
                 {"occurrenceCount", finding["repeats"].get<std::uint64_t>() + 1},
                 {"locations", Json::array()}};
  Json related = Json::array();
  Json stacks = Json::array();
  for (const Json& site : finding["sites"]) {
    if (site.contains("stack")) stacks.push_back(stack_of(site, site["stack"], folder));
    if (site.contains("other_stacks")) {
      for (const Json& other : site["other_stacks"]) stacks.push_back(stack_of(site, other, folder));
    }
    if (!site["file"].is_string()) continue;
    Json& to = result["locations"].empty() ? result["locations"] : related;
    to.push_back(location_of(site, folder));
  }
  if (!related.empty()) result["relatedLocations"] = std::move(related);
  if (!stacks.empty()) result["stacks"] = std::move(stacks);
  return result;
}

/// Section 3.20: a run that failed had an exit code, or was ended by a signal. Section 3.20.21: what was not checked.
Json invocation_of(const Merged& merged) {
  const int failure = merged.failure();
  const std::string unchecked = merged.unchecked();
  Json invocation = {{"executionSuccessful", failure == 0 && unchecked.empty()}};
  if (merged.signal() != 0) {
    invocation["exitSignalNumber"] = merged.signal();
  } else if (merged.is_built()) {
    invocation["exitCode"] = failure;
  }
  if (!unchecked.empty()) {
    const Json notification = {{"level", "error"}, {"message", {{"text", unchecked}}}};
    invocation["toolExecutionNotifications"] = Json::array({notification});
  }
  return invocation;
}

/// "race-shared" as "RaceShared".
std::string name_of(std::string_view id) {
  std::string name;
  bool begins_word = true;
  for (const char c : id) {
    if (c != '-') name += begins_word ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    begins_word = c == '-';
  }
  return name;
}

/// What links to other pages is their text alone: the reader has this page only.
std::string without_links(std::string_view markdown) {
  std::string text;
  for (std::size_t open = 0; open != std::string_view::npos;) {
    const std::size_t middle = markdown.find("](", open);
    const std::size_t begin = middle == std::string_view::npos ? middle : markdown.rfind('[', middle);
    const std::size_t end = markdown.find(')', middle == std::string_view::npos ? markdown.size() : middle);
    if (begin == std::string_view::npos || begin < open || end == std::string_view::npos) {
      text += markdown.substr(open);
      break;
    }
    text += markdown.substr(open, begin - open);
    text += markdown.substr(begin + 1, middle - begin - 1);
    open = end + 1;
  }
  return text;
}

/// Section 3.49. The help is the page of the finding, where there is one in `pages`.
Json rule_of(const Json& finding, const std::string& pages) {
  constexpr std::size_t kWidth = 100;
  const std::string id = finding["id"];
  Json rule = {{"id", id},
               {"name", name_of(id)},
               {"shortDescription", {{"text", finding["meaning"]}}},
               {"defaultConfiguration", {{"level", "error"}}}};
  const std::string page = verdict_of(finding) ? nvcc::content_of(pages + "/findings/" + id + ".md") : std::string();
  if (page.empty()) {
    rule["help"]["text"] = finding["meaning"].get<std::string>() + "\nwarpfiber explain " + id + " says more.";
    return rule;
  }
  rule["help"]["text"] = explain::plain_text(page, kWidth, report::Paint(false));
  rule["help"]["markdown"] = without_links(page);
  return rule;
}

}  // namespace

std::string render_sarif(const Merged& merged, const std::string& folder, const std::string& pages) {
  std::vector<std::string> ids;
  Json rules = Json::array();
  Json results = Json::array();
  std::map<std::string, unsigned> fingerprints;
  for (const Json& finding : merged.findings()) {
    const std::string id = finding["id"];
    const auto known = std::ranges::find(ids, id);
    const auto rule = static_cast<std::size_t>(known - ids.begin());
    if (known == ids.end()) {
      ids.push_back(id);
      rules.push_back(rule_of(finding, pages));
    }
    Json& result = results.emplace_back(result_of(finding, rule, folder));
    // The name that code hosts look for. Equal ones are numbered.
    const std::string fingerprint = fingerprint_of(finding, folder);
    result["partialFingerprints"]["primaryLocationLineHash"] =
        fmt::format("{}:{}", fingerprint, ++fingerprints[fingerprint]);
  }
  Json run;
  run["tool"]["driver"] = {{"name", "Warpfiber"}, {"version", WARPFIBER_VERSION}, {"rules", std::move(rules)}};
  run["invocations"] = Json::array({invocation_of(merged)});
  run["originalUriBaseIds"][kBase]["uri"] = "file://" + percent_encoded(folder + (folder.ends_with('/') ? "" : "/"));
  run["columnKind"] = "unicodeCodePoints";
  run["results"] = std::move(results);
  const Json log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                    {"version", "2.1.0"},
                    {"runs", Json::array({std::move(run)})}};
  return log.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace warpfiber::tools::check

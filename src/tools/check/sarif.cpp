// SPDX-License-Identifier: Apache-2.0
//
// Section numbers are those of SARIF 2.1.0. The first site of a finding is its location, the others are related ones.
#include "tools/check/sarif.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

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

std::string uri_of(const std::string& file, const std::string& folder) {
  const std::string path = path_below(file, folder);
  return (path.starts_with('/') ? "file://" : "") + percent_encoded(path);
}

Json location_of(const Json& site, const std::string& folder) {
  Json location;
  Json& physical = location["physicalLocation"];
  physical["artifactLocation"]["uri"] = uri_of(site["file"].get<std::string>(), folder);
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

}  // namespace

std::string render_sarif(const Merged& merged, const std::string& folder) {
  std::vector<std::string> ids;
  Json rules = Json::array();
  Json results = Json::array();
  for (const Json& finding : merged.findings()) {
    const std::string id = finding["id"];
    const auto known = std::ranges::find(ids, id);
    const auto rule = static_cast<std::size_t>(known - ids.begin());
    if (known == ids.end()) {
      ids.push_back(id);
      rules.push_back({{"id", id}, {"shortDescription", {{"text", finding["meaning"]}}}});
    }
    results.push_back(result_of(finding, rule, folder));
  }
  Json run;
  run["tool"]["driver"] = {{"name", "Warpfiber"}, {"version", WARPFIBER_VERSION}, {"rules", std::move(rules)}};
  run["invocations"] = Json::array({invocation_of(merged)});
  run["columnKind"] = "unicodeCodePoints";
  run["results"] = std::move(results);
  const Json log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                    {"version", "2.1.0"},
                    {"runs", Json::array({std::move(run)})}};
  return log.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace warpfiber::tools::check

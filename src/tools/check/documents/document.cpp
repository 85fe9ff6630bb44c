// SPDX-License-Identifier: Apache-2.0
//
// Parses with nlohmann_json and checks the type of each field that the command reads. A finding that has a wrong one
// is left out; the others stay.
#include "tools/check/documents/document.hpp"
#include "report/catalogue/catalogue.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace warpfiber::tools::check {
namespace {

using Test = bool (*)(const Json&);

bool is_text(const Json& value) {
  return value.is_string();
}

bool is_count(const Json& value) {
  return value.is_number_unsigned() || (value.is_number_integer() && value.get<std::int64_t>() >= 0);
}

bool is_flag(const Json& value) {
  return value.is_boolean();
}

bool has(const Json& object, const char* key, Test test) {
  const auto found = object.find(key);
  return found != object.end() && test(*found);
}

bool may_have(const Json& object, const char* key, Test test) {
  const auto found = object.find(key);
  return found == object.end() || test(*found);
}

bool are_all(const Json& value, Test test) {
  return value.is_array() && std::ranges::all_of(value, test);
}

bool is_line(const Json& value) {
  return is_count(value) && value.get<std::uint64_t>() <= std::numeric_limits<unsigned>::max();
}

bool is_stack(const Json& value) {
  return are_all(value, is_place);
}

bool are_stacks(const Json& value) {
  return are_all(value, is_stack);
}

bool is_severity(const Json& value) {
  return value == "error" || value == "warning" || value == "info";
}

bool is_site(const Json& value) {
  if (!is_place(value) || !has(value, "role", is_text)) return false;
  for (const char* const key : {"who", "operation", "source"}) {
    if (!may_have(value, key, is_text)) return false;
  }
  return may_have(value, "stack", is_stack) && may_have(value, "other_stacks", are_stacks);
}

bool are_sites(const Json& value) {
  return are_all(value, is_site);
}

bool is_insertion(const Json& value) {
  return value.is_object() && has(value, "file", is_text) && has(value, "after_line", is_line) &&
         has(value, "text", is_text);
}

bool is_way(const Json& value) {
  return are_all(value, is_insertion);
}

bool are_ways(const Json& value) {
  return are_all(value, is_way);
}

bool is_test_name(const Json& value) {
  return value.is_object() && has(value, "suite", is_text) && has(value, "name", is_text);
}

bool are_test_names(const Json& value) {
  return are_all(value, is_test_name);
}

bool is_outcome(const Json& value) {
  return value == "passed" || value == "failed" || value == "skipped" || value == "running";
}

bool is_test(const Json& value) {
  return is_test_name(value) && has(value, "outcome", is_outcome);
}

bool are_tests(const Json& value) {
  return are_all(value, is_test);
}

bool is_finding(const Json& value) {
  if (!value.is_object() || !has(value, "id", is_text) || !has(value, "meaning", is_text)) return false;
  for (const char* const key : {"kernel", "why", "fix", "again", "text"}) {
    if (!may_have(value, key, is_text)) return false;
  }
  if (!may_have(value, "insertions", are_ways) || !may_have(value, "tests", are_test_names)) return false;
  return has(value, "severity", is_severity) && has(value, "repeats", is_count) && has(value, "sites", are_sites);
}

bool are_findings(const Json& value) {
  return are_all(value, is_finding);
}

bool is_document(const Json& value) {
  if (!value.is_object() || !has(value, "hooks", is_flag) || !may_have(value, "launches", is_count)) return false;
  if (!may_have(value, "tests", are_tests)) return false;
  return has(value, "suppressed", is_count) && has(value, "unlisted", is_count) && has(value, "findings", are_findings);
}

}  // namespace

Json parse_json(std::string_view text) {
  constexpr int kDeepest = 32;
  return Json::parse(
      text, [](int depth, Json::parse_event_t, Json&) { return depth < kDeepest; }, false);
}

Json read_document(std::string_view text) {
  Json document = parse_json(text);
  return is_document(document) ? document : Json(Json::value_t::discarded);
}

bool is_place(const Json& value) {
  if (!value.is_object() || !may_have(value, "function", is_text)) return false;
  const auto file = value.find("file");
  const auto line = value.find("line");
  if (file == value.end() || line == value.end()) return false;
  return (file->is_null() && line->is_null()) || (file->is_string() && is_line(*line));
}

std::string text_at(const Json& object, const char* key) {
  return has(object, key, is_text) ? object.find(key)->get<std::string>() : std::string();
}

std::optional<record::Verdict> verdict_of(const Json& finding) {
  return report::verdict_of(finding["id"].get<std::string>());
}

bool is_hang(const Json& finding) {
  const std::optional<record::Verdict> verdict = verdict_of(finding);
  return finding["severity"] == "error" &&
         (verdict == record::Verdict::deadlock || verdict == record::Verdict::livelock);
}

std::uint64_t number_at(const Json& object, const char* key) {
  return has(object, key, is_count) ? object.find(key)->get<std::uint64_t>() : 0;
}

}  // namespace warpfiber::tools::check

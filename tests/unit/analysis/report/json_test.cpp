// SPDX-License-Identifier: Apache-2.0
//
// The JSON report: approved outputs, and what scripts rely on in any document.
#include "report/json.hpp"

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>

#include "report/catalogue/catalogue.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "unit/analysis/report/samples.hpp"

using namespace warpfiber;
using namespace warpfiber::report;
using nlohmann::json;
using record::Finding;

namespace {

std::string text_of(const std::vector<Finding>& findings) {
  samples::Sources sources;
  return render_json(findings, sources);
}

/// The part of a schema that "$ref" leads to, or the part itself.
const json& resolved(const json& root, const json& schema) {
  return schema.contains("$ref") ? root.at(json::json_pointer(schema["$ref"].get<std::string>().substr(1))) : schema;
}

/// The schema of a property, looked for in what the schema itself takes in as well; null if it has none.
const json* property(const json& root, const json& schema, const std::string& name) {
  if (schema.contains("properties") && schema["properties"].contains(name)) return &schema["properties"][name];
  if (!schema.contains("allOf")) return nullptr;
  for (const json& part : schema["allOf"])
    if (const json* found = property(root, resolved(root, part), name)) return found;
  return nullptr;
}

/// Every key of a document is one that the schema names, and every key it asks for is there.
void check_keys(const json& root, const json& where, const json& value) {
  const json& schema = resolved(root, where);
  if (value.is_array() && schema.contains("items"))
    for (const json& item : value) check_keys(root, schema["items"], item);
  if (!value.is_object()) return;
  for (const json& key : schema.value("required", json::array())) {
    CAPTURE(key);
    CHECK(value.contains(key.get<std::string>()));
  }
  for (const auto& item : value.items()) {
    CAPTURE(item.key());
    const json* part = property(root, schema, item.key());
    REQUIRE(part != nullptr);
    check_keys(root, *part, item.value());
  }
}

}  // namespace

TEST_CASE("the published schema names every key of a document") {
  std::ifstream file(WARPFIBER_GOLDEN_DIR "/../../docs/findings.schema.json");
  const json schema = json::parse(file);
  std::vector<Finding> findings;
  for (const samples::Sample& sample : samples::all()) findings.push_back(sample.finding);
  const json document = json::parse(text_of(findings));
  CHECK(document.at("schema") == schema["properties"]["schema"]["const"]);
  check_keys(schema, schema, document);
}

TEST_CASE("the published schema names every role") {
  std::ifstream file(WARPFIBER_GOLDEN_DIR "/../../docs/findings.schema.json");
  const json roles = json::parse(file)["$defs"]["site"]["properties"]["role"]["enum"];
  REQUIRE(roles.size() == static_cast<std::size_t>(record::Role::convert) + 1);
  for (std::size_t role = 0; role < roles.size(); ++role)
    CHECK(roles[role] == role_name(static_cast<record::Role>(role)));
}

TEST_CASE("samples have their approved JSON") {
  const std::string name =
      GENERATE("deadlock_oversized_grid", "deadlock_lock_order", "bad_mask_absent_lanes", "use_after_free");
  test::check_golden("report/" + name + ".json", text_of({samples::find(name)}));
}

TEST_CASE("every finding has an id, a severity and sites with file, line and role") {
  std::vector<Finding> findings;
  for (const samples::Sample& sample : samples::all()) findings.push_back(sample.finding);
  const json document = json::parse(text_of(findings));
  REQUIRE(document.at("findings").size() == findings.size());
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const json& finding = document["findings"][i];
    CHECK(finding.at("id") == id_of(findings[i].verdict));
    CHECK(finding.at("severity") == "error");
    REQUIRE(finding.at("sites").size() == findings[i].parties.size());
    for (const json& site : finding["sites"]) {
      CHECK(site.at("role").is_string());
      CHECK(site.at("file").is_null() == site.at("line").is_null());
    }
  }
}

TEST_CASE("no finding is an empty list") {
  CHECK(json::parse(text_of({})).at("findings") == json::array());
}

TEST_CASE("severities have words") {
  Finding finding{.verdict = record::Verdict::trap};
  finding.severity = record::Severity::warning;
  CHECK(json::parse(text_of({finding}))["findings"][0]["severity"] == "warning");
  finding.severity = record::Severity::info;
  CHECK(json::parse(text_of({finding}))["findings"][0]["severity"] == "info");
}

TEST_CASE("text that is not UTF-8 does not spoil the document") {
  Finding finding{.verdict = record::Verdict::trap, .launch = {.kernel = "k\xff\xfe"}, .why = "\xc3"};
  CHECK(json::parse(text_of({finding}))["findings"][0]["launch"]["kernel"].is_string());
}

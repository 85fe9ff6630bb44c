// SPDX-License-Identifier: Apache-2.0
//
// The JSON report: approved outputs, and what scripts rely on in any document.
#include "report/json.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "support/catch.hpp"
#include "support/golden.hpp"
#include "unit/report/samples.hpp"

using namespace warpfiber;
using namespace warpfiber::report;
using nlohmann::json;
using record::Finding;

namespace {

std::string text_of(const std::vector<Finding>& findings) {
  samples::Sources sources;
  return render_json(findings, sources);
}

}  // namespace

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
    CHECK(finding.at("id") == findings[i].id);
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
  Finding finding{.id = "trap"};
  finding.severity = record::Severity::warning;
  CHECK(json::parse(text_of({finding}))["findings"][0]["severity"] == "warning");
  finding.severity = record::Severity::info;
  CHECK(json::parse(text_of({finding}))["findings"][0]["severity"] == "info");
}

TEST_CASE("text that is not UTF-8 does not spoil the document") {
  Finding finding{.id = "trap", .launch = {.kernel = "k\xff\xfe"}, .why = "\xc3"};
  CHECK(json::parse(text_of({finding}))["findings"][0]["launch"]["kernel"].is_string());
}

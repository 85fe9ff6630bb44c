// SPDX-License-Identifier: Apache-2.0
//
// What processes that are checked leave for `warpfiber check`: documents of findings, and what copies brought to the
// host. Input, in this order, each but the first after a line with its name: a document; `#document`, one of another
// process; `#finding`, lines of text that a finding is made of, which is written as the runtime does; `#results`, the
// file of the copies of one run; `#results`, that of another.
// Holds: documents of any content are taken in or passed over, and the report of all is well-formed in each format. A
// finding of any texts comes back. Results can be compared.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "fuzz_targets/targets.hpp"
#include "record/finding.hpp"
#include "report/json.hpp"
#include "report/source_text.hpp"
#include "report/text.hpp"
#include "tools/check/comparing/nondeterminism.hpp"
#include "tools/check/documents/merged.hpp"
#include "tools/check/documents/outcome.hpp"
#include "tools/check/formats/junit.hpp"
#include "tools/check/formats/sarif.hpp"

namespace warpfiber::fuzz_targets {
namespace {

using tools::check::Json;
using tools::check::Merged;

/// A source each line of which is the same.
class OneLine final : public report::SourceText {
 public:
  explicit OneLine(std::string line) : line_(std::move(line)) {}
  std::optional<std::string> line(const std::string&, unsigned) override { return line_; }

 private:
  std::string line_;
};

void check_formats(const Merged& merged, const std::string& program) {
  require(merged.document().is_object() && merged.findings().is_array(), "a document lacks its parts");
  require(merged.failure() == 3, "the end of the program is lost");
  const Json log = Json::parse(tools::check::render_sarif(merged, "/home/user", ""), nullptr, false);
  require(!log.is_discarded() && log["runs"][0]["results"].size() == merged.findings().size(), "SARIF lacks results");
  const std::string xml = tools::check::render_junit(merged, program);
  const auto legal = [](char c) { return static_cast<unsigned char>(c) >= ' ' || c == '\n' || c == '\t'; };
  require(std::ranges::all_of(xml, legal), "JUnit has a control character");
  for (const Json& finding : merged.findings()) {
    tools::check::places_of(finding);
    tools::check::headline_of(finding);
    require(!tools::check::kinds_of(finding).empty(), "a finding is of no kind");
  }
  const std::string text = merged.document().dump(2, ' ', false, Json::error_handler_t::replace);
  require(!Json::parse(text, nullptr, false).is_discarded(), "the merged document cannot be read again");
}

void check_documents(std::string_view first, std::string_view second, std::optional<std::uint64_t> seed) {
  Merged merged;
  merged.add(std::string(first), seed, 0);
  merged.add(std::vector<std::string>{std::string(first), std::string(second)}, seed, 3);
  merged.add(std::string(second), seed, 0);
  merged.count("error");
  merged.unchecked();
  if (!merged.findings().empty()) merged.set_again(0, "warpfiber check again");
  check_formats(merged, std::string(second));
}

record::Finding finding_of(const std::vector<std::string>& lines) {
  const auto text = [&lines](std::size_t i) { return i < lines.size() ? lines[i] : std::string(); };
  record::Finding finding;
  finding.verdict = record::Verdict::race_shared;
  finding.launch.kernel = text(0);
  finding.why = text(1);
  finding.fix = text(2);
  finding.again = text(3);
  record::Party party;
  party.role = record::Role::write;
  party.place = {.file = text(4), .line = 7, .function = text(5)};
  party.what = text(6);
  party.detail = text(7);
  party.stack.push_back(party.place);
  finding.parties = {party, party};
  finding.object = record::ObjectFacts{.name = text(8), .type = text(9), .value = text(10)};
  return finding;
}

void check_finding(std::string_view input) {
  std::vector<std::string> lines;
  std::istringstream stream{std::string(input)};
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  const record::Finding finding = finding_of(lines);
  OneLine sources(lines.size() > 11 ? lines[11] : "s[i] = 1;");
  require(report::render_text(finding, sources).ends_with('\n'), "a report does not end its last line");
  Merged merged;
  merged.add(report::render_json(std::span(&finding, 1), sources, {.hooks = true, .launches = 1}), std::nullopt, 3);
  require(merged.findings().size() == 1, "a finding is lost on its way from the program");
  check_formats(merged, finding.launch.kernel);
}

tools::check::RunOutcome outcome_of(std::string_view results, const std::string& output) {
  std::istringstream stream{std::string(results)};
  return {.output = output, .results = tools::check::parse_results(stream)};
}

void check_results(std::string_view input) {
  const Parts parts = parts_at(input, "#results");
  const std::array one = {outcome_of(parts.first, {})};
  const std::array other = {outcome_of(parts.second, {})};
  require(one[0].is_same(one[0]), "a run differs from itself");
  require(!tools::check::nondeterminism({1, one}, {2, one}, true), "a run differs from itself");
  const auto finding = tools::check::nondeterminism({1, one}, {2, other}, true);
  require(!finding || !one[0].is_same(other[0]), "equal runs differ");
  if (!finding) return;
  OneLine sources("cudaMemcpy(a, b, n, cudaMemcpyDeviceToHost);");
  report::render_text(*finding, sources);
}

}  // namespace

void findings(std::string_view input) {
  const Parts results = parts_at(input, "#results");
  const Parts finding = parts_at(results.first, "#finding");
  const Parts documents = parts_at(finding.first, "#document");
  check_documents(documents.first, documents.second, std::nullopt);
  check_documents(documents.first, documents.second, 1);
  check_finding(finding.second);
  check_results(results.second);
}

}  // namespace warpfiber::fuzz_targets

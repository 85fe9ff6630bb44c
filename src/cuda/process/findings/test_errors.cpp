// SPDX-License-Identifier: Apache-2.0
//
// Keeps each kind of error once between two takes.
#include "process/findings/test_errors.hpp"

#include <algorithm>
#include <utility>

#include "report/catalogue/catalogue.hpp"
#include "report/fixes/finding_lines.hpp"

namespace warpfiber::process {
namespace {

constexpr std::size_t kMostTests = 100'000;
constexpr std::size_t kMostNoted = 100;  // kinds of errors in one test

}  // namespace

void TestErrors::begin(std::string suite, std::string name, bool runs_already) {
  if (!runs_already) {
    noted_.clear();
    noted_kinds_.clear();
  }
  running_ = Running{suite.empty() ? name : suite + "." + name, std::nullopt};
  if (coverage_.tests.size() == kMostTests) return;
  running_->place = coverage_.tests.size();
  coverage_.tests.push_back({std::move(suite), std::move(name)});
}

void TestErrors::end(report::TestOutcome outcome) {
  if (running_.has_value() && running_->place.has_value()) coverage_.tests[*running_->place].outcome = outcome;
  running_.reset();
}

void TestErrors::found(std::size_t finding) {
  coverage_.found_in.resize(std::max(coverage_.found_in.size(), finding + 1));
  std::vector<std::size_t>& found_in = coverage_.found_in[finding];
  if (!running_.has_value() || !running_->place.has_value()) return;
  if (found_in.empty() || found_in.back() != *running_->place) found_in.push_back(*running_->place);
}

void TestErrors::remove(std::size_t finding) {
  coverage_.found_in.erase(coverage_.found_in.begin() + static_cast<std::ptrdiff_t>(finding));
}

record::Reason TestErrors::line_of(const record::Finding& finding, const std::string& report) const {
  constexpr std::size_t kMostPlaces = 4;
  std::vector<std::string> places;
  for (const record::Party& party : finding.parties) {
    if (!party.place.known() || places.size() == kMostPlaces) continue;
    std::string place = report::short_place(party.place);
    if (std::ranges::find(places, place) == places.end()) places.push_back(std::move(place));
  }
  const std::string headline = report.substr(0, report.find('\n'));
  if (places.empty()) return {record::ReasonKind::found_in_test, headline, running_->name};
  return {record::ReasonKind::found_in_test_at, headline, std::move(places), running_->name};
}

void TestErrors::note(const FindingKind& kind, const record::Finding& finding, const std::string& report) {
  if (noted_.size() == kMostNoted || !noted_kinds_.try_emplace(kind, noted_.size()).second) return;
  TestError& error = noted_.emplace_back();
  error.id = report::id_of(finding.verdict).data();
  error.report = report.substr(0, report.find_last_not_of('\n') + 1);
  const auto known = std::ranges::find_if(finding.parties, [](const auto& party) { return party.place.known(); });
  if (known == finding.parties.end()) return;
  error.file = files_.insert(known->place.file).first->c_str();
  error.line = known->place.line;
}

std::size_t TestErrors::take() {
  taken_ = std::exchange(noted_, {});
  noted_kinds_.clear();
  return taken_.size();
}

const TestError* TestErrors::taken(std::size_t index) const {
  return index < taken_.size() ? &taken_[index] : nullptr;
}

std::vector<std::pair<FindingKind, std::string>> TestErrors::left() const {
  std::vector<std::pair<FindingKind, std::string>> left;
  if (!is_running()) return left;
  for (const auto& [kind, place] : noted_kinds_) left.emplace_back(kind, noted_[place].report);
  return left;
}

}  // namespace warpfiber::process

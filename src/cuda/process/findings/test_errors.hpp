// SPDX-License-Identifier: Apache-2.0
// The tests that a listener of a test framework has announced, and the errors found in the one that runs, until the
// listener takes them (warpfiber/testing/running_test.h). An error is noted again in each test in which it is found,
// however often it was found before.
// Belongs to the findings log, whose mutex the caller holds. What is kept is bounded.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "process/findings/same_defect.hpp"
#include "record/finding.hpp"
#include "record/reason.hpp"
#include "report/json.hpp"

namespace warpfiber::process {

/// An error as a listener reports it.
struct TestError {
  const char* id = "";    // of the catalogue
  std::string report{};   // without the end of its last line
  const char* file = "";  // of its first place that is known; lives as long as the process
  unsigned line = 0;
};

class TestErrors {
 public:
  /// Tests, and in which of them each finding was found, are noted in `coverage`.
  explicit TestErrors(report::Coverage& coverage) : coverage_(coverage) {}

  /// Errors from now on are this test's, or, with `runs_already`, all that were noted. Else those are no test's.
  void begin(std::string suite, std::string name, bool runs_already);
  void end(report::TestOutcome outcome);
  bool is_running() const { return running_.has_value(); }

  /// What is printed of a finding of the test that runs: what it is about, its lines, and the test.
  record::Reason line_of(const record::Finding& finding, const std::string& report) const;

  /// The finding of this index was found in the test that runs, if there is one.
  void found(std::size_t finding);
  /// It is none, and those behind it have other indices.
  void remove(std::size_t finding);

  /// An error that counts for the process. Before the first test, too: the listener may come later than the errors.
  void note(const FindingKind& kind, const record::Finding& finding, const std::string& report);

  /// The listener takes what was noted since the last time. Returns how many there are.
  std::size_t take();
  /// Null beyond the last. Valid until the next take().
  const TestError* taken(std::size_t index) const;

  /// What was noted in a test and never taken, as its process ends before it does.
  std::vector<std::pair<FindingKind, std::string>> left() const;

 private:
  struct Running {
    std::string name;
    std::optional<std::size_t> place;  // among the tests; nothing where there are too many
  };

  report::Coverage& coverage_;
  std::optional<Running> running_;
  std::vector<TestError> noted_;
  std::map<FindingKind, std::size_t> noted_kinds_;  // to places in noted_
  std::vector<TestError> taken_;
  std::set<std::string> files_;
};

}  // namespace warpfiber::process

// SPDX-License-Identifier: Apache-2.0
//
// Findings as JSON, for scripts and editors: {"findings":[{"id","severity",…,"sites":[{"file","line","role",…}]}]}.
// Keys are a promise: they are added, never renamed. `file` and `line` of a site are null where they are not known;
// other facts that are not known are left out.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/finding.hpp"
#include "report/source_text.hpp"

namespace warpfiber::report {

/// The name and version of the format, first in every document. docs/findings-format.md describes it.
inline constexpr std::string_view kSchema = "warpfiber-findings-1";

/// What became of a test; `running` until it has ended.
enum class TestOutcome { running, passed, failed, skipped };

/// A test of the program, as the listener of its framework names it.
struct ProgramTest {
  std::string suite{};  // may be empty
  std::string name{};
  TestOutcome outcome = TestOutcome::running;
};

/// What a document says besides the findings themselves.
struct Coverage {
  bool hooks = false;            // the program was built with access hooks, so memory was checked
  std::uint64_t launches = 0;    // kernels that have begun
  std::uint64_t suppressed = 0;  // findings that a suppression covers
  std::uint64_t unlisted = 0;    // kinds of findings beyond those a document holds
  std::vector<ProgramTest> tests{};
  std::vector<std::vector<std::size_t>> found_in{};  // by finding: the places in `tests` of those in which it was found
};

/// The document, ending in a newline. Text that is not UTF-8 is repaired, not refused.
std::string render_json(std::span<const record::Finding> findings, SourceText& sources, const Coverage& coverage = {});

/// "not-started": the word for a role.
std::string_view role_name(record::Role role);

}  // namespace warpfiber::report

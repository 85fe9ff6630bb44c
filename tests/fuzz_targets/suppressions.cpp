// SPDX-License-Identifier: Apache-2.0
//
// Suppressions. Input: the text of a file of them and, after a line `#finding`, an id, a kernel, a path and a number of
// a line, a line each, of a finding that they are held against.
// Holds: a text is read or has a line that is wrong. Whether a suppression covers a finding has an answer, which does
// not depend on the other lines; one of `*` covers everything.
#include "report/catalogue/suppressions.hpp"

#include <algorithm>
#include <sstream>
#include <string>

#include "base/text.hpp"
#include "fuzz_targets/targets.hpp"
#include "record/finding.hpp"
#include "report/catalogue/catalogue.hpp"

namespace warpfiber::fuzz_targets {
namespace {

record::Finding finding_of(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::string id;
  std::string kernel;
  std::string file;
  std::string line;
  std::getline(lines, id) && std::getline(lines, kernel) && std::getline(lines, file) && std::getline(lines, line);
  record::Finding finding;
  finding.verdict = report::verdict_of(id).value_or(record::Verdict::deadlock);
  finding.launch.kernel = kernel;
  record::Party party;
  party.place.file = file;
  party.place.line = static_cast<unsigned>(base::parse_number(line).value_or(0));
  finding.parties.push_back(party);
  return finding;
}

}  // namespace

void suppressions(std::string_view input) {
  const Parts parts = parts_at(input, "#finding");
  const auto read = report::parse_suppressions(parts.first, "known.txt");
  const record::Finding finding = finding_of(parts.second);
  if (!read.ok()) return require(read.error().starts_with("known.txt:"), "an error names no line: " + read.error());
  const auto& all = read.value();
  const bool covered = report::is_suppressed(all, finding);
  require(covered == std::ranges::any_of(all, [&](const auto& one) { return one.covers(finding); }),
          "a suppression depends on others");
  const auto any = report::parse_suppressions(std::string(parts.first) + "\n*\n", "known.txt");
  require(any.ok() && report::is_suppressed(any.value(), finding), "* does not cover everything");
}

}  // namespace warpfiber::fuzz_targets

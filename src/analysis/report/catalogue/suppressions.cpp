// SPDX-License-Identifier: Apache-2.0
//
// Reading and applying suppressions. Patterns are fnmatch's, in which * also stands for slashes.
#include "report/catalogue/suppressions.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <sstream>

#include "base/files.hpp"
#include "base/text.hpp"
#include "report/catalogue/catalogue.hpp"

namespace warpfiber::report {
namespace {

constexpr std::size_t kMostMib = 16;

bool matches(const std::string& pattern, const std::string& text) {
  return fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

bool covers_place(const Suppression& suppression, const record::Place& place) {
  if (!place.known()) return suppression.file == "*" && suppression.line == 0;
  if (suppression.line != 0 && suppression.line != place.line) return false;
  const std::string last = place.file.substr(place.file.find_last_of('/') + 1);
  return matches(suppression.file, place.file) || matches(suppression.file, last);
}

/// Splits "file:line"; what is wrong with it, or nothing.
std::string read_file(const std::string& field, Suppression& to) {
  const std::size_t colon = field.rfind(':');
  to.file = field.substr(0, colon);
  if (to.file.empty()) return "'" + field + "' does not name a file";
  if (colon == std::string::npos) return {};
  const auto line = base::parse_number(field.substr(colon + 1));
  if (!line || *line == 0 || *line > std::numeric_limits<unsigned>::max())
    return "'" + field.substr(colon + 1) + "' is not a line number; write file:line with a number from 1";
  to.line = static_cast<unsigned>(*line);
  return {};
}

std::string read_line(const std::vector<std::string>& fields, Suppression& to) {
  if (fields.size() > 3) return "too many fields; a line has an id, a kernel and a file[:line]";
  to.verdict = verdict_of(fields[0]);
  if (fields[0] != "*" && !to.verdict.has_value())
    return "'" + fields[0] + "' is not the id of a finding; warpfiber explain lists the ids; * is any";
  if (fields.size() > 1) to.kernel = fields[1];
  return fields.size() > 2 ? read_file(fields[2], to) : std::string();
}

}  // namespace

bool Suppression::covers(const record::Finding& finding) const {
  if (verdict.has_value() && verdict != finding.verdict) return false;
  if (!matches(kernel, finding.launch.kernel)) return false;
  if (finding.parties.empty()) return covers_place(*this, {});
  return std::ranges::any_of(finding.parties,
                             [this](const record::Party& party) { return covers_place(*this, party.place); });
}

base::Result<std::vector<Suppression>> parse_suppressions(std::string_view text, const std::string& name) {
  std::vector<Suppression> read;
  std::istringstream lines{std::string(text)};
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    const std::vector<std::string> fields{std::istream_iterator<std::string>(words), {}};
    if (fields.empty()) continue;
    const std::string complaint = read_line(fields, read.emplace_back());
    if (!complaint.empty()) return base::Failure{name + ":" + std::to_string(number) + ": " + complaint};
  }
  return read;
}

base::Result<std::vector<Suppression>> read_suppressions(const std::string& path) {
  const base::Result<std::string> text = base::read_input(path, kMostMib);
  if (!text.ok()) return base::Failure{path + ": the file cannot be read: " + text.error()};
  return parse_suppressions(text.value(), path);
}

bool is_suppressed(const std::vector<Suppression>& suppressions, const record::Finding& finding) {
  return std::ranges::any_of(suppressions, [&](const Suppression& one) { return one.covers(finding); });
}

}  // namespace warpfiber::report

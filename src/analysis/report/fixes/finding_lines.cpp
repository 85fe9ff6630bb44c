// SPDX-License-Identifier: Apache-2.0
//
// Names of files are left out where one file has all lines of a finding.
#include "report/fixes/finding_lines.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpfiber::report {

using record::Place;

std::string FindingLines::at(const Place& place) const {
  const bool same = std::ranges::all_of(finding_.parties, [&](const record::Party& party) {
    return !party.place.known() || is_same_file(party.place.file, place.file);
  });
  if (same) return fmt::format("line {}", place.line);
  return short_place(place);
}

std::string FindingLines::text_of(const Place& place) const {
  return place.known() ? sources_.line(place.file, place.line).value_or("") : std::string();
}

std::string short_place(const Place& place) {
  return fmt::format("{}:{}", place.file.substr(place.file.find_last_of('/') + 1), place.line);
}

bool is_of_one_line(const Place& one, const Place& other) {
  return one.known() && one.line == other.line && one.file == other.file;
}

bool is_same_file(const std::string& one, const std::string& other) {
  const auto ends = [](const std::string& path, const std::string& part) {
    return path.ends_with(part) && (path.size() == part.size() || path[path.size() - part.size() - 1] == '/');
  };
  return ends(one, other) || ends(other, one);
}

}  // namespace warpfiber::report

// SPDX-License-Identifier: Apache-2.0
//
// Reads an expression of names, members, calls and indices without a parser; anything else has no name.
#include "report/fixes/fix.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <variant>
#include <vector>

#include "record/diagnosis.hpp"
#include "record/type_layout.hpp"

namespace warpfiber::report {
namespace {

constexpr std::size_t kNotFound = std::string_view::npos;
/// A longer expression is no name.
constexpr std::size_t kLongest = 40;

bool is_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':';
}

bool opens(char c) {
  return c == '(' || c == '[';
}

bool closes(char c) {
  return c == ')' || c == ']';
}

/// The bracket that belongs to the one at `at`, backwards or onwards; kNotFound where the line has none.
std::size_t match_of(std::string_view line, std::size_t at) {
  const bool onwards = opens(line[at]);
  int depth = 0;
  for (std::size_t i = at; i < line.size(); i = onwards ? i + 1 : i - 1) {  // below 0 it is above the size
    depth += opens(line[i]) ? 1 : closes(line[i]) ? -1 : 0;
    if (depth == 0) return i;
  }
  return kNotFound;
}

std::size_t skip_back(std::string_view line, std::size_t end) {
  while (end > 0 && line[end - 1] == ' ') --end;
  return end;
}

/// Where a name or group ends that begins at `at`; `at` where there is none.
std::size_t after_name(std::string_view line, std::size_t at) {
  while (at < line.size() && is_of_name(line[at])) ++at;
  return at;
}

/// The length of "." or "->" at `at`; 0: neither.
std::size_t member_sign(std::string_view line, std::size_t at) {
  return line.substr(at).starts_with('.') ? 1 : line.substr(at).starts_with("->") ? 2 : 0;
}

/// Where the expression begins that ends in front of `end`; `end` where it cannot be read.
std::size_t begin_of(std::string_view line, std::size_t end) {
  std::size_t at = skip_back(line, end);
  while (at > 0) {
    if (closes(line[at - 1])) {
      const bool is_group = line[at - 1] == ')';
      at = match_of(line, at - 1);
      if (at == kNotFound) return end;
      const bool is_behind = at > 0 && (is_of_name(line[at - 1]) || closes(line[at - 1]));
      if (is_behind) continue;
      if (!is_group) return end;
    } else {
      const std::size_t name_end = at;
      while (at > 0 && is_of_name(line[at - 1])) --at;
      if (at == name_end) return end;
    }
    const std::size_t before = skip_back(line, at);
    const std::size_t sign = before >= 2 && member_sign(line, before - 2) == 2 ? 2
                             : before >= 1 && line[before - 1] == '.'          ? 1
                                                                               : 0;
    if (sign == 0) return at;
    at = skip_back(line, before - sign);
  }
  return end;
}

/// Where in the expression that begins at `at` indices open: those that follow directly on one another are in one row.
std::vector<std::vector<std::size_t>> rows_of_indices(std::string_view line, std::size_t at) {
  std::vector<std::vector<std::size_t>> rows;
  if (at < line.size() && line[at] != '(' && after_name(line, at) == at) return rows;
  bool is_behind_index = false;
  for (at = after_name(line, at); at < line.size();) {
    if (opens(line[at])) {
      const std::size_t close = match_of(line, at);
      if (close == kNotFound) return {};
      const bool is_index = line[at] == '[';
      if (is_index && !is_behind_index) rows.emplace_back();
      if (is_index) rows.back().push_back(at);
      is_behind_index = is_index;
      at = close + 1;
      continue;
    }
    const std::size_t sign = member_sign(line, at);
    const std::size_t end = after_name(line, at + sign);
    if (sign == 0 || end == at + sign) return rows;
    is_behind_index = false;
    at = end;
  }
  return rows;
}

/// The bracket of the only index to an array of so many dimensions.
std::optional<std::size_t> only_index(std::string_view line, std::size_t begin, std::size_t dimensions) {
  std::vector<std::size_t> found;
  for (const std::vector<std::size_t>& row : rows_of_indices(line, begin)) {
    if (dimensions <= row.size()) found.push_back(row[row.size() - dimensions]);
  }
  return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

std::string text_between(std::string_view line, std::size_t begin, std::size_t end) {
  end = skip_back(line, end);
  if (begin >= end || end - begin > kLongest) return {};
  const bool is_name = is_of_name(line[begin]) && std::isdigit(static_cast<unsigned char>(line[begin])) == 0;
  return is_name || line[begin] == '(' ? std::string(line.substr(begin, end - begin)) : std::string();
}

}  // namespace

std::string indexed_array(std::string_view line, unsigned column, std::size_t dimensions) {
  if (column == 0 || column > line.size() || dimensions == 0) return {};
  const std::size_t at = column - 1;
  if (line[at] == ']') {
    const std::size_t open = match_of(line, at);
    return open == kNotFound ? std::string() : text_between(line, begin_of(line, open), open);
  }
  const std::optional<std::size_t> open = only_index(line, at, dimensions);
  return open.has_value() ? text_between(line, at, *open) : std::string();
}

void name_array(record::Finding& finding, SourceText& sources) {
  auto* const bad = std::get_if<record::OutsideIndex>(finding.diagnosis.get());
  if (bad == nullptr || bad->line == 0) return;
  const auto party =
      std::ranges::find_if(finding.parties, [bad](const record::Party& one) { return one.place.line == bad->line; });
  if (party == finding.parties.end()) return;
  const std::optional<std::string> line = sources.line(party->place.file, bad->line);
  if (line.has_value()) bad->name = indexed_array(*line, bad->column, record::dimensions_of(bad->array).size());
}

}  // namespace warpfiber::report

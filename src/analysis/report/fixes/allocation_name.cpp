// SPDX-License-Identifier: Apache-2.0
//
// Reads the first argument of a call that allocates, without a parser: an address of something that has a name.
#include "report/fixes/fix.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

namespace warpfiber::report {
namespace {

/// CUDA's functions that return an address through their first argument begin so.
constexpr std::string_view kAllocatingCalls[] = {"cudaMalloc", "cudaHostAlloc", "cuMemAlloc", "cuMemHostAlloc"};
/// A longer expression is no name.
constexpr std::size_t kLongestName = 40;

bool is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Behind the bracket that opens the arguments of the only such call; npos where there is none or another one.
std::size_t arguments_of_only_call(std::string_view line) {
  std::size_t found = std::string_view::npos;
  for (const std::string_view call : kAllocatingCalls) {
    for (std::size_t at = line.find(call); at != std::string_view::npos; at = line.find(call, at + 1)) {
      if (at > 0 && is_letter(line[at - 1])) continue;
      std::size_t end = at;
      while (end < line.size() && is_letter(line[end])) ++end;
      if (end == line.size() || line[end] != '(') continue;
      if (found != std::string_view::npos) return std::string_view::npos;
      found = end + 1;
    }
  }
  return found;
}

/// The first of the arguments that begin at `at`, if it ends in the line.
std::string_view first_argument(std::string_view line, std::size_t at) {
  int depth = 0;
  for (std::size_t end = at; end < line.size(); ++end) {
    if (depth == 0 && (line[end] == ',' || line[end] == ')')) return line.substr(at, end - at);
    depth += line[end] == '(' || line[end] == '[' ? 1 : line[end] == ')' || line[end] == ']' ? -1 : 0;
  }
  return {};
}

std::string_view without_blanks(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

/// Without "(void**)" and "reinterpret_cast<void**>(...)" around it.
std::string_view without_casts(std::string_view argument) {
  constexpr std::string_view kCast = "reinterpret_cast<";
  argument = without_blanks(argument);
  if (argument.starts_with(kCast)) {
    const std::size_t open = argument.find(">(");
    if (open == std::string_view::npos || !argument.ends_with(')')) return {};
    return without_blanks(argument.substr(open + 2, argument.size() - open - 3));
  }
  while (argument.starts_with('(')) {
    const std::size_t close = argument.find(')');
    if (close == std::string_view::npos || argument.substr(0, close).find('*') == std::string_view::npos) return {};
    argument = without_blanks(argument.substr(close + 1));
  }
  return argument;
}

void name_allocation(record::ObjectFacts& object, SourceText& sources) {
  if (!object.name.empty() || !object.declared.known()) return;
  const std::optional<std::string> line = sources.line(object.declared.file, object.declared.line);
  if (!line.has_value()) return;
  object.name = allocated_as(*line);
  object.is_allocated = object.is_allocated || !object.name.empty();
}

}  // namespace

std::string allocated_as(std::string_view line) {
  const std::size_t at = arguments_of_only_call(line);
  if (at == std::string_view::npos) return {};
  std::string_view argument = without_casts(first_argument(line, at));
  if (!argument.starts_with('&')) return {};
  argument = without_blanks(argument.substr(1));
  const auto is_of_expression = [](char c) {
    return is_letter(c) || std::string_view("[].->: +*").find(c) != std::string_view::npos;
  };
  const bool is_name = !argument.empty() && is_letter(argument.front()) && argument.size() <= kLongestName &&
                       std::ranges::all_of(argument, is_of_expression);
  return is_name ? std::string(argument) : std::string();
}

void name_allocations(record::Finding& finding, SourceText& sources) {
  if (finding.object.has_value()) name_allocation(*finding.object, sources);
  for (record::Party& party : finding.parties) {
    if (party.object.has_value()) name_allocation(*party.object, sources);
    for (record::ObjectFacts& object : party.further) name_allocation(object, sources);
  }
}

}  // namespace warpfiber::report

// SPDX-License-Identifier: Apache-2.0
//
// Takes what all runs of a schedule have in common, of status, lines and copies, and compares that of two schedules.
// Lines are compared word by word.
#include "tools/check/comparing/difference.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

namespace warpfiber::tools::check {
namespace {

using Outcomes = std::span<const RunOutcome>;
using Parts = std::vector<std::string_view>;

/// What all runs of a schedule have in common of something; nothing if they differ.
template <class Value, class Of>
std::optional<Value> common(Outcomes runs, const Of& of) {
  const Value first = of(runs.front());
  const bool all = std::ranges::all_of(runs, [&](const RunOutcome& run) { return of(run) == first; });
  return all ? std::optional(first) : std::nullopt;
}

template <class Of>
bool is_by_schedule(Outcomes one, Outcomes other, const Of& of) {
  using Value = std::decay_t<decltype(of(one.front()))>;
  const auto first = common<Value>(one, of);
  const auto second = common<Value>(other, of);
  return first.has_value() && second.has_value() && *first != *second;
}

Parts lines_of(std::string_view text) {
  Parts lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

Parts words_of(std::string_view line) {
  Parts words;
  const auto is_blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  for (const char *at = line.data(), *end = at + line.size(); at != end;) {
    at = std::find_if_not(at, end, is_blank);
    const char* last = std::find_if(at, end, is_blank);
    if (at != last) words.emplace_back(at, static_cast<std::size_t>(last - at));
    at = last;
  }
  return words;
}

std::string_view at(const Parts& parts, std::size_t index) {
  return index < parts.size() ? parts[index] : std::string_view();
}

/// The parts of each run's output, or of a line of it.
using PartsOfRuns = std::vector<Parts>;

PartsOfRuns lines_of(Outcomes runs) {
  PartsOfRuns lines;
  for (const RunOutcome& run : runs) lines.push_back(lines_of(run.output));
  return lines;
}

PartsOfRuns words_of(const PartsOfRuns& lines, std::size_t line) {
  PartsOfRuns words;
  for (const Parts& of_run : lines) words.push_back(words_of(at(of_run, line)));
  return words;
}

std::size_t most(const PartsOfRuns& one, const PartsOfRuns& other) {
  std::size_t count = 0;
  for (const PartsOfRuns* runs : {&one, &other}) {
    for (const Parts& parts : *runs) count = std::max(count, parts.size());
  }
  return count;
}

/// What all runs have in common of part `index`; nothing if they differ.
std::optional<std::string_view> common_part(const PartsOfRuns& runs, std::size_t index) {
  const std::string_view first = at(runs.front(), index);
  const bool all = std::ranges::all_of(runs, [&](const Parts& parts) { return at(parts, index) == first; });
  return all ? std::optional(first) : std::nullopt;
}

bool part_differs(const PartsOfRuns& one, const PartsOfRuns& other, std::size_t index) {
  const auto first = common_part(one, index);
  const auto second = common_part(other, index);
  return first.has_value() && second.has_value() && *first != *second;
}

/// Whether some word of the line is the schedule's doing, whatever times are next to it.
bool line_differs(const PartsOfRuns& one, const PartsOfRuns& other, std::size_t index) {
  if (at(one.front(), index) == at(other.front(), index)) return false;
  const PartsOfRuns first = words_of(one, index);
  const PartsOfRuns second = words_of(other, index);
  for (std::size_t word = 0; word < most(first, second); ++word) {
    if (part_differs(first, second, word)) return true;
  }
  return false;
}

bool is_reordered(const RunOutcome& one, const RunOutcome& other) {
  Parts first = lines_of(one.output);
  Parts second = lines_of(other.output);
  std::ranges::sort(first);
  std::ranges::sort(second);
  return first == second;
}

std::optional<LineDifference> line_of(Outcomes one, Outcomes other) {
  const PartsOfRuns first = lines_of(one);
  const PartsOfRuns second = lines_of(other);
  const std::size_t lines = most(first, second);
  for (std::size_t index = 0; index < lines; ++index) {
    if (!line_differs(first, second, index)) continue;
    return LineDifference{index + 1, std::string(at(first.front(), index)), std::string(at(second.front(), index))};
  }
  return std::nullopt;
}

/// The first byte that is the schedule's doing. Words are judged as a whole: of a clock's time the high bytes may be
/// the same in all runs of one schedule, and no others.
std::optional<std::uint64_t> byte_of(Outcomes one, Outcomes other, std::size_t result) {
  constexpr std::size_t kLongestWord = 8;
  const auto word_of = [result](const RunOutcome& run, std::size_t from) {
    return std::string_view(run.results[result].kept).substr(from, kLongestWord);
  };
  const auto size = [result](const RunOutcome& run) { return run.results[result].kept.size(); };
  const std::size_t bytes = std::min(std::ranges::min(one, {}, size).results[result].kept.size(),
                                     std::ranges::min(other, {}, size).results[result].kept.size());
  for (std::size_t from = 0; from < bytes; from += kLongestWord) {
    const std::string_view mine = word_of(one.front(), from);
    const std::string_view yours = word_of(other.front(), from);
    if (mine == yours) continue;
    if (!is_by_schedule(one, other, [&](const RunOutcome& run) { return word_of(run, from); })) continue;
    return from + static_cast<std::size_t>(std::ranges::mismatch(mine, yours).in1 - mine.begin());
  }
  return std::nullopt;
}

std::optional<CopyDifference> copy_of(Outcomes one, Outcomes other) {
  const auto count = [](const RunOutcome& run) { return run.results.size(); };
  const std::size_t results =
      std::min(std::ranges::min(one, {}, count).results.size(), std::ranges::min(other, {}, count).results.size());
  for (std::size_t result = 0; result < results; ++result) {
    if (const auto byte = byte_of(one, other, result)) return CopyDifference{result, byte};
    const auto rest = [result](const RunOutcome& run) {
      return std::pair(run.results[result].bytes, run.results[result].hash);
    };
    if (is_by_schedule(one, other, rest)) return CopyDifference{result, std::nullopt};
  }
  return std::nullopt;
}

}  // namespace

RunDifference difference_of(Outcomes one, Outcomes other) {
  RunDifference found;
  const auto status = [](const RunOutcome& run) { return run.status; };
  if (is_by_schedule(one, other, status)) found.status = std::pair(one.front().status, other.front().status);
  found.line = line_of(one, other);
  found.only_order = found.line.has_value() && is_reordered(one.front(), other.front());
  found.copy = copy_of(one, other);
  return found;
}

}  // namespace warpfiber::tools::check

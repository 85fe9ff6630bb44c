// SPDX-License-Identifier: Apache-2.0
//
// Describes the first different copy or line in words, with the values of both schedules, and puts it into a
// record::Finding.
#include "tools/check/comparing/nondeterminism.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/text.hpp"
#include "tools/check/documents/document.hpp"

namespace warpfiber::tools::check {
namespace {

constexpr std::size_t kWord = 4;
constexpr std::size_t kShown = 60;  // characters of a line

record::Place place_of(const Json& place) {
  if (!place.is_object()) return {};
  return {.file = text_at(place, "file"),
          .line = static_cast<unsigned>(number_at(place, "line")),
          .function = text_at(place, "function")};
}

std::string shortened(const std::string& line) {
  return line.size() <= kShown ? line : line.substr(0, kShown) + "…";
}

/// A word as a program would print it: as a floating-point number where both look like one.
std::pair<std::string, std::string> word_texts(std::uint32_t one, std::uint32_t other) {
  const auto real = [](std::uint32_t word) { return std::bit_cast<float>(word); };
  const auto is_real = [&](std::uint32_t word) {
    return word == 0 || (std::fabs(real(word)) > 1e-9F && std::fabs(real(word)) < 1e9F);
  };
  if (is_real(one) && is_real(other)) return {fmt::format("{:.9g}", real(one)), fmt::format("{:.9g}", real(other))};
  return {std::to_string(static_cast<std::int32_t>(one)), std::to_string(static_cast<std::int32_t>(other))};
}

/// "element 3 (bytes 12..15 of 4,096) is 7 with seed 1 and 9 with seed 2".
std::string first_difference(const CopyDifference& copy, const ScheduleRuns& one, const ScheduleRuns& other) {
  const CopyResult& mine = one.runs.front().results[copy.result];
  const CopyResult& yours = other.runs.front().results[copy.result];
  if (mine.bytes != yours.bytes) {
    return fmt::format("copies {} with seed {} and {} with seed {}", base::counted(mine.bytes, "byte"), one.seed,
                       base::thousands(yours.bytes), other.seed);
  }
  if (!copy.first_byte.has_value()) return "differs after the bytes that were stored for comparison";
  const std::uint64_t from = *copy.first_byte / kWord * kWord;
  if (from + kWord > std::min(mine.kept.size(), yours.kept.size())) {
    return fmt::format("byte {} of {} is {} with seed {} and {} with seed {}", base::thousands(*copy.first_byte),
                       base::thousands(mine.bytes), static_cast<unsigned char>(mine.kept[*copy.first_byte]), one.seed,
                       static_cast<unsigned char>(yours.kept[*copy.first_byte]), other.seed);
  }
  std::uint32_t words[2];
  std::memcpy(&words[0], mine.kept.data() + from, kWord);
  std::memcpy(&words[1], yours.kept.data() + from, kWord);
  const auto [text, other_text] = word_texts(words[0], words[1]);
  return fmt::format("word {} (bytes {}..{} of {}) is {} with seed {} and {} with seed {}",
                     base::thousands(from / kWord), base::thousands(from), base::thousands(from + kWord - 1),
                     base::thousands(mine.bytes), text, one.seed, other_text, other.seed);
}

record::Party party_of(const CopyDifference& copy, const ScheduleRuns& one, const ScheduleRuns& other) {
  const CopyResult& result = one.runs.front().results[copy.result];
  record::Party party;
  party.role = record::Role::call;
  party.who = {.unit = record::Unit::host, .count = 1};
  party.place = place_of(result.place);
  party.what = result.call;
  party.detail = first_difference(copy, one, other);
  return party;
}

std::optional<record::ObjectFacts> object_of(const CopyDifference& copy, const RunOutcome& run) {
  const CopyResult& result = run.results[copy.result];
  if (!result.object.is_object()) return std::nullopt;
  record::ObjectFacts object;
  object.name = result.object.value("name", "");
  if (object.name.empty()) object.name = "memory";
  object.type = result.object.value("type", "");
  object.space = "global";
  object.bytes = record::Bytes{.offset = result.object.value("offset", std::uint64_t{0}),
                               .size = result.bytes,
                               .extent = result.object.value("extent", std::uint64_t{0})};
  object.declared = place_of(result.object["declared"]);
  return object;
}

std::string ending_of(const RunOutcome& run) {
  if (run.signal == 0) return fmt::format("ends with {}", run.status);
  return fmt::format("is ended by signal {} ({})", run.signal, strsignal(run.signal));
}

std::string what_differs(const RunDifference& found, const ScheduleRuns& one, const ScheduleRuns& other) {
  if (found.status.has_value()) {
    return fmt::format("The program {} on the schedule of seed {} and {} on that of seed {}.",
                       ending_of(one.runs.front()), one.seed, ending_of(other.runs.front()), other.seed);
  }
  if (found.line.has_value()) {
    return fmt::format("Line {} of the output is \"{}\" on the schedule of seed {} and \"{}\" on that of seed {}.",
                       found.line->line, shortened(found.line->one), one.seed, shortened(found.line->other),
                       other.seed);
  }
  return fmt::format("A copy to the host returns different bytes on the schedules of seed {} and seed {}.", one.seed,
                     other.seed);
}

}  // namespace

std::optional<record::Finding> nondeterminism(const ScheduleRuns& one, const ScheduleRuns& other, bool strict) {
  const RunDifference found = difference_of(one.runs, other.runs);
  const bool silent = one.runs.front().output.empty() && other.runs.front().output.empty();
  if (!found.any() || !(found.is_visible() || silent || strict)) return std::nullopt;
  record::Finding made;
  made.verdict = record::Verdict::nondeterminism;
  made.severity = found.status.has_value() ? record::Severity::error : record::Severity::warning;
  if (found.copy.has_value()) {
    made.object = object_of(*found.copy, one.runs.front());
    made.parties.push_back(party_of(*found.copy, one, other));
  }
  made.why =
      what_differs(found, one, other) +
      " Each schedule reproduces its own result, and no error was found: the result depends on the order of atomics or "
      "volatile accesses (for example of floating-point additions, or of elements that are appended).";
  made.fix =
      "for one result on all schedules: add integers or add in a fixed order, compute positions with a scan instead of "
      "a counter, break ties by index; otherwise suppress this finding";
  return made;
}

}  // namespace warpfiber::tools::check

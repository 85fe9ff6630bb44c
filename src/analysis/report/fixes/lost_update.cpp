// SPDX-License-Identifier: Apache-2.0
// The function that does both in one is named after the line, where that shows it.
#include "report/fixes/race_parts.hpp"

#include <fmt/format.h>

#include <string>

#include "report/fixes/placement.hpp"
#include "report/fixes/source/source_words.hpp"

namespace warpfiber::report {
namespace {

using record::Place;

std::string text_of(const Place& place, SourceText& sources) {
  return place.known() ? sources.line(place.file, place.line).value_or("") : std::string();
}

/// Of `n = n + 1`.
std::string function_of_sum(const std::string& line) {
  const std::size_t value = line.rfind('=');
  if (value == std::string::npos) return {};
  const std::size_t sign = line.find_first_of("+-", value);
  if (sign == std::string::npos) return {};
  return line[sign] == '+' ? "atomicAdd()" : "atomicSub()";
}

}  // namespace

void explain_lost_update(record::Finding& finding, SourceText& sources) {
  const Place& write = finding.parties.front().place;
  const Place& read = finding.parties.back().place;
  finding.why =
      "Each thread reads the word and then writes it, and nothing keeps another thread's write from coming between the "
      "two: that write is then lost. volatile makes no update atomic.";
  if (is_polling(read, written_variable(text_of(write, sources)), sources)) {
    finding.fix = fmt::format(
        "take the lock in one operation, while (atomicCAS(&lock, 0, 1) != 0), in place of the test at line {} and the "
        "write at line {}; then __threadfence() behind it and before the lock is released",
        read.line, write.line);
    return;
  }
  std::string function = atomic_function_for(text_of(write, sources));
  if (function.empty()) function = atomic_function_for(text_of(read, sources));
  if (function.empty()) function = function_of_sum(text_of(write, sources));
  const bool known = !function.empty();
  finding.fix = fmt::format("{} in place of the read{} and the write{}", known ? function : "one atomic function",
                            write.line == read.line ? "" : fmt::format(" at line {}", read.line),
                            write.line == read.line ? "" : fmt::format(" at line {}", write.line));
  if (!known) finding.fix += ", such as atomicAdd() or atomicCAS()";
}

}  // namespace warpfiber::report

// SPDX-License-Identifier: Apache-2.0
#include "tools/crosscheck/output.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "tools/crosscheck/elements.hpp"

namespace warpfiber::tools::crosscheck {
namespace {

constexpr const char* kNumberCharacters = "0123456789+-.eE";

/// A number with a point or an exponent, and how much its last digit counts.
struct Decimal {
  double value = 0;
  double unit = 0;
};

std::optional<Decimal> decimal(const std::string& word) {
  const std::size_t point = word.find('.');
  const std::size_t exponent = std::min(word.find_first_of("eE"), word.size());
  if (point == std::string::npos && exponent == word.size()) return std::nullopt;
  char* end = nullptr;
  Decimal read;
  read.value = std::strtod(word.c_str(), &end);
  if (end == word.c_str() || *end != '\0') return std::nullopt;
  const int digits = point < exponent ? static_cast<int>(exponent - point - 1) : 0;
  const int power = exponent < word.size() ? std::atoi(word.c_str() + exponent + 1) : 0;
  read.unit = std::pow(10.0, power - digits);
  return read;
}

bool alike(const std::string& ours, const std::string& theirs, std::uint64_t ulp) {
  if (ours == theirs) return true;
  const auto a = decimal(ours);
  const auto b = decimal(theirs);
  if (!a || !b) return false;
  // A little more than one unit, since the decimals themselves are rounded to binary.
  if (std::fabs(a->value - b->value) <= 1.001 * std::max(a->unit, b->unit) && ulp != 0) return true;
  return distance_of(a->value, b->value, "float") <= ulp;
}

/// The next word: a run of characters that numbers are made of, or one other character.
std::string next_word(std::string_view& line) {
  std::size_t size = std::min(line.find_first_not_of(kNumberCharacters), line.size());
  size = std::max<std::size_t>(size, 1);
  std::string word(line.substr(0, size));
  line.remove_prefix(size);
  return word;
}

bool lines_alike(std::string_view ours, std::string_view theirs, std::uint64_t ulp) {
  while (!ours.empty() && !theirs.empty()) {
    const std::string our_word = next_word(ours);
    const std::string their_word = next_word(theirs);
    if (!alike(our_word, their_word, ulp)) return false;
  }
  return ours.empty() && theirs.empty();
}

std::string_view next_line(std::string_view& text) {
  const std::size_t size = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, size);
  text.remove_prefix(std::min(size + 1, text.size()));
  return line;
}

}  // namespace

OutputLikeness compare_output(std::string_view ours, std::string_view theirs, std::uint64_t ulp) {
  OutputLikeness likeness;
  for (std::size_t number = 1; !ours.empty() || !theirs.empty(); ++number) {
    const bool one_ended = ours.empty() || theirs.empty();
    const std::string_view our_line = next_line(ours);
    const std::string_view their_line = next_line(theirs);
    if (!one_ended && our_line == their_line) continue;
    if (!one_ended && lines_alike(our_line, their_line, ulp)) {
      ++likeness.tolerated;
      continue;
    }
    return {false, likeness.tolerated, number, std::string(our_line), std::string(their_line)};
  }
  return likeness;
}

}  // namespace warpfiber::tools::crosscheck

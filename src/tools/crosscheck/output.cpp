// SPDX-License-Identifier: Apache-2.0
//
// Splits lines into words and numbers and compares them in pairs. Whether only the order of lines differs is found by
// sorting them.
#include "tools/crosscheck/output.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include "tools/crosscheck/elements.hpp"

namespace warpfiber::tools::crosscheck {
namespace {

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// What names and numbers are made of.
bool is_part(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

enum class OutputTokenKind { other, integer, decimal, nan };

/// A word, a number or one other character. A decimal has a point between digits, or an exponent as printf writes it;
/// what else has digits is an integer, or part of a word: 0x1e5, v1.2, 5ms.
struct OutputToken {
  OutputTokenKind kind = OutputTokenKind::other;
  std::size_t blanks = 0;  // in front of it
  std::string text{};

  bool is_number() const { return kind == OutputTokenKind::integer || kind == OutputTokenKind::decimal; }
};

/// Takes a line apart.
class OutputScanner {
 public:
  explicit OutputScanner(std::string_view line) : line_(line) {}

  std::vector<OutputToken> tokens() {
    std::vector<OutputToken> all;
    for (;;) {
      const std::size_t begin = std::min(line_.find_first_not_of(" \t\r", at_), line_.size());
      OutputToken token{OutputTokenKind::other, begin - at_, {}};
      at_ = begin;
      const std::size_t end = end_of_token(token.kind);
      token.text = line_.substr(begin, end - begin);
      at_ = end;
      all.push_back(std::move(token));
      if (at_ == line_.size()) return all;
    }
  }

 private:
  char at(std::size_t i) const { return i < line_.size() ? line_[i] : '\0'; }
  bool follows_part(std::size_t i) const { return i > 0 && (is_part(line_[i - 1]) || line_[i - 1] == '.'); }

  std::size_t digits_from(std::size_t i) const {
    while (is_digit(at(i))) ++i;
    return i;
  }

  std::size_t end_of_token(OutputTokenKind& kind) const {
    if (at_ == line_.size()) return at_;
    const bool has_sign = at(at_) == '-' || at(at_) == '+';
    const std::size_t begin = at_ + (has_sign ? 1 : 0);
    if (!follows_part(at_)) {
      const std::size_t end = end_of_number(begin, kind);
      if (end != begin) return end;
      if (is_nan(begin)) {
        kind = OutputTokenKind::nan;
        return begin + 3;
      }
    }
    std::size_t end = at_;
    while (is_part(at(end))) ++end;
    return std::max(end, at_ + 1);
  }

  bool is_nan(std::size_t i) const {
    const auto letter = [&](std::size_t n) { return std::tolower(static_cast<unsigned char>(at(i + n))); };
    return letter(0) == 'n' && letter(1) == 'a' && letter(2) == 'n' && !is_part(at(i + 3));
  }

  /// `begin` where there is none.
  std::size_t end_of_number(std::size_t begin, OutputTokenKind& kind) const {
    std::size_t end = digits_from(begin);
    bool is_decimal = false;
    if (at(end) == '.' && is_digit(at(end + 1))) {
      end = digits_from(end + 1);
      is_decimal = true;
      if (at(end) == '.' && is_digit(at(end + 1))) return begin;  // a version, an address of the internet
    }
    if (end == begin) return begin;
    const bool has_exponent = (at(end) == 'e' || at(end) == 'E') && (at(end + 1) == '-' || at(end + 1) == '+') &&
                              is_digit(at(end + 2)) && is_digit(at(end + 3));
    if (has_exponent) end = digits_from(end + 2);
    is_decimal = is_decimal || has_exponent;
    if (!is_decimal && is_part(at(end))) return begin;
    kind = is_decimal ? OutputTokenKind::decimal : OutputTokenKind::integer;
    return end;
  }

  std::string_view line_;
  std::size_t at_ = 0;
};

/// How much one of the last digit printed counts.
double unit_of(const OutputToken& token) {
  const std::size_t exponent = std::min(token.text.find_first_of("eE"), token.text.size());
  const std::size_t point = token.text.find('.');
  const int digits = point < exponent ? static_cast<int>(exponent - point - 1) : 0;
  const int power = exponent < token.text.size() ? std::atoi(token.text.c_str() + exponent + 1) : 0;
  return token.kind == OutputTokenKind::decimal ? std::pow(10.0, power - digits) : 0;
}

bool are_equal(const OutputToken& ours, const OutputToken& theirs, std::uint64_t ulp) {
  if (ours.text == theirs.text) return true;
  if (ours.kind == OutputTokenKind::nan && theirs.kind == OutputTokenKind::nan) return true;
  if (!ours.is_number() || !theirs.is_number()) return false;
  const double unit = std::max(unit_of(ours), unit_of(theirs));
  if (unit == 0) return false;  // two integers
  const double a = std::strtod(ours.text.c_str(), nullptr);
  const double b = std::strtod(theirs.text.c_str(), nullptr);
  // A little more than one unit, since the decimals themselves are rounded to binary.
  if (std::fabs(a - b) <= 1.001 * unit && ulp != 0) return true;
  return distance_of(a, b, "float") <= ulp;
}

bool are_equal_lines(std::string_view our_line, std::string_view their_line, std::uint64_t ulp) {
  const std::vector<OutputToken> ours = OutputScanner(our_line).tokens();
  const std::vector<OutputToken> theirs = OutputScanner(their_line).tokens();
  if (ours.size() != theirs.size()) return false;
  bool was_other_length = false;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (!are_equal(ours[i], theirs[i], ulp)) return false;
    // A column is filled up on either side of a number that has become longer.
    const bool is_other_length = ours[i].text.size() != theirs[i].text.size();
    if (ours[i].blanks != theirs[i].blanks && !is_other_length && !was_other_length) return false;
    was_other_length = is_other_length;
  }
  return true;
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
    if (!one_ended && are_equal_lines(our_line, their_line, ulp)) {
      ++likeness.tolerated;
      continue;
    }
    return {false, likeness.tolerated, number, std::string(our_line), std::string(their_line)};
  }
  return likeness;
}

std::string sorted_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) lines.push_back(next_line(text));
  std::ranges::sort(lines);
  std::string sorted;
  for (const std::string_view line : lines) sorted.append(line) += '\n';
  return sorted;
}

}  // namespace warpfiber::tools::crosscheck

// SPDX-License-Identifier: Apache-2.0
// Decodes elements by a table of types and measures distances between floats in units in the last place. Guesses at
// unknown types only serve the message.
#include "tools/crosscheck/comparing.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace warpfiber::tools::crosscheck {
namespace {

/// A kind of element: its name, its size, for floats the bits of the mantissa, and how it is written.
struct ElementType {
  std::string_view name;
  std::size_t size;
  unsigned mantissa;  // 0: not a float
  bool is_signed;
};

constexpr ElementType kKinds[] = {
    {"float", 4, 23, true}, {"double", 8, 52, true}, {"half", 2, 10, true}, {"bfloat16", 2, 7, true},
    {"int8", 1, 0, true},   {"uint8", 1, 0, false},  {"int16", 2, 0, true}, {"uint16", 2, 0, false},
    {"int32", 4, 0, true},  {"uint32", 4, 0, false}, {"int64", 8, 0, true}, {"uint64", 8, 0, false},
};

const ElementType& kind_of(std::string_view name) {
  const auto* const kind = std::ranges::find(kKinds, name, &ElementType::name);
  return kind != std::end(kKinds) ? *kind : *std::ranges::find(kKinds, "uint8", &ElementType::name);
}

std::uint64_t bits_at(std::string_view bytes, const ElementType& kind, std::size_t index) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + index * kind.size, kind.size);  // little endian, as every host that has CUDA
  return bits;
}

std::uint64_t magnitude_mask(const ElementType& kind) {
  return (std::uint64_t{1} << (kind.size * 8 - 1)) - 1;
}

std::uint64_t infinity_of(const ElementType& kind) {
  return magnitude_mask(kind) >> kind.mantissa << kind.mantissa;
}

/// How many numbers of the type lie between.
std::uint64_t float_distance(std::uint64_t a, std::uint64_t b, const ElementType& kind) {
  const std::uint64_t mask = magnitude_mask(kind);
  const std::uint64_t infinity = infinity_of(kind);
  const std::uint64_t size_a = a & mask;
  const std::uint64_t size_b = b & mask;
  if (size_a > infinity && size_b > infinity) return 0;  // a NaN is a NaN: hardware has one of its own
  if (a == b) return 0;
  if (size_a >= infinity || size_b >= infinity) return kNeverEqual;
  const bool same_sign = (a > mask) == (b > mask);
  return same_sign ? std::max(size_a, size_b) - std::min(size_a, size_b) : size_a + size_b;
}

double value_of(std::uint64_t bits, const ElementType& kind) {
  if (kind.size == 8) return std::bit_cast<double>(bits);
  if (kind.mantissa == 23) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  const std::uint64_t magnitude = bits & magnitude_mask(kind);
  const unsigned exponent_bits = 15 - kind.mantissa;
  const auto exponent = static_cast<int>(magnitude >> kind.mantissa);
  const auto fraction = static_cast<double>(magnitude & ((std::uint64_t{1} << kind.mantissa) - 1));
  const int bias = (1 << (exponent_bits - 1)) - 1;
  double value = exponent == 0 ? std::ldexp(fraction, 1 - bias - static_cast<int>(kind.mantissa))
                               : std::ldexp(fraction + std::ldexp(1.0, static_cast<int>(kind.mantissa)),
                                            exponent - bias - static_cast<int>(kind.mantissa));
  if (magnitude == infinity_of(kind)) value = HUGE_VAL;
  if (magnitude > infinity_of(kind)) value = std::nan("");
  return bits > magnitude_mask(kind) ? -value : value;
}

std::string text_of(std::uint64_t bits, const ElementType& kind, bool known) {
  if (kind.mantissa != 0) return fmt::format("{:.{}g}", value_of(bits, kind), kind.size == 8 ? 17 : 9);
  if (!known) return fmt::format("0x{:02x}", bits);
  if (!kind.is_signed) return std::to_string(bits);
  const unsigned unused = 64 - static_cast<unsigned>(kind.size) * 8;
  return std::to_string(static_cast<std::int64_t>(bits << unused) >> unused);
}

/// Whether bytes of an unknown type are likely floats of this kind: each is zero, or of a size that people compute
/// with, and the bytes do not as well make small whole numbers.
bool look_like(std::string_view bytes, const ElementType& kind) {
  constexpr double kSmallest = 1e-12;
  constexpr double kLargest = 1e12;
  if (bytes.size() % kind.size != 0) return false;
  for (std::size_t i = 0; i < bytes.size() / kind.size; ++i) {
    const double value = std::fabs(value_of(bits_at(bytes, kind, i), kind));
    if (value != 0 && !(value >= kSmallest && value <= kLargest)) return false;
  }
  return true;
}

std::uint64_t largest_distance(std::string_view ours, std::string_view theirs, const ElementType& kind) {
  std::uint64_t largest = 0;
  for (std::size_t i = 0; i < ours.size() / kind.size; ++i) {
    largest = std::max(largest, float_distance(bits_at(ours, kind, i), bits_at(theirs, kind, i), kind));
  }
  return largest;
}

/// What bytes may be that differ: of floats and doubles the one that is nearer. Pairs of floats look like doubles more
/// often than the reverse.
void guess(Likeness& to, std::string_view ours, std::string_view theirs) {
  for (const std::string_view name : {"float", "double"}) {
    const ElementType& kind = kind_of(name);
    if (!look_like(ours, kind) || !look_like(theirs, kind)) continue;
    const std::uint64_t apart = largest_distance(ours, theirs, kind);
    if (!to.maybe.empty() && apart >= to.apart) continue;
    to.maybe = name;
    to.apart = apart;
  }
}

/// One step of the comparison.
void add(Likeness& to, std::size_t index, const ElementType& kind, std::uint64_t a, std::uint64_t b,
         std::uint64_t ulp) {
  if (a == b) return;
  const std::uint64_t distance = kind.mantissa != 0 ? float_distance(a, b, kind) : kNeverEqual;
  const bool tolerated = distance <= ulp;
  const bool is_first = tolerated ? to.equal && to.tolerated == 0 : to.equal;
  if (tolerated) {
    ++to.tolerated;
    to.largest = std::max(to.largest, distance);
  } else {
    to.equal = false;
    ++to.differing;
  }
  if (!is_first) return;
  to.first = index;
  to.byte = index * kind.size;
  to.distance = distance;
  const bool known = to.type != "bytes";
  to.ours = text_of(a, kind, known);
  to.theirs = text_of(b, kind, known);
}

}  // namespace

Likeness compare_elements(std::string_view ours, std::string_view theirs, std::string_view type, std::uint64_t ulp) {
  Likeness likeness;
  const ElementType& known = kind_of(type);
  const ElementType& kind = ours.size() % known.size == 0 ? known : kind_of("uint8");
  likeness.type = kind.name == type ? type : "bytes";
  likeness.floating = kind.mantissa != 0;
  likeness.elements = ours.size() / kind.size;
  if (ours == theirs) return likeness;
  for (std::size_t i = 0; i < likeness.elements; ++i) {
    add(likeness, i, kind, bits_at(ours, kind, i), bits_at(theirs, kind, i), ulp);
  }
  if (type.empty()) guess(likeness, ours, theirs);
  return likeness;
}

bool could_be_rounding(const Likeness& likeness) {
  constexpr unsigned kBits = 10;
  const unsigned mantissa = kind_of(likeness.type).mantissa;
  return mantissa != 0 && likeness.distance < std::uint64_t{1} << (mantissa > kBits ? mantissa - kBits : 2);
}

bool same_elements(std::string_view ours, std::string_view theirs, std::string_view type) {
  if (type.empty()) return false;  // the same bytes in another order may be other elements
  const ElementType& known = kind_of(type);
  const ElementType& kind = ours.size() % known.size == 0 ? known : kind_of("uint8");
  const auto sorted = [&kind](std::string_view bytes) {
    std::vector<std::uint64_t> all;
    for (std::size_t i = 0; i < bytes.size() / kind.size; ++i) all.push_back(bits_at(bytes, kind, i));
    std::ranges::sort(all);
    return all;
  };
  return ours.size() == theirs.size() && sorted(ours) == sorted(theirs);
}

std::uint64_t distance_of(double a, double b, std::string_view type) {
  const ElementType& kind = kind_of(type);
  if (kind.size == 8) return float_distance(std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b), kind);
  return float_distance(std::bit_cast<std::uint32_t>(static_cast<float>(a)),
                        std::bit_cast<std::uint32_t>(static_cast<float>(b)), kind);
}

// Splits lines into words and numbers and compares them in pairs. Whether only the order of lines differs is found by
// sorting them.

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

// SPDX-License-Identifier: Apache-2.0
//
// Decodes elements by a table of types and measures distances between floats in units in the last place. Guesses at
// unknown types only serve the message.
#include "tools/crosscheck/elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

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

}  // namespace warpfiber::tools::crosscheck

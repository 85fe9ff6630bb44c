// SPDX-License-Identifier: Apache-2.0
// Products of matrices against a model that works on one output after another, in integers of 128 bits, on random
// matrices with terms of all sizes; and some sums whose results differ between GPUs.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "base/random.hpp"
#include "machine/matrix/layout.hpp"
#include "machine/matrix/multiply.hpp"
#include "machine/matrix/sum_rules.hpp"
#include "support/catch.hpp"

using namespace warpfiber;
using detail::ComputeCapability;
using detail::Element;
using detail::kMatrixLanes;
using detail::MatrixProduct;

namespace {

__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

/// The words of a matrix in the lanes.
struct Registers {
  std::array<std::array<std::uint32_t, detail::kMostMatrixWords>, kMatrixLanes> words{};
  std::array<std::uint32_t*, kMatrixLanes> pointers{};

  Registers() {
    for (unsigned lane = 0; lane < kMatrixLanes; ++lane) pointers[lane] = words[lane].data();
  }
  Registers(const Registers& other) : Registers() { words = other.words; }
  Registers& operator=(const Registers&) = delete;

  std::uint32_t get(Element element, unsigned lane, unsigned index) const {
    const unsigned bits = detail::bits_of(element);
    const unsigned at = index * bits;
    return words[lane][at / 32] >> at % 32 & (bits == 32 ? ~0U : (1U << bits) - 1);
  }
  void set(Element element, unsigned lane, unsigned index, std::uint32_t value) {
    const unsigned at = index * detail::bits_of(element);
    words[lane][at / 32] |= value << at % 32;
  }
};

struct Format {
  int fraction_bits;
  int bias;
  unsigned sign_at;
  bool has_infinity;
};
Format format_of(Element element) {
  switch (element) {
    case Element::f16: return {10, 15, 15, true};
    case Element::bf16: return {7, 127, 15, true};
    case Element::e4m3: return {3, 7, 7, false};
    case Element::e5m2: return {2, 15, 7, true};
    default: return {23, 127, 31, true};
  }
}

/// significand * 2^exponent, or an infinity or NaN.
struct Term {
  Int128 significand = 0;
  int exponent = -1000;   // that counts for the alignment
  int fraction_bits = 0;  // of the significand
  double special = 0;     // where it is not finite
};

Term term_of(Element element, std::uint32_t bits) {
  if (element == Element::tf32) bits &= 0xffffe000;
  const Format format = format_of(element);
  const std::uint32_t magnitude = bits & ((1U << format.sign_at) - 1);
  const int field = static_cast<int>(magnitude >> format.fraction_bits);
  const std::uint32_t fraction = magnitude & ((1U << format.fraction_bits) - 1);
  const bool is_negative = (bits >> format.sign_at & 1) != 0;
  const int last = (1 << (format.sign_at - static_cast<unsigned>(format.fraction_bits))) - 1;
  const double infinity = std::numeric_limits<double>::infinity();
  if (format.has_infinity ? field == last : magnitude == 0x7f) {
    const bool is_nan = !format.has_infinity || fraction != 0;
    return {.special = is_nan ? std::nan("") : is_negative ? -infinity : infinity};
  }
  if (magnitude == 0) return {};
  Term term{.significand = static_cast<Int128>(fraction), .fraction_bits = format.fraction_bits};
  if (field != 0) term.significand += 1 << format.fraction_bits;
  if (is_negative) term.significand = -term.significand;
  term.exponent = std::max(field, 1) - format.bias;
  return term;
}

double number_of(const Term& term) {
  if (!std::isfinite(term.special) || std::isnan(term.special)) return term.special;
  return std::ldexp(static_cast<double>(term.significand), term.exponent - term.fraction_bits);
}

/// A number of a format in which it is not subnormal.
Term normal(Term term) {
  const Int128 least = Int128{1} << term.fraction_bits;
  for (; term.significand != 0 && term.significand < least && term.significand > -least; --term.exponent)
    term.significand *= 2;
  return term;
}

Term product_of(const Term& a, const Term& b) {
  return {.significand = a.significand * b.significand,
          .exponent = a.exponent + b.exponent,
          .fraction_bits = a.fraction_bits + b.fraction_bits};
}

/// Towards 0.
Int128 shifted(Int128 value, int by) {
  const bool is_negative = value < 0;
  UInt128 magnitude = static_cast<UInt128>(is_negative ? -value : value);
  if (by >= 0)
    magnitude <<= by;
  else
    magnitude = by <= -127 ? 0 : magnitude >> -by;
  return is_negative ? -static_cast<Int128>(magnitude) : static_cast<Int128>(magnitude);
}

/// The exact sum is an integer times a power of two, so a double holds it.
double sum_of(const std::vector<Term>& terms, unsigned fraction_bits) {
  int top = -2 * 126;
  for (const Term& term : terms) top = std::max(top, term.exponent);
  Int128 total = 0;
  for (const Term& term : terms)
    total += shifted(term.significand, static_cast<int>(fraction_bits) - term.fraction_bits + term.exponent - top);
  return std::ldexp(static_cast<double>(total), top - static_cast<int>(fraction_bits));
}

std::uint32_t bits_of_single(double value) {
  const float single = static_cast<float>(value);
  std::uint32_t bits = 0;
  std::memcpy(&bits, &single, sizeof bits);
  return bits;
}

std::uint32_t cut(double value, unsigned fraction_bits) {
  if (value == 0) return 0;
  const int exponent = std::max(std::ilogb(value), -126);
  const double unit = std::ldexp(1.0, exponent - static_cast<int>(fraction_bits));
  const double kept = std::trunc(value / unit) * unit;
  return kept == 0 ? 0 : bits_of_single(kept);
}

std::uint32_t nearest_half(double value) {
  if (value == 0) return 0;
  const double unit = std::ldexp(1.0, std::max(std::ilogb(value), -14) - 10);
  const double rounded = std::nearbyint(value / unit) * unit;  // to even
  const std::uint32_t sign = value < 0 ? 0x8000 : 0;
  const double magnitude = std::fabs(rounded);
  if (magnitude == 0) return 0;
  if (magnitude >= 65536) return sign | 0x7c00;
  if (magnitude < 0x1p-14) return sign | static_cast<std::uint32_t>(magnitude * 0x1p24);
  const int exponent = std::ilogb(magnitude);
  return sign | (static_cast<std::uint32_t>(exponent + 15) << 10) |
         (static_cast<std::uint32_t>(std::ldexp(magnitude, 10 - exponent)) - 1024);
}

std::uint32_t round_to(Element element, double value, unsigned fraction_bits) {
  return element == Element::f16 ? nearest_half(value) : cut(value, fraction_bits);
}

std::uint32_t special_bits(Element element, double value) {
  const bool is_half = element == Element::f16;
  if (std::isnan(value)) return is_half ? 0x7fff : 0x7fffffff;
  return (value < 0 ? (is_half ? 0x8000U : 0x80000000U) : 0) | (is_half ? 0x7c00U : 0x7f800000U);
}

/// One output, from the elements that are there.
std::uint32_t expected(const MatrixProduct& product, ComputeCapability capability, const std::vector<std::uint32_t>& a,
                       const std::vector<std::uint32_t>& b, std::uint32_t c) {
  machine::SumRule rule = machine::sum_rule(capability, product);
  if (product.is_sparse) rule.terms /= 2;
  std::vector<unsigned> order;
  for (const unsigned parity : {0U, 1U}) {
    for (unsigned k = 0; k < a.size(); ++k) {
      if (k / 2 % 2 == parity) order.push_back(k);
    }
  }
  if (!rule.alternates) std::ranges::sort(order);
  const bool afterwards = rule.adds_c == machine::AddsC::afterwards;
  Term sum = afterwards ? Term{} : term_of(product.c, c);
  std::uint32_t result = 0;
  const auto count = static_cast<unsigned>(a.size());
  for (unsigned first = 0; first < count; first += rule.terms) {
    std::vector<Term> terms{sum};
    double plain = number_of(sum);
    for (unsigned i = first; i < std::min(first + rule.terms, count); ++i) {
      Term left = term_of(product.a, a[order[i]]);
      Term right = term_of(product.b, b[order[i]]);
      if (rule.as_half && product.a == Element::e4m3) left = normal(left);
      if (rule.as_half && product.b == Element::e4m3) right = normal(right);
      terms.push_back(product_of(left, right));
      plain += number_of(left) * number_of(right);
    }
    result = std::isfinite(plain) ? round_to(product.d, sum_of(terms, rule.fraction_bits), rule.result_bits)
                                  : special_bits(product.d, plain);
    sum = term_of(product.d, result);
  }
  if (!afterwards) return result;
  const double total = number_of(sum) + number_of(term_of(product.c, c));
  if (!std::isfinite(total)) return special_bits(product.d, total);
  return product.d == Element::f16 ? nearest_half(total) : bits_of_single(total);
}

enum class Numbers { close, far_apart, all_bits, tiny };

/// Random bits of an element; `far_apart`: exponents of 24 powers of two and cancelling signs, `all_bits`: with
/// subnormal numbers, infinities and NaN, `tiny`: products are subnormal, and C is 0.
std::uint32_t random_element(base::Random& random, Element element, Numbers numbers) {
  const unsigned bits = detail::bits_of(element);
  const auto any = static_cast<std::uint32_t>(random.next()) & (bits == 32 ? ~0U : (1U << bits) - 1);
  if (numbers == Numbers::all_bits || element >= Element::f64) return random.below(8) == 0 ? 0 : any;
  const Format format = format_of(element);
  const std::uint32_t fraction = any & ((1U << format.fraction_bits) - 1);
  const std::uint32_t sign = (any >> format.sign_at & 1) << format.sign_at;
  if (numbers == Numbers::tiny) {
    if (element == Element::f32) return sign;
    const auto field =
        static_cast<std::uint32_t>(random.below(4)) + static_cast<unsigned>(std::max(format.bias / 2 - 3, 0));
    return sign | field << format.fraction_bits | fraction;
  }
  const int range = numbers == Numbers::close ? 2 : std::min(12, format.bias - 2);
  const auto field = static_cast<std::uint32_t>(format.bias - range +
                                                static_cast<int>(random.below(static_cast<unsigned>(2 * range))));
  return sign | field << format.fraction_bits | fraction;
}

/// The column of A in which element `i` of a row is, where all groups of metadata are `code`.
unsigned column_of(const MatrixProduct& product, unsigned code, unsigned i) {
  if (!product.is_sparse) return i;
  if (product.a == Element::tf32) return 2 * i + (code & 3) / 2;
  return i / 2 * 4 + (code >> i % 2 * 2 & 3);
}

/// `code`: the metadata of every group of a sparse A.
void compare(const MatrixProduct& product, ComputeCapability capability, Numbers numbers, base::Random& random,
             unsigned code = 0) {
  Registers a, b, c;
  for (unsigned lane = 0; lane < kMatrixLanes; ++lane) {
    for (unsigned i = 0; i < detail::elements_of_lane(product.m, product.a_columns()); ++i)
      a.set(product.a, lane, i, random_element(random, product.a, numbers));
    for (unsigned i = 0; i < detail::elements_of_lane(product.n, product.k); ++i)
      b.set(product.b, lane, i, random_element(random, product.b, numbers));
    for (unsigned i = 0; i < detail::elements_of_lane(product.m, product.n); ++i)
      c.set(product.c, lane, i, random_element(random, product.c, numbers));
  }
  std::vector<std::vector<std::uint32_t>> rows(product.m, std::vector<std::uint32_t>(product.a_columns()));
  std::vector<std::vector<std::uint32_t>> columns(product.n, std::vector<std::uint32_t>(product.k));
  for (unsigned lane = 0; lane < kMatrixLanes; ++lane) {
    for (unsigned i = 0; i < detail::elements_of_lane(product.m, product.a_columns()); ++i) {
      const detail::MatrixPlace at = place_in_a(product, lane, i);
      rows.at(at.row).at(at.column) = a.get(product.a, lane, i);
    }
    for (unsigned i = 0; i < detail::elements_of_lane(product.n, product.k); ++i) {
      const detail::MatrixPlace at = place_in_b(product, lane, i);
      columns.at(at.column).at(at.row) = b.get(product.b, lane, i);
    }
  }
  if (product.is_sparse) {
    for (auto& column : columns) {
      std::vector<std::uint32_t> there;
      for (unsigned i = 0; i < product.a_columns(); ++i) there.push_back(column.at(column_of(product, code, i)));
      column = there;
    }
  }
  Registers d(c);
  std::array<std::uint32_t, kMatrixLanes> metadata{};
  metadata.fill(code * 0x11111111);
  const unsigned last = product.is_sparse ? product.selectors() - 1 : 0;
  machine::multiply(product, capability,
                    {a.pointers.data(), b.pointers.data(), d.pointers.data(), metadata.data(), last},
                    d.pointers.data());
  for (unsigned lane = 0; lane < kMatrixLanes; ++lane) {
    for (unsigned i = 0; i < detail::elements_of_lane(product.m, product.n); ++i) {
      const detail::MatrixPlace at = place_in_c(product, lane, i);
      const std::uint32_t of_c = c.get(product.c, lane, i);
      CAPTURE(at.row, at.column, of_c);
      REQUIRE(d.get(product.d, lane, i) == expected(product, capability, rows[at.row], columns[at.column], of_c));
    }
  }
}

constexpr ComputeCapability kCapabilities[] = {{7, 0}, {7, 5}, {8, 0}, {8, 9}, {9, 0}, {10, 0}};

}  // namespace

TEST_CASE("products of floating-point numbers are what the rules say, to the last bit") {
  const auto [m, n, k, a, b, sum] =
      GENERATE(table<unsigned short, unsigned short, unsigned short, Element, Element, Element>({
          {16, 8, 8, Element::f16, Element::f16, Element::f32},
          {16, 8, 16, Element::f16, Element::f16, Element::f32},
          {16, 8, 16, Element::f16, Element::f16, Element::f16},
          {16, 16, 16, Element::f16, Element::f16, Element::f32},
          {32, 8, 16, Element::f16, Element::f16, Element::f16},
          {8, 32, 16, Element::bf16, Element::bf16, Element::f32},
          {16, 8, 16, Element::bf16, Element::bf16, Element::f32},
          {16, 8, 8, Element::tf32, Element::tf32, Element::f32},
          {16, 8, 4, Element::tf32, Element::tf32, Element::f32},
          {16, 8, 32, Element::e4m3, Element::e4m3, Element::f32},
          {16, 8, 32, Element::e4m3, Element::e5m2, Element::f16},
          {16, 8, 32, Element::e5m2, Element::e4m3, Element::f32},
          {16, 8, 32, Element::e5m2, Element::e5m2, Element::f16},
      }));
  const MatrixProduct product{m, n, k, a, b, sum, sum};
  base::Random random(m * 1000 + k + static_cast<unsigned>(a));
  const bool is_narrow = detail::bits_of(a) == 8;
  for (const ComputeCapability capability : kCapabilities) {
    if (is_narrow && capability.major * 10 + capability.minor < 89) continue;  // such GPUs do not multiply them
    for (const Numbers numbers : {Numbers::close, Numbers::far_apart, Numbers::all_bits, Numbers::tiny}) {
      CAPTURE(m, n, k, static_cast<int>(a), capability.major, capability.minor, static_cast<int>(numbers));
      for (int trial = 0; trial < 12; ++trial) compare(product, capability, numbers, random);
    }
  }
}

TEST_CASE("products of a sparse matrix have the terms that its metadata name") {
  const auto [k, a, sum] = GENERATE(table<unsigned short, Element, Element>({
      {16, Element::f16, Element::f32},
      {32, Element::f16, Element::f16},
      {32, Element::bf16, Element::f32},
      {8, Element::tf32, Element::f32},
      {16, Element::tf32, Element::f32},
      {64, Element::e4m3, Element::f32},
      {64, Element::e5m2, Element::f32},
  }));
  MatrixProduct product{16, 8, k, a, a, sum, sum};
  product.is_sparse = true;
  base::Random random(k + static_cast<unsigned>(a));
  const bool is_narrow = detail::bits_of(a) == 8;
  for (const unsigned code : {0x4U, 0x8U, 0xcU, 0x9U, 0xdU, 0xeU}) {
    if (a == Element::tf32 && code != 0x4 && code != 0xe) continue;  // the others mean nothing
    for (const ComputeCapability capability :
         {ComputeCapability{8, 0}, ComputeCapability{8, 9}, ComputeCapability{9, 0}}) {
      if (is_narrow && capability.major * 10 + capability.minor < 89) continue;
      for (const Numbers numbers : {Numbers::close, Numbers::far_apart, Numbers::all_bits, Numbers::tiny}) {
        CAPTURE(k, static_cast<int>(a), code, capability.major, static_cast<int>(numbers));
        for (int trial = 0; trial < 2; ++trial) compare(product, capability, numbers, random, code);
      }
    }
  }
}

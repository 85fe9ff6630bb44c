// SPDX-License-Identifier: Apache-2.0
//
// Sums of floating-point products are integers: a product of two elements is exact in the type that it is computed in
// (22 bits at most), its multiple by a power of two as well, and the conversion to an integer cuts off what lies below
// the last fraction bit, as a GPU does. So vectors of columns are as exact as one element after another. Outputs with
// an infinity or a NaN among their terms are computed once more.
#include "machine/matrix/float_products.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include <warpfiber/detail/config.hpp>

#include "base/targets.hpp"
#include "machine/matrix/numbers.hpp"

namespace warpfiber::machine {
namespace {

using detail::Element;
using detail::MatrixProduct;

template <Element kElement>
WARPFIBER_VECTOR_FUNCTION void decode(const UnsignedVector& bits, Floats& values, Integers& exponents,
                                      Integers& not_finite) {
  if constexpr (kElement == Element::f16) {
    decode_narrow<kHalf>(bits, values, exponents, not_finite);
  } else if constexpr (kElement == Element::e5m2) {
    decode_narrow<kHalf>(bits << 8, values, exponents, not_finite);
  } else if constexpr (kElement == Element::e4m3) {
    decode_narrow<kE4m3>(bits, values, exponents, not_finite);
  } else if constexpr (kElement == Element::bf16) {
    decode_single(bits << 16, values, exponents, not_finite);
  } else if constexpr (kElement == Element::tf32) {
    decode_single(bits & 0xffffe000U, values, exponents, not_finite);
  } else {
    decode_single(bits, values, exponents, not_finite);
  }
}

/// Exponents, apart from those of 0, between which products and their multiples are normal numbers of f32.
constexpr int kLeastExponent = -45;
constexpr int kMostExponent = 62;
/// The least exponent of a sum that has a product in it other than 0.
constexpr int kLeastSum = -100;
/// The least exponent of a sum of products other than 0: of numbers of f32, all of which are subnormal.
constexpr int kLeastTop = -2 * 126;

/// What was found among the elements.
struct FoundElements {
  Integers not_finite{};
  Integers out_of_range{};
};

template <Element kElement>
WARPFIBER_VECTOR_FUNCTION void decode_element(const UnsignedVector& words, unsigned element, bool as_half,
                                              Floats& values, Integers& exponents, FoundElements& found) {
  constexpr unsigned kBits = detail::bits_of(kElement);
  constexpr std::uint32_t kMask = kBits == 32 ? ~0U : (1U << kBits % 32) - 1;
  decode<kElement>((words >> (element * kBits)) & kMask, values, exponents, found.not_finite);
  // Every e4m3 but 0 is a normal f16.
  if (kElement == Element::e4m3 && as_half) exponents = values == 0 ? exponents : exponents_of_normal(values);
  if constexpr (kElement == Element::bf16 || kElement == Element::tf32) {
    found.out_of_range |= (exponents > kMostExponent) | ((exponents < kLeastExponent) & (values != 0));
  }
}

/// Stores numbers and exponents of kVector words, of which `kRun` follow each other in the order of the terms.
template <unsigned kRun, class Place>
WARPFIBER_VECTOR_FUNCTION void store_runs(const Floats& values, const ShortIntegers& exponents, const Place& place,
                                          ProductOperands<float>& operands, ProductExponents& counted) {
  for (unsigned first = 0; first < kVector; first += kRun) {
    __builtin_memcpy(operands.a + place(first), reinterpret_cast<const float*>(&values) + first, kRun * sizeof(float));
    __builtin_memcpy(counted.a + place(first), reinterpret_cast<const std::int16_t*>(&exponents) + first,
                     kRun * sizeof(std::int16_t));
  }
}

template <Element kElement>
WARPFIBER_VECTOR_FUNCTION void decode_a(const MatrixWords& words, unsigned rows, const TermOrder& order, bool as_half,
                                        ProductOperands<float>& operands, ProductExponents& exponents,
                                        FoundElements& found) {
  constexpr unsigned kInWord = detail::elements_in_word(kElement);
  const unsigned mask = order.depth - 1;
  for (unsigned i = 0; i < rows * order.depth; i += kVector) {
    const auto some = load_vector<UnsignedVector>(words.a + i);
    for (unsigned element = 0; element < kInWord; ++element) {
      Floats values;
      Integers exponent;
      decode_element<kElement>(some, element, as_half, values, exponent, found);
      const auto shorts = __builtin_convertvector(exponent, ShortIntegers);
      const auto place = [&](unsigned word) {
        return ((i + word) & ~mask) * kInWord + order((i + word) & mask, element);
      };
      switch (order.run) {
        case kVector: store_runs<kVector>(values, shorts, place, operands, exponents); break;
        case 4: store_runs<4>(values, shorts, place, operands, exponents); break;
        case 2: store_runs<2>(values, shorts, place, operands, exponents); break;
        default: store_runs<1>(values, shorts, place, operands, exponents); break;
      }
    }
  }
}

template <Element kElement>
WARPFIBER_VECTOR_FUNCTION void decode_b(const MatrixWords& words, unsigned columns, const TermOrder& order,
                                        bool as_half, ProductOperands<float>& operands, ProductExponents& exponents,
                                        FoundElements& found) {
  constexpr unsigned kInWord = detail::elements_in_word(kElement);
  for (unsigned first = 0; first < columns; first += kVector) {
    for (unsigned word = 0; word < words.depth; ++word) {
      const auto some = load_vector<UnsignedVector>(words.b + first * words.depth + word * kVector);
      for (unsigned element = 0; element < kInWord; ++element) {
        Floats values;
        Integers exponent;
        decode_element<kElement>(some, element, as_half, values, exponent, found);
        const unsigned term = order(word, element);
        store_vector(operands.b + first * words.depth * kInWord + term * kVector, values);
        store_vector(exponents.b[term] + first, __builtin_convertvector(exponent, ShortIntegers));
      }
    }
  }
}

/// A product of floating-point numbers. `d` has the elements of D by row.
class FloatProduct {
 public:
  FloatProduct(const ProductPlan& plan, ProductWorkspace& in)
      : product_(plan.product),
        rule_(plan.rule),
        in_(in),
        order_(plan.order),
        fraction_bits_(static_cast<int>(plan.rule.fraction_bits)) {}

  /// `kUnrolls`: code for each number of terms.
  template <bool kUnrolls>
  WARPFIBER_VECTOR_FUNCTION void run(const std::uint32_t* c, std::uint32_t* d) {
    FoundElements found;
    decode_operands(
        product_.a, [&](auto element) __attribute__((always_inline)) {
          decode_a<decltype(element)::value>(in_.words, product_.m, order_, rule_.as_half, in_.floats, in_.exponents,
                                             found);
        });
    decode_operands(
        product_.b, [&](auto element) __attribute__((always_inline)) {
          decode_b<decltype(element)::value>(in_.words, product_.n, order_, rule_.as_half, in_.floats, in_.exponents,
                                             found);
        });
    is_wide_ = has_any(found.out_of_range);
    if (in_.words.is_sparse) leave_out();
    const bool afterwards = rule_.adds_c == AddsC::afterwards;
    if (afterwards) {
      std::fill_n(in_.c, outputs(), 0.0F);
      std::fill_n(in_.exponent_c, outputs(), static_cast<std::int16_t>(kExponentOfZero));
    } else {
      set_terms(product_.c, c, found.not_finite);
    }
    for (unsigned first = 0; first < product_.k; first += rule_.terms) {
      if (first != 0) set_terms(product_.d, d, found.not_finite);
      const bool is_special = has_any(found.not_finite);
      double before[kMostOutputs];
      if (is_special) set_before(first, c, d, before);
      add_terms<kUnrolls>(first, d);
      if (is_special) mend_outputs(first, before, d);
    }
    if (afterwards) add_c(c, d, found.not_finite);
  }

 private:
  unsigned outputs() const { return product_.m * product_.n; }

  /// Elements that a sparse A does not have count for no exponent.
  void leave_out() {
    const unsigned in_word = detail::elements_in_word(product_.a);
    for (unsigned row = 0; row < product_.m; ++row) {
      for (unsigned k = 0; k < product_.k; ++k) {
        if (in_.words.is_there[row * product_.k + k]) continue;
        in_.exponents.a[place_in_a(row, 0) + order_(k / in_word, k % in_word)] = kExponentOfZero;
      }
    }
  }

  template <class Decode>
  WARPFIBER_VECTOR_FUNCTION void decode_operands(Element element, const Decode& decoding) {
    switch (element) {
      case Element::f16: return decoding(std::integral_constant<Element, Element::f16>());
      case Element::bf16: return decoding(std::integral_constant<Element, Element::bf16>());
      case Element::tf32: return decoding(std::integral_constant<Element, Element::tf32>());
      case Element::e4m3: return decoding(std::integral_constant<Element, Element::e4m3>());
      default: return decoding(std::integral_constant<Element, Element::e5m2>());
    }
  }

  WARPFIBER_VECTOR_FUNCTION void set_terms(Element element, const std::uint32_t* bits, Integers& not_finite) {
    for (unsigned i = 0; i < outputs(); i += kVector) {
      const auto some = load_vector<UnsignedVector>(bits + i);
      Floats values;
      Integers exponent;
      if (element == Element::f16) {
        decode<Element::f16>(some, values, exponent, not_finite);
      } else {
        decode<Element::f32>(some, values, exponent, not_finite);
      }
      store_vector(in_.c + i, values);
      store_vector(in_.exponent_c + i, __builtin_convertvector(exponent, ShortIntegers));
    }
  }

  /// The places of the first terms of a sum.
  unsigned place_in_a(unsigned row, unsigned first) const { return row * product_.k + first; }
  unsigned place_in_b(unsigned column, unsigned first) const { return column * product_.k + first * kVector; }

  /// The exponents to which the terms are aligned, of as many columns as a vector of `Exponents` has.
  template <unsigned kTerms, class Exponents>
  WARPFIBER_VECTOR_FUNCTION Exponents top_exponents(unsigned row, unsigned column, unsigned first) const {
    auto top = load_vector<Exponents>(in_.exponent_c + row * product_.n + column);
    const std::int16_t* const a = in_.exponents.a + place_in_a(row, first);
    const std::int16_t* const b = in_.exponents.b[first] + column;
    const unsigned terms = kTerms != 0 ? kTerms : rule_.terms;
#pragma GCC unroll 16
    for (unsigned term = 0; term < terms; ++term) {
      const Exponents exponent = load_vector<Exponents>(b + term * kMostColumns) + a[term];
      top = exponent > top ? exponent : top;
    }
    return top;
  }

  /// Sums that are exact but for what the rule cuts off, as integers of two halves of the terms: a term is less than
  /// 2^(fraction_bits + 2), so that eight and C, which is half as large, fit 31 bits.
  template <unsigned kTerms>
  WARPFIBER_VECTOR_FUNCTION void add(unsigned row, unsigned column, unsigned first, const Floats& scale,
                                     Integers (&sums)[2]) const {
    sums[0] = __builtin_convertvector(load_vector<Floats>(in_.c + row * product_.n + column) * scale, Integers);
    sums[1] = Integers{};
    const float* const a = in_.floats.a + place_in_a(row, first);
    const float* const b = in_.floats.b + place_in_b(column, first);
    const unsigned terms = kTerms != 0 ? kTerms : rule_.terms;
    const unsigned of_half = kTerms == 0 && in_.words.is_sparse ? 16 : 8;  // every second one is 0
#pragma GCC unroll 16
    for (unsigned term = 0; term < terms; ++term) {
      const Floats product = load_vector<Floats>(b + term * kVector) * a[term];
      sums[term / of_half] += __builtin_convertvector(product * scale, Integers);
    }
  }

  /// The sums themselves, for all exponents of f32.
  WARPFIBER_VECTOR_FUNCTION Doubles add_wide(unsigned row, unsigned column, unsigned first,
                                             const HalfIntegers& top) const {
    const Doubles scale = double_powers(fraction_bits_ - top);
    const auto c = load_vector<HalfFloats>(in_.c + row * product_.n + column);
    Doubles sum = __builtin_convertvector(
        __builtin_convertvector(__builtin_convertvector(c, Doubles) * scale, HalfIntegers), Doubles);
    const float* const a = in_.floats.a + place_in_a(row, first);
    const float* const b = in_.floats.b + place_in_b(column / kVector * kVector, first) + column % kVector;
    for (unsigned term = 0; term < rule_.terms; ++term) {
      const Doubles some = __builtin_convertvector(load_vector<HalfFloats>(b + term * kVector), Doubles);
      const Doubles product = some * static_cast<double>(a[term]);
      sum += __builtin_convertvector(__builtin_convertvector(product * scale, HalfIntegers), Doubles);
    }
    return sum * double_powers(top - fraction_bits_);
  }

  WARPFIBER_VECTOR_FUNCTION HalfWords rounded(const Doubles& sums) const {
    return product_.d == Element::f16 ? nearest_halves(sums) : cut_to_single(sums, rule_.result_bits);
  }

  /// The bits of sums that are integers times 2^(top - fraction_bits). `kept` are the bits of f64 that the result has.
  WARPFIBER_VECTOR_FUNCTION void store_sums(const Integers (&sums)[2], const Integers& top, const LongIntegers& kept,
                                            std::uint32_t* d) const {
    for (unsigned first = 0; first < kVector; first += kHalfVector) {
      const Doubles total = __builtin_convertvector(half_of<HalfIntegers>(sums[0], first), Doubles) +
                            __builtin_convertvector(half_of<HalfIntegers>(sums[1], first), Doubles);
      const HalfIntegers steps = half_of<HalfIntegers>(top, first) - fraction_bits_;
      if (product_.d == Element::f16) {
        store_vector(d + first, nearest_halves(total * double_powers(steps)));
        continue;
      }
      // A normal number of f32, as the sum is 1 at least and the exponent kLeastSum.
      const auto cut = reinterpret_cast<Doubles>(reinterpret_cast<LongIntegers>(total) & kept);
      const HalfFloats single = __builtin_convertvector(cut, HalfFloats);
      store_vector(d + first, single * reinterpret_cast<HalfFloats>((steps + 127) << 23));
    }
  }

  /// Where no term but C is other than 0, it is the sum.
  __attribute__((noinline)) void store_small_sums(unsigned first, std::uint32_t* d) const {
    for (unsigned i = 0; i < outputs(); ++i) {
      const unsigned row = i / product_.n, column = i % product_.n;
      int top = in_.exponent_c[i];
      for (unsigned term = first; term < first + rule_.terms; ++term)
        top = std::max(top, in_.exponents.a[place_in_a(row, term)] + in_.exponents.b[term][column]);
      if (top >= kLeastSum) continue;
      const double sum = static_cast<double>(in_.c[i]) + 0.0;
      d[i] = rounded(Doubles{sum, sum, sum, sum})[0];
    }
  }

  template <unsigned kTerms, unsigned kBlocks>
  WARPFIBER_VECTOR_FUNCTION void add_rows(unsigned first, std::uint32_t* d) const {
    using Exponents = std::conditional_t<kBlocks == 1, ShortIntegers, TwoShortIntegers>;
    const LongIntegers kept = LongIntegers{} + (std::int64_t{-1} << (52 - rule_.result_bits));
    Exponents least{};
    for (unsigned row = 0; row < product_.m; ++row) {
      for (unsigned column = 0; column < product_.n; column += kBlocks * kVector) {
        const auto exponents = top_exponents<kTerms, Exponents>(row, column, first);
        least = exponents < least ? exponents : least;
#pragma GCC unroll 2
        for (unsigned block = 0; block < kBlocks; ++block) {
          ShortIntegers some;
          __builtin_memcpy(&some, reinterpret_cast<const char*>(&exponents) + block * sizeof some, sizeof some);
          // A power of two would be too large where all products are 0.
          const Integers exact = __builtin_convertvector(some, Integers);
          const Integers top = exact > kLeastSum ? exact : Integers{} + kLeastSum;
          Integers sums[2];
          add<kTerms>(row, column + block * kVector, first, powers_of_two(fraction_bits_ - top), sums);
          store_sums(sums, top, kept, d + row * product_.n + column + block * kVector);
        }
      }
    }
    if (has_any(least < kLeastSum)) store_small_sums(first, d);
  }

  /// The sums of all exponents of f32.
  WARPFIBER_VECTOR_FUNCTION void add_wide_rows(unsigned first, std::uint32_t* d) const {
    for (unsigned row = 0; row < product_.m; ++row) {
      for (unsigned column = 0; column < product_.n; column += kVector) {
        const auto exact = __builtin_convertvector(top_exponents<0, ShortIntegers>(row, column, first), Integers);
        const Integers tops = exact > kLeastTop ? exact : Integers{} + kLeastTop;
        for (unsigned half = 0; half < kVector; half += kHalfVector) {
          const Doubles sums = add_wide(row, column + half, first, half_of<HalfIntegers>(tops, half));
          store_vector(d + row * product_.n + column + half, rounded(sums));
        }
      }
    }
  }

  template <bool kUnrolls>
  WARPFIBER_VECTOR_FUNCTION void add_terms(unsigned first, std::uint32_t* d) const {
    if (is_wide_) return add_wide_rows(first, d);
    if (kUnrolls && !in_.words.is_sparse) {
      const bool is_narrow = product_.n == kVector;
      if (rule_.terms == 8) return is_narrow ? add_rows<8, 1>(first, d) : add_rows<8, 2>(first, d);
      if (rule_.terms == 16) return is_narrow ? add_rows<16, 1>(first, d) : add_rows<16, 2>(first, d);
    }
    add_rows<0, 1>(first, d);
  }

  WARPFIBER_VECTOR_FUNCTION void add_c(const std::uint32_t* c, std::uint32_t* d, Integers& not_finite) {
    alignas(32) float sums[kMostOutputs];
    set_terms(product_.d, d, not_finite);
    std::copy_n(in_.c, outputs(), sums);
    set_terms(product_.c, c, not_finite);
    double exact[kMostOutputs];
    const bool is_special = has_any(not_finite);
    if (is_special) {
      for (unsigned i = 0; i < outputs(); ++i) exact[i] = number_of(product_.d, d[i]) + number_of(product_.c, c[i]);
    }
    for (unsigned i = 0; i < outputs(); i += kHalfVector) {
      const auto sum = load_vector<HalfFloats>(sums + i);
      const auto addend = load_vector<HalfFloats>(in_.c + i);
      const Doubles both = __builtin_convertvector(sum, Doubles) + __builtin_convertvector(addend, Doubles);
      store_vector(d + i,
                   product_.d == Element::f16 ? nearest_halves(both) : reinterpret_cast<HalfWords>(sum + addend));
    }
    for (unsigned i = 0; is_special && i < outputs(); ++i) {
      if (!std::isfinite(exact[i])) d[i] = special_output(product_.d, exact[i]);
    }
  }

  /// What the sum from term `first` on begins with.
  __attribute__((noinline)) void set_before(unsigned first, const std::uint32_t* c, const std::uint32_t* d,
                                            double* before) const {
    for (unsigned i = 0; i < outputs(); ++i) {
      if (first != 0) {
        before[i] = number_of(product_.d, d[i]);
      } else {
        before[i] = rule_.adds_c == AddsC::afterwards ? 0 : number_of(product_.c, c[i]);
      }
    }
  }

  /// The outputs that have an infinity or a NaN among their terms.
  __attribute__((noinline)) void mend_outputs(unsigned first, const double* before, std::uint32_t* d) const {
    const unsigned in_word = detail::elements_in_word(product_.a);
    const unsigned bits = detail::bits_of(product_.a);
    const MatrixWords& words = in_.words;
    for (unsigned i = 0; i < outputs(); ++i) {
      const unsigned row = i / product_.n, column = i % product_.n;
      const std::uint32_t* const a = words.a + row * words.depth;
      const std::uint32_t* const b = words.b + column / kVector * words.depth * kVector + column % kVector;
      double sum = before[i];
      for (unsigned word = 0; word < words.depth; ++word) {
        for (unsigned at = 0; at < in_word; ++at) {
          if (order_(word, at) / rule_.terms * rule_.terms != first) continue;
          if (words.is_sparse && !words.is_there[row * product_.k + word * in_word + at]) continue;
          sum += number_of(product_.a, element_at(a + word, at, bits)) *
                 number_of(product_.b, element_at(b + word * kVector, at, bits));
        }
      }
      if (!std::isfinite(sum)) d[i] = special_output(product_.d, sum);
    }
  }

  const MatrixProduct& product_;
  const SumRule& rule_;
  ProductWorkspace& in_;
  const TermOrder& order_;
  int fraction_bits_;
  bool is_wide_ = false;
};

WARPFIBER_TARGET_AVX2 void multiply_floats_wide(const ProductPlan& plan, ProductWorkspace& in, const std::uint32_t* c,
                                                std::uint32_t* d) {
  FloatProduct(plan, in).run<true>(c, d);
}
void multiply_floats_narrow(const ProductPlan& plan, ProductWorkspace& in, const std::uint32_t* c, std::uint32_t* d) {
  FloatProduct(plan, in).run<false>(c, d);
}
}  // namespace

void multiply_floats(const ProductPlan& plan, ProductWorkspace& in, const std::uint32_t* c, std::uint32_t* d) {
  base::has_avx2() ? multiply_floats_wide(plan, in, c, d) : multiply_floats_narrow(plan, in, c, d);
}

}  // namespace warpfiber::machine

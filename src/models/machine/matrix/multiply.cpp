// SPDX-License-Identifier: Apache-2.0
//
// Sums of floating-point products are integers: a product of two elements is exact in the type that they are decoded
// to (22 bits at most), its multiple by a power of two as well, and the conversion to an integer cuts off what lies
// below the last fraction bit, as a GPU does. So the loops, which compilers make vectors of, are as exact as one
// element after another. Outputs with an infinity or a NaN among their terms are computed once more.
#include "machine/matrix/multiply.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>

#include "base/targets.hpp"
#include "machine/matrix/layout.hpp"
#include "machine/matrix/numbers.hpp"
#include "machine/matrix/sum_rules.hpp"

namespace warpfiber::machine {
namespace {

using detail::Element;
using detail::kMatrixLanes;
using detail::MatrixProduct;
using detail::TermsBy;

constexpr unsigned kMostOutputs = 256;
constexpr unsigned kMostDepth = 64;
constexpr unsigned kMostElements = 1024;  // of one matrix
constexpr unsigned kMostFloats = 512;     // of one matrix of floating-point numbers
constexpr unsigned kMostTerms = 16;       // of one sum

/// Columns of A, and rows of B: of single bits, words of them.
constexpr unsigned depth_of(const MatrixProduct& product) {
  return product.a == Element::b1 ? product.k / 32U : product.k;
}

/// A and B as bits, an element each. Of B, kVector columns of all rows after another; where one sum of two takes every
/// second pair of terms, columns of A and rows of B are in the order of the sums.
struct Bits {
  alignas(32) std::uint32_t a[kMostElements];
  alignas(32) std::uint32_t b[kMostElements];
};

unsigned place_in_rows(const MatrixProduct& product, unsigned k, unsigned column) {
  return (column / kVector * depth_of(product) + k) * kVector + column % kVector;
}

/// Where term k is where the pairs with even numbers come first.
unsigned place_of_alternating(unsigned k, unsigned depth) {
  return k / 4 * 2 + k % 2 + (k / 2 % 2) * depth / 2;
}

template <unsigned kInWord>
void read_elements(const MatrixProduct& product, bool alternates, LaneWords a, LaneWords b, Bits& bits) {
  constexpr unsigned kWidth = 32 / kInWord;
  constexpr std::uint32_t kMask = kWidth == 32 ? ~0U : (1U << kWidth % 32) - 1;
  const unsigned depth = depth_of(product);
  const auto place = [&](unsigned k) {
    if constexpr (kInWord != 4) return k;
    return alternates ? place_of_alternating(k, depth) : k;
  };
  each_word_of_a(product, [&](unsigned lane, unsigned word, unsigned row, unsigned column) {
    const std::uint32_t from = a[lane][word];
    std::uint32_t* to = bits.a + row * depth;
    for (unsigned i = 0; i < kInWord; ++i) to[place(column + i)] = from >> (i * kWidth) & kMask;
  });
  each_word_of_b(product, [&](unsigned lane, unsigned word, unsigned row, unsigned column) {
    const std::uint32_t from = b[lane][word];
    std::uint32_t* to = bits.b + place_in_rows(product, 0, column);
    for (unsigned i = 0; i < kInWord; ++i) to[place(row + i) * kVector] = from >> (i * kWidth) & kMask;
  });
}

/// Of single bits.
void read_words(const MatrixProduct& product, LaneWords a, LaneWords b, Bits& bits) {
  each_word_of_a(product, [&](unsigned lane, unsigned word, unsigned row, unsigned column) {
    bits.a[row * depth_of(product) + column / 32] = a[lane][word];
  });
  each_word_of_b(product, [&](unsigned lane, unsigned word, unsigned row, unsigned column) {
    bits.b[place_in_rows(product, row / 32, column)] = b[lane][word];
  });
}

void read_bits(const MatrixProduct& product, bool alternates, LaneWords a, LaneWords b, Bits& bits) {
  switch (detail::elements_in_word(product.a)) {
    case 1: return read_elements<1>(product, alternates, a, b, bits);
    case 2: return read_elements<2>(product, alternates, a, b, bits);
    case 4: return read_elements<4>(product, alternates, a, b, bits);
    case 8: return read_elements<8>(product, alternates, a, b, bits);
    default: return read_words(product, a, b, bits);
  }
}

/// A and B as numbers and exponents; of B, kVector columns of all rows after another. C, which becomes D, as numbers of
/// f32.
template <class Real>
struct ProductOperands {
  alignas(64) Real a[kMostFloats];
  alignas(64) Real b[kMostFloats];
  alignas(32) std::int32_t exponent_a[kMostFloats];
  alignas(32) std::int32_t exponent_b[kMostFloats];
  alignas(32) float c[kMostOutputs];
  alignas(32) std::int32_t exponent_c[kMostOutputs];
};

/// Numbers of 11 bits and a small exponent fit f32 as products and as multiples of those; others need f64.
template <Element kElement>
inline constexpr bool kIsNarrow = kElement == Element::f16 || kElement == Element::e4m3 || kElement == Element::e5m2;
template <Element kElement>
using RealOf = std::conditional_t<kIsNarrow<kElement>, float, double>;
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

template <Element kElement, class Real>
WARPFIBER_VECTOR_FUNCTION void decode_all(const std::uint32_t* bits, unsigned count, Real* values,
                                          std::int32_t* exponents, Integers& not_finite) {
  for (unsigned i = 0; i < count; i += kVector) {
    Floats decoded;
    Integers exponent;
    decode<kElement>(load_vector<UnsignedVector>(bits + i), decoded, exponent, not_finite);
    if constexpr (std::is_same_v<Real, float>) {
      store_vector(values + i, decoded);
    } else {
      for (unsigned half = 0; half < kVector; half += kHalfVector)
        store_vector(values + i + half, __builtin_convertvector(half_of<HalfFloats>(decoded, half), Doubles));
    }
    store_vector(exponents + i, exponent);
  }
}

/// What a product needs; too large for the stacks of fibers. One product at a time uses it, and does not switch fibers.
struct ProductWorkspace {
  Bits bits;
  ProductOperands<float> of_singles;
  ProductOperands<double> of_doubles;
  alignas(32) float c[kMostOutputs];

  static ProductWorkspace& of_thread() {
    if (of_thread_ == nullptr) of_thread_ = std::make_unique<ProductWorkspace>();
    return *of_thread_;
  }

  template <class Real>
  ProductOperands<Real>& operands() {
    if constexpr (std::is_same_v<Real, float>)
      return of_singles;
    else
      return of_doubles;
  }

 private:
  static constinit thread_local std::unique_ptr<ProductWorkspace> of_thread_;
};
constinit thread_local std::unique_ptr<ProductWorkspace> ProductWorkspace::of_thread_;

/// One output of each of kVector columns.
struct Sums {
  Doubles halves[2];
};

/// Where the operands of kVector sums are. B has kVector columns in each row.
template <class Real>
struct SumOf {
  const Real* a;
  const std::int32_t* exponent_a;
  const Real* b;
  const std::int32_t* exponent_b;
  const float* c;
  const std::int32_t* exponent_c;
  int fraction_bits;
};

/// The exponents to which the terms are aligned.
template <unsigned kTerms, class Real>
WARPFIBER_VECTOR_FUNCTION Integers top_exponents(const SumOf<Real>& of) {
  Integers top = load_vector<Integers>(of.exponent_c);
#pragma GCC unroll 16
  for (unsigned k = 0; k < kTerms; ++k) {
    const Integers exponent = load_vector<Integers>(of.exponent_b + k * kVector) + of.exponent_a[k];
    top = exponent > top ? exponent : top;
  }
  return top;
}

/// Sums that are exact but for what the rule cuts off.
template <unsigned kTerms>
WARPFIBER_VECTOR_FUNCTION void add(const SumOf<float>& of, Sums& sums) {
  // A power of two would be too large where all products are 0: the sum is C.
  constexpr int kLeast = -100;
  const Integers exponents = top_exponents<kTerms>(of);
  const Integers top = exponents > kLeast ? exponents : Integers{} + kLeast;
  const Floats scale = powers_of_two(of.fraction_bits - top);
  const Floats c = load_vector<Floats>(of.c);
  // A term is less than 2^(fraction_bits + 2): eight and C, which is half as large, fit 31 bits.
  Integers first = __builtin_convertvector(c * scale, Integers);
  Integers second{};
#pragma GCC unroll 16
  for (unsigned k = 0; k < kTerms; ++k) {
    const Integers term = __builtin_convertvector(load_vector<Floats>(of.b + k * kVector) * of.a[k] * scale, Integers);
    (k < 8 ? first : second) += term;
  }
  for (unsigned half = 0; half < 2; ++half) {
    Doubles total = __builtin_convertvector(half_of<HalfIntegers>(first, half * kHalfVector), Doubles);
    if constexpr (kTerms > 8)
      total += __builtin_convertvector(half_of<HalfIntegers>(second, half * kHalfVector), Doubles);
    sums.halves[half] = total * double_powers(half_of<HalfIntegers>(top, half * kHalfVector) - of.fraction_bits);
  }
  if (!has_any(exponents < kLeast)) return;
  for (unsigned i = 0; i < kVector; ++i) {
    if (exponents[i] < kLeast) sums.halves[i / kHalfVector][i % kHalfVector] = static_cast<double>(c[i]) + 0.0;
  }
}

template <unsigned kTerms>
WARPFIBER_VECTOR_FUNCTION void add(const SumOf<double>& of, Sums& sums) {
  const Integers exponents = top_exponents<kTerms>(of);
  for (unsigned half = 0; half < 2; ++half) {
    const HalfIntegers top = half_of<HalfIntegers>(exponents, half * kHalfVector);
    const Doubles scale = double_powers(of.fraction_bits - top);
    const Doubles c = __builtin_convertvector(load_vector<HalfFloats>(of.c + half * kHalfVector), Doubles);
    HalfIntegers first = __builtin_convertvector(c * scale, HalfIntegers);
    HalfIntegers second{};
#pragma GCC unroll 16
    for (unsigned k = 0; k < kTerms; ++k) {
      const Doubles b = load_vector<Doubles>(of.b + k * kVector + half * kHalfVector);
      (k < 8 ? first : second) += __builtin_convertvector(b * of.a[k] * scale, HalfIntegers);
    }
    const Doubles total = __builtin_convertvector(first, Doubles) + __builtin_convertvector(second, Doubles);
    sums.halves[half] = total * double_powers(top - of.fraction_bits);
  }
}

/// The bits of an infinity or of the NaN that GPUs return.
std::uint32_t special_output(Element element, double sum) {
  if (element == Element::f16) return std::isnan(sum) ? 0x7fffU : sum < 0 ? 0xfc00U : 0x7c00U;
  return std::isnan(sum) ? 0x7fffffffU : sum < 0 ? 0xff800000U : 0x7f800000U;
}

/// D by element.
template <Element kA, Element kB>
class FloatProduct {
 public:
  FloatProduct(const MatrixProduct& product, const SumRule& rule, ProductWorkspace& in)
      : product_(product), rule_(rule), all_(in.operands<RealOf<kA>>()), c_(in.c) {}

  WARPFIBER_VECTOR_FUNCTION void run(const Bits& bits, const std::uint32_t* c, std::uint32_t* d) {
    const unsigned depth = depth_of(product_);
    Integers not_finite{};
    decode_all<kA>(bits.a, product_.m * depth, all_.a, all_.exponent_a, not_finite);
    decode_all<kB>(bits.b, product_.n * depth, all_.b, all_.exponent_b, not_finite);
    const bool afterwards = rule_.adds_c == AddsC::afterwards;
    set_terms(product_.c, c, not_finite);
    if (afterwards) {
      std::copy_n(all_.c, outputs(), c_);
      std::fill_n(all_.c, outputs(), 0.0F);
      std::fill_n(all_.exponent_c, outputs(), kExponentOfZero);
    }
    add_sums(bits, c, d, not_finite);
    if (afterwards) add_c(c, d, not_finite);
  }

 private:
  unsigned outputs() const { return product_.m * product_.n; }

  WARPFIBER_VECTOR_FUNCTION void set_terms(Element element, const std::uint32_t* bits, Integers& not_finite) {
    element == Element::f16 ? decode_all<Element::f16>(bits, outputs(), all_.c, all_.exponent_c, not_finite)
                            : decode_all<Element::f32>(bits, outputs(), all_.c, all_.exponent_c, not_finite);
  }

  WARPFIBER_VECTOR_FUNCTION HalfWords rounded(const Doubles& sums) const {
    return product_.d == Element::f16 ? nearest_halves(sums) : cut_to_single(sums, rule_.result_bits);
  }

  template <unsigned kTerms>
  WARPFIBER_VECTOR_FUNCTION void add_sum(unsigned first, unsigned depth, std::uint32_t* d) {
    for (unsigned i = 0; i < outputs(); i += kVector) {
      const unsigned a = i / product_.n * depth + first;
      const unsigned b = (i % product_.n / kVector * depth + first) * kVector;
      Sums sums;
      add<kTerms>(SumOf<RealOf<kA>>{all_.a + a, all_.exponent_a + a, all_.b + b, all_.exponent_b + b, all_.c + i,
                                    all_.exponent_c + i, static_cast<int>(rule_.fraction_bits)},
                  sums);
      store_vector(d + i, rounded(sums.halves[0]));
      store_vector(d + i + kHalfVector, rounded(sums.halves[1]));
    }
  }

  WARPFIBER_VECTOR_FUNCTION void add_sums(const Bits& bits, const std::uint32_t* c, std::uint32_t* d,
                                          Integers& not_finite) {
    const unsigned depth = depth_of(product_);
    for (unsigned first = 0; first < depth; first += rule_.terms) {
      const bool is_special = has_any(not_finite);
      double before[kMostOutputs];
      if (is_special) set_before(first, c, d, before);
      switch (rule_.terms) {
        case 4: add_sum<4>(first, depth, d); break;
        case 8: add_sum<8>(first, depth, d); break;
        default: add_sum<16>(first, depth, d); break;
      }
      if (is_special) mend_outputs(bits, first, before, d);
      set_terms(product_.d, d, not_finite);
    }
  }

  WARPFIBER_VECTOR_FUNCTION void add_c(const std::uint32_t* c, std::uint32_t* d, Integers& not_finite) {
    double before[kMostOutputs];
    const bool is_special = has_any(not_finite);
    if (is_special) {
      for (unsigned i = 0; i < outputs(); ++i) before[i] = number_of(product_.d, d[i]) + number_of(product_.c, c[i]);
    }
    for (unsigned i = 0; i < outputs(); i += kHalfVector) {
      const HalfFloats sum = load_vector<HalfFloats>(all_.c + i);
      const HalfFloats addend = load_vector<HalfFloats>(c_ + i);
      const Doubles exact = __builtin_convertvector(sum, Doubles) + __builtin_convertvector(addend, Doubles);
      store_vector(d + i,
                   product_.d == Element::f16 ? nearest_halves(exact) : reinterpret_cast<HalfWords>(sum + addend));
    }
    if (!is_special) return;
    for (unsigned i = 0; i < outputs(); ++i) {
      if (!std::isfinite(before[i])) d[i] = special_output(product_.d, before[i]);
    }
  }

  /// What the sum from term `first` on begins with.
  __attribute__((noinline)) void set_before(unsigned first, const std::uint32_t* c, const std::uint32_t* d,
                                            double* before) const {
    for (unsigned i = 0; i < outputs(); ++i) {
      if (first != 0)
        before[i] = number_of(product_.d, d[i]);
      else
        before[i] = rule_.adds_c == AddsC::afterwards ? 0 : number_of(product_.c, c[i]);
    }
  }

  /// The outputs that have an infinity or a NaN among their terms.
  __attribute__((noinline)) void mend_outputs(const Bits& bits, unsigned first, const double* before,
                                              std::uint32_t* d) const {
    const unsigned depth = depth_of(product_);
    const unsigned end = std::min(first + rule_.terms, depth);
    for (unsigned column = 0; column < product_.n; ++column) {
      double b[kMostTerms];
      for (unsigned k = first; k < end; ++k) b[k - first] = number_of(kB, bits.b[place_in_rows(product_, k, column)]);
      for (unsigned row = 0; row < product_.m; ++row) {
        const unsigned i = row * product_.n + column;
        double sum = before[i];
        for (unsigned k = first; k < end; ++k) sum += number_of(kA, bits.a[row * depth + k]) * b[k - first];
        if (!std::isfinite(sum)) d[i] = special_output(product_.d, sum);
      }
    }
  }

  const MatrixProduct& product_;
  const SumRule& rule_;
  ProductOperands<RealOf<kA>>& all_;
  float (&c_)[kMostOutputs];
};

WARPFIBER_VECTOR_FUNCTION void multiply_as(const MatrixProduct& product, const SumRule& rule, ProductWorkspace& in,
                                           const std::uint32_t* c, std::uint32_t* d) {
  const auto run = [&](auto a, auto b) __attribute__((always_inline)) {
    FloatProduct<decltype(a)::value, decltype(b)::value>(product, rule, in).run(in.bits, c, d);
  };
  constexpr std::integral_constant<Element, Element::e4m3> kE4m3Element;
  constexpr std::integral_constant<Element, Element::e5m2> kE5m2Element;
  const bool is_e4m3 = product.b == Element::e4m3;
  switch (product.a) {
    case Element::f16: return FloatProduct<Element::f16, Element::f16>(product, rule, in).run(in.bits, c, d);
    case Element::bf16: return FloatProduct<Element::bf16, Element::bf16>(product, rule, in).run(in.bits, c, d);
    case Element::tf32: return FloatProduct<Element::tf32, Element::tf32>(product, rule, in).run(in.bits, c, d);
    case Element::e4m3: return is_e4m3 ? run(kE4m3Element, kE4m3Element) : run(kE4m3Element, kE5m2Element);
    default: return is_e4m3 ? run(kE5m2Element, kE4m3Element) : run(kE5m2Element, kE5m2Element);
  }
}

WARPFIBER_TARGET_AVX2 void multiply_wide(const MatrixProduct& product, const SumRule& rule, ProductWorkspace& in,
                                         const std::uint32_t* c, std::uint32_t* d) {
  multiply_as(product, rule, in, c, d);
}
void multiply_narrow(const MatrixProduct& product, const SumRule& rule, ProductWorkspace& in, const std::uint32_t* c,
                     std::uint32_t* d) {
  multiply_as(product, rule, in, c, d);
}

void multiply_floats(const MatrixProduct& product, const SumRule& rule, ProductWorkspace& in, const std::uint32_t* c,
                     std::uint32_t* d) {
  base::has_avx2() ? multiply_wide(product, rule, in, c, d) : multiply_narrow(product, rule, in, c, d);
}

/// Of integers: as a number of 32 bits.
std::int32_t extended(Element element, std::uint32_t bits) {
  switch (element) {
    case Element::s8: return static_cast<std::int8_t>(bits);
    case Element::s4: return static_cast<std::int32_t>(bits << 28) >> 28;
    default: return static_cast<std::int32_t>(bits);
  }
}

std::int64_t integer_term(const MatrixProduct& product, std::uint32_t a, std::uint32_t b) {
  switch (product.terms) {
    case TermsBy::exclusive_or: return std::popcount(a ^ b);
    case TermsBy::bit_and: return std::popcount(a & b);
    case TermsBy::product: break;
  }
  return std::int64_t{extended(product.a, a)} * extended(product.b, b);
}

void multiply_integers(const MatrixProduct& product, const Bits& bits, const std::uint32_t* c, std::uint32_t* d) {
  const unsigned depth = depth_of(product);
  for (unsigned i = 0; i < product.m * product.n; ++i) {
    std::int64_t sum = static_cast<std::int32_t>(c[i]);
    for (unsigned k = 0; k < depth; ++k) {
      sum += integer_term(product, bits.a[i / product.n * depth + k], bits.b[place_in_rows(product, k, i % product.n)]);
    }
    using Limits = std::numeric_limits<std::int32_t>;
    if (product.saturates) sum = std::clamp<std::int64_t>(sum, Limits::min(), Limits::max());
    d[i] = static_cast<std::uint32_t>(sum);
  }
}

double double_at(LaneWords words, unsigned lane, unsigned word) {
  double value = 0;
  std::memcpy(&value, words[lane] + word, sizeof value);
  return value;
}

/// A chain of fused operations in the order of k.
void multiply_doubles(const MatrixProduct& product, LaneWords a, LaneWords b, LaneWords c, std::uint32_t* const* d) {
  ProductOperands<double>& in = ProductWorkspace::of_thread().of_doubles;
  double* const values_a = in.a;
  double* const values_b = in.b;
  double sums[kMostOutputs];
  each_word_of_a(product, [&](unsigned lane, unsigned word, unsigned row, unsigned column) {
    values_a[row * product.k + column] = double_at(a, lane, word);
  });
  each_word_of_b(product, [&](unsigned lane, unsigned word, unsigned row, unsigned column) {
    values_b[row * product.n + column] = double_at(b, lane, word);
  });
  each_pair_of_c(product, [&](unsigned lane, unsigned element, unsigned row, unsigned column) {
    for (unsigned j = 0; j < 2; ++j) sums[row * product.n + column + j] = double_at(c, lane, 2 * (element + j));
  });
  for (unsigned i = 0; i < product.m * product.n; ++i) {
    for (unsigned k = 0; k < product.k; ++k)
      sums[i] = std::fma(values_a[i / product.n * product.k + k], values_b[k * product.n + i % product.n], sums[i]);
  }
  each_pair_of_c(product, [&](unsigned lane, unsigned element, unsigned row, unsigned column) {
    std::memcpy(d[lane] + 2 * element, sums + row * product.n + column, 2 * sizeof(double));
  });
}

bool is_integer(Element element) {
  return element >= Element::s8 && element <= Element::b1;
}

}  // namespace

void multiply(const MatrixProduct& product, detail::ComputeCapability capability, LaneWords a, LaneWords b, LaneWords c,
              std::uint32_t* const* d) {
  if (product.a == Element::f64) return multiply_doubles(product, a, b, c, d);
  const bool is_float = !is_integer(product.a);
  const SumRule rule = is_float ? sum_rule(capability, product.a, product.k) : SumRule{};
  ProductWorkspace& in = ProductWorkspace::of_thread();
  Bits& bits = in.bits;
  read_bits(product, rule.alternates, a, b, bits);
  std::uint32_t from[kMostOutputs];
  std::uint32_t to[kMostOutputs];
  const unsigned n = product.n;
  each_pair_of_c(product, [&](unsigned lane, unsigned element, unsigned row, unsigned column) {
    std::uint32_t* const pair = from + row * n + column;
    if (product.c == Element::f16) {
      pair[0] = c[lane][element / 2] & 0xffff;
      pair[1] = c[lane][element / 2] >> 16;
    } else {
      std::memcpy(pair, c[lane] + element, 2 * sizeof *pair);
    }
  });
  is_float ? multiply_floats(product, rule, in, from, to) : multiply_integers(product, bits, from, to);
  each_pair_of_c(product, [&](unsigned lane, unsigned element, unsigned row, unsigned column) {
    const std::uint32_t* const pair = to + row * n + column;
    if (product.d == Element::f16) {
      d[lane][element / 2] = pair[0] | pair[1] << 16;
    } else {
      std::memcpy(d[lane] + element, pair, 2 * sizeof *pair);
    }
  });
}

}  // namespace warpfiber::machine

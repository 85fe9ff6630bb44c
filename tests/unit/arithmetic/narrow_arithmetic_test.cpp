// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic, comparisons and functions of __half and __nv_bfloat16 against exact arithmetic (narrow_reference.hpp):
// binary functions over corners and random pairs, unary ones over every pattern.
#include <algorithm>
#include <sstream>

#include "support/catch.hpp"
#include "unit/arithmetic/narrow_reference.hpp"

namespace {

using namespace warpfiber::test;

template <class T>
unsigned bits_of(T x) {
  return warpfiber::narrow::bits_of(x);
}

std::string wrong(const char* name, unsigned a, unsigned b, unsigned actual, unsigned expected) {
  std::ostringstream text;
  text << name << std::hex << ' ' << a << ' ' << b << " -> " << actual << " instead of " << expected;
  return text.str();
}

constexpr int kPairs = 200000;

/// The first pair where function(a, b) has other bits than expected(values), in words.
template <class Traits, class Function, class Expected>
std::string first_wrong_pair(const char* name, Function function, Expected expected) {
  std::string found;
  for_pairs<Traits>(kPairs, [&](unsigned a, unsigned b) {
    if (!found.empty()) return;
    const unsigned actual = bits_of(function(made<Traits>(a), made<Traits>(b)));
    const unsigned wanted = expected(number<Traits>(a), number<Traits>(b));
    if (actual != wanted) found = wrong(name, a, b, actual, wanted);
  });
  return found;
}

template <class Traits>
unsigned saturated(unsigned bits) {
  const Exact value = number<Traits>(bits);
  return std::isnan(value) || value <= 0 ? 0 : rounded_value<Traits>(std::min(value, Exact{1}));
}

template <class Traits>
unsigned product(Exact a, Exact b) {
  return rounded_value<Traits>(a * b);  // 22 digits: exact
}

template <class Traits, class Visit>
void for_triples(Visit visit) {
  const std::vector<unsigned> corners = corner_bits<Traits>();
  for (const unsigned a : corners) {
    for (const unsigned b : corners) {
      for (const unsigned c : corners) visit(a, b, c);
    }
  }
  std::mt19937 generator(20240302);
  for (int i = 0; i < kPairs; ++i) {
    const unsigned bits = static_cast<unsigned>(generator());
    const unsigned a = bits & 0xffff;
    const unsigned b = bits >> 16;
    visit(a, b, static_cast<unsigned>(generator()) & 0xffff);
    // A summand that nearly cancels the product, and one that breaks a tie from afar.
    const unsigned near = product<Traits>(-number<Traits>(a), number<Traits>(b));
    visit(a, b, near);
    visit(a, b, near ^ 0x8000U ^ (bits & 3));
    visit(a, b, (bits & 0x8000) | (bits >> 8 & 0x7f));
  }
}

struct Relation {
  const char* name;
  bool (*holds)(Exact, Exact);
  bool of_nan;
};
const Relation kRelations[] = {
    {"eq", [](Exact a, Exact b) { return a == b; }, false}, {"ne", [](Exact a, Exact b) { return a != b; }, false},
    {"le", [](Exact a, Exact b) { return a <= b; }, false}, {"ge", [](Exact a, Exact b) { return a >= b; }, false},
    {"lt", [](Exact a, Exact b) { return a < b; }, false},  {"gt", [](Exact a, Exact b) { return a > b; }, false},
    {"equ", [](Exact a, Exact b) { return a == b; }, true}, {"neu", [](Exact a, Exact b) { return a != b; }, true},
    {"leu", [](Exact a, Exact b) { return a <= b; }, true}, {"geu", [](Exact a, Exact b) { return a >= b; }, true},
    {"ltu", [](Exact a, Exact b) { return a < b; }, true},  {"gtu", [](Exact a, Exact b) { return a > b; }, true},
};

template <class Traits>
struct Comparison {
  using T = typename Traits::T;
  using T2 = typename Traits::T2;
  bool (*scalar)(T, T);
  T2 (*pair)(T2, T2);
  unsigned (*mask)(T2, T2);
  bool (*both)(T2, T2);
};
#define WARPFIBER_COMPARISON(name) \
  { __h##name, __h##name##2, __h##name##2_mask, __hb##name##2 }
template <class Traits>
const Comparison<Traits> kComparisons[] = {
    WARPFIBER_COMPARISON(eq),  WARPFIBER_COMPARISON(ne),  WARPFIBER_COMPARISON(le),  WARPFIBER_COMPARISON(ge),
    WARPFIBER_COMPARISON(lt),  WARPFIBER_COMPARISON(gt),  WARPFIBER_COMPARISON(equ), WARPFIBER_COMPARISON(neu),
    WARPFIBER_COMPARISON(leu), WARPFIBER_COMPARISON(geu), WARPFIBER_COMPARISON(ltu), WARPFIBER_COMPARISON(gtu),
};

/// The pair (a, b) against (b, b): both halves differ in kind.
template <class Traits>
bool compares(const Comparison<Traits>& actual, const Relation& expected, unsigned a, unsigned b) {
  const Exact x = number<Traits>(a);
  const Exact y = number<Traits>(b);
  const bool low = std::isnan(x) || std::isnan(y) ? expected.of_nan : expected.holds(x, y);
  const bool high = std::isnan(y) ? expected.of_nan : expected.holds(y, y);
  const typename Traits::T2 left(made<Traits>(a), made<Traits>(b));
  const typename Traits::T2 right(made<Traits>(b), made<Traits>(b));
  const typename Traits::T2 ones = actual.pair(left, right);
  return actual.scalar(left.x, right.x) == low && actual.both(left, right) == (low && high) &&
         actual.mask(left, right) == ((low ? 0xffffU : 0) | (high ? 0xffff0000U : 0)) &&
         number<Traits>(bits_of(ones.x)) == (low ? 1 : 0) && number<Traits>(bits_of(ones.y)) == (high ? 1 : 0);
}

template <class Traits>
struct Function {
  const char* name;
  typename Traits::T (*scalar)(typename Traits::T);
  typename Traits::T2 (*pair)(typename Traits::T2);
  Exact (*expected)(Exact);
  double ulps;
};
#define WARPFIBER_FUNCTION(name, expression, ulps)                              \
  {                                                                             \
#name, h##name, h2##name, [](Exact x) -> Exact { return expression; }, ulps \
  }
template <class Traits>
const Function<Traits> kFunctions[] = {
    WARPFIBER_FUNCTION(sqrt, std::sqrt(x), 0.5),         WARPFIBER_FUNCTION(rcp, 1 / x, 0.5),
    WARPFIBER_FUNCTION(trunc, std::trunc(x), 0),         WARPFIBER_FUNCTION(ceil, std::ceil(x), 0),
    WARPFIBER_FUNCTION(floor, std::floor(x), 0),         WARPFIBER_FUNCTION(rint, std::nearbyint(x), 0),
    WARPFIBER_FUNCTION(rsqrt, 1 / std::sqrt(x), 0.51),   WARPFIBER_FUNCTION(log, std::log(x), 0.51),
    WARPFIBER_FUNCTION(log2, std::log2(x), 0.51),        WARPFIBER_FUNCTION(log10, std::log10(x), 0.51),
    WARPFIBER_FUNCTION(exp, std::exp(x), 0.51),          WARPFIBER_FUNCTION(exp2, std::exp2(x), 0.51),
    WARPFIBER_FUNCTION(exp10, exp10l(x), 0.51),          WARPFIBER_FUNCTION(sin, std::sin(x), 0.51),
    WARPFIBER_FUNCTION(cos, std::cos(x), 0.51),          WARPFIBER_FUNCTION(tanh, std::tanh(x), 0.51),
    WARPFIBER_FUNCTION(tanh_approx, std::tanh(x), 0.51),
};

/// How far `bits` is from the value, in units of the format's last place there.
template <class Traits>
Exact ulps_off(unsigned bits, Exact value) {
  if (std::isnan(value)) return bits == 0x7fff ? 0 : 1;
  const unsigned nearest = rounded_value<Traits>(value);
  if (nearest == bits) return 0;
  if (std::isinf(value) || value == 0 || (nearest & 0x7fff) == infinity_bits<Traits>()) return 1;
  const unsigned size = std::min(nearest & 0x7fff, infinity_bits<Traits>() - 1);
  return std::fabs(number<Traits>(bits) - value) / (numbers<Traits>()[size + 1] - numbers<Traits>()[size]);
}

}  // namespace

TEMPLATE_TEST_CASE("sums, differences, products and quotients are rounded once", "[host-arithmetic]", HalfTraits,
                   BfloatTraits) {
  using Traits = TestType;
  using T = typename Traits::T;
  const auto sum = [](Exact a, Exact b) { return rounded_sum<Traits>(a, b); };
  const auto difference = [](Exact a, Exact b) { return rounded_sum<Traits>(a, -b); };
  CHECK(first_wrong_pair<Traits>(
            "add", [](T a, T b) { return __hadd(a, b); }, sum) == "");
  CHECK(first_wrong_pair<Traits>(
            "add_rn", [](T a, T b) { return __hadd_rn(a, b); }, sum) == "");
  CHECK(first_wrong_pair<Traits>(
            "sub", [](T a, T b) { return __hsub(a, b); }, difference) == "");
  CHECK(first_wrong_pair<Traits>(
            "sub_rn", [](T a, T b) { return __hsub_rn(a, b); }, difference) == "");
  CHECK(first_wrong_pair<Traits>(
            "mul", [](T a, T b) { return __hmul(a, b); }, product<Traits>) == "");
  CHECK(first_wrong_pair<Traits>(
            "mul_rn", [](T a, T b) { return __hmul_rn(a, b); }, product<Traits>) == "");
  CHECK(first_wrong_pair<Traits>(
            "div", [](T a, T b) { return __hdiv(a, b); }, rounded_quotient<Traits>) == "");
}

TEMPLATE_TEST_CASE("saturating forms bring results into 0 to 1 and make NaN 0", "[host-arithmetic]", HalfTraits,
                   BfloatTraits) {
  using Traits = TestType;
  using T = typename Traits::T;
  CHECK(first_wrong_pair<Traits>(
            "add_sat", [](T a, T b) { return __hadd_sat(a, b); },
            [](Exact a, Exact b) { return saturated<Traits>(rounded_sum<Traits>(a, b)); }) == "");
  CHECK(first_wrong_pair<Traits>(
            "sub_sat", [](T a, T b) { return __hsub_sat(a, b); },
            [](Exact a, Exact b) { return saturated<Traits>(rounded_sum<Traits>(a, -b)); }) == "");
  CHECK(first_wrong_pair<Traits>(
            "mul_sat", [](T a, T b) { return __hmul_sat(a, b); },
            [](Exact a, Exact b) { return saturated<Traits>(product<Traits>(a, b)); }) == "");
}

TEMPLATE_TEST_CASE("the fused multiply-add is rounded once", "[host-arithmetic]", HalfTraits, BfloatTraits) {
  using Traits = TestType;
  std::string found;
  for_triples<Traits>([&](unsigned a, unsigned b, unsigned c) {
    if (!found.empty()) return;
    const Exact exact_product = number<Traits>(a) * number<Traits>(b);
    const unsigned expected = rounded_sum<Traits>(exact_product, number<Traits>(c));
    const unsigned relu = expected != 0x7fff && (expected & 0x8000) != 0 ? 0 : expected;
    const auto x = made<Traits>(a);
    const auto y = made<Traits>(b);
    const auto z = made<Traits>(c);
    if (bits_of(__hfma(x, y, z)) != expected) found = wrong("fma", a, b, bits_of(__hfma(x, y, z)), expected);
    if (bits_of(__hfma_relu(x, y, z)) != relu) found = wrong("relu", a, b, bits_of(__hfma_relu(x, y, z)), relu);
    if (bits_of(__hfma_sat(x, y, z)) != saturated<Traits>(expected)) found = wrong("sat", a, b, c, expected);
  });
  CHECK(found == "");
}

TEMPLATE_TEST_CASE("relations are false of NaN unless they are unordered", "[host-arithmetic]", HalfTraits,
                   BfloatTraits) {
  for (std::size_t i = 0; i < std::size(kRelations); ++i) {
    int failures = 0;
    for_pairs<TestType>(20000, [&](unsigned a, unsigned b) {
      failures += compares<TestType>(kComparisons<TestType>[i], kRelations[i], a, b) ? 0 : 1;
    });
    INFO(kRelations[i].name);
    CHECK(failures == 0);
  }
}

TEMPLATE_TEST_CASE("minimum and maximum ignore a NaN and put -0 below +0", "[host-arithmetic]", HalfTraits,
                   BfloatTraits) {
  using Traits = TestType;
  using T = typename Traits::T;
  const auto least = [](Exact a, Exact b) -> unsigned {
    if (std::isnan(a) || std::isnan(b)) return rounded_value<Traits>(std::isnan(a) ? b : a);
    return rounded_value<Traits>(a == b ? (std::signbit(a) ? a : b) : std::min(a, b));
  };
  const auto most = [](Exact a, Exact b) -> unsigned {
    if (std::isnan(a) || std::isnan(b)) return rounded_value<Traits>(std::isnan(a) ? b : a);
    return rounded_value<Traits>(a == b ? (std::signbit(a) ? b : a) : std::max(a, b));
  };
  const auto unless_nan = [](auto function) {
    return [=](Exact a, Exact b) { return std::isnan(a) || std::isnan(b) ? 0x7fffU : function(a, b); };
  };
  CHECK(first_wrong_pair<Traits>(
            "min", [](T a, T b) { return __hmin(a, b); }, least) == "");
  CHECK(first_wrong_pair<Traits>(
            "max", [](T a, T b) { return __hmax(a, b); }, most) == "");
  CHECK(first_wrong_pair<Traits>(
            "min_nan", [](T a, T b) { return __hmin_nan(a, b); }, unless_nan(least)) == "");
  CHECK(first_wrong_pair<Traits>(
            "max_nan", [](T a, T b) { return __hmax_nan(a, b); }, unless_nan(most)) == "");
}

TEMPLATE_TEST_CASE("functions of one number keep their bound over every pattern", "[host-arithmetic]", HalfTraits,
                   BfloatTraits) {
  using Traits = TestType;
  for (const Function<Traits>& function : kFunctions<Traits>) {
    Exact worst = 0;
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
      const auto x = made<Traits>(bits);
      const Exact off = ulps_off<Traits>(bits_of(function.scalar(x)), function.expected(number<Traits>(bits)));
      worst = std::max(worst, off);
    }
    INFO(Traits::kName << " " << function.name);
    CHECK(worst <= static_cast<Exact>(function.ulps));
    const auto pair = function.pair(typename Traits::T2(made<Traits>(0x3c01), made<Traits>(0x4123)));
    CHECK(bits_of(pair.x) == bits_of(function.scalar(made<Traits>(0x3c01))));
    CHECK(bits_of(pair.y) == bits_of(function.scalar(made<Traits>(0x4123))));
  }
}

TEMPLATE_TEST_CASE("sign, size and kind are read from the bits", "", HalfTraits, BfloatTraits) {
  using Traits = TestType;
  int failures = 0;
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const auto x = made<Traits>(bits);
    const unsigned size = bits & 0x7fff;
    const bool nan = size > infinity_bits<Traits>();
    const int infinite = size != infinity_bits<Traits>() ? 0 : bits >> 15 != 0 ? -1 : 1;
    const bool right = bits_of(__habs(x)) == (nan ? 0x7fff : size) &&
                       bits_of(__hneg(x)) == (nan ? 0x7fff : bits ^ 0x8000) && __hisnan(x) == nan &&
                       __hisinf(x) == infinite;
    failures += right ? 0 : 1;
  }
  CHECK(failures == 0);
}

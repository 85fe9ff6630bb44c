// SPDX-License-Identifier: Apache-2.0
//
// Conversions of __half and __nv_bfloat16: every pattern to float and to every integer, and every number's
// surroundings (itself, the middle to the next, the neighbours of the middle) from float and double, in each rounding,
// against the table of narrow_reference.hpp.
#include <array>
#include <sstream>

#include "support/catch.hpp"
#include "unit/arithmetic/narrow_reference.hpp"

namespace {

using namespace warpfiber::test;

template <class Result, class Argument>
using Conversions = std::array<Result (*)(Argument), 4>;  // in the order of Mode
constexpr std::array kModes{Mode::kNearest, Mode::kZero, Mode::kUp, Mode::kDown};

#define WARPFIBER_ROUNDINGS(name) \
  { name##_rn, name##_rz, name##_ru, name##_rd }

template <class Traits>
struct Functions;

#define WARPFIBER_FUNCTIONS(Traits, word)                                                               \
  template <>                                                                                           \
  struct Functions<Traits> {                                                                            \
    using T = Traits::T;                                                                                \
    static constexpr Conversions<T, float> kFromFloat = WARPFIBER_ROUNDINGS(__float2##word);            \
    static constexpr Conversions<T, short> kFromShort = WARPFIBER_ROUNDINGS(__short2##word);            \
    static constexpr Conversions<T, unsigned short> kFromUshort = WARPFIBER_ROUNDINGS(__ushort2##word); \
    static constexpr Conversions<T, int> kFromInt = WARPFIBER_ROUNDINGS(__int2##word);                  \
    static constexpr Conversions<T, unsigned> kFromUint = WARPFIBER_ROUNDINGS(__uint2##word);           \
    static constexpr Conversions<T, long long> kFromLong = WARPFIBER_ROUNDINGS(__ll2##word);            \
    static constexpr Conversions<T, unsigned long long> kFromUlong = WARPFIBER_ROUNDINGS(__ull2##word); \
    static constexpr Conversions<short, T> kToShort = WARPFIBER_ROUNDINGS(__##word##2short);            \
    static constexpr Conversions<unsigned short, T> kToUshort = WARPFIBER_ROUNDINGS(__##word##2ushort); \
    static constexpr Conversions<int, T> kToInt = WARPFIBER_ROUNDINGS(__##word##2int);                  \
    static constexpr Conversions<unsigned, T> kToUint = WARPFIBER_ROUNDINGS(__##word##2uint);           \
    static constexpr Conversions<long long, T> kToLong = WARPFIBER_ROUNDINGS(__##word##2ll);            \
    static constexpr Conversions<unsigned long long, T> kToUlong = WARPFIBER_ROUNDINGS(__##word##2ull); \
    static T from_float(float x) { return __float2##word(x); }                                          \
    static T from_double(double x) { return __double2##word(x); }                                       \
    static float to_float(T x) { return __##word##2float(x); }                                          \
    static signed char to_char(T x) { return __##word##2char_rz(x); }                                   \
    static unsigned char to_uchar(T x) { return __##word##2uchar_rz(x); }                               \
    static unsigned as_bits(T x) { return __##word##_as_ushort(x); }                                    \
  };
WARPFIBER_FUNCTIONS(HalfTraits, half)
WARPFIBER_FUNCTIONS(BfloatTraits, bfloat16)

std::string mismatch(const std::string& what, unsigned actual, unsigned expected) {
  std::ostringstream text;
  text << what << " -> " << std::hex << actual << " instead of " << expected;
  return text.str();
}

template <class X>
std::string in_words(X x) {
  std::ostringstream text;
  text << std::hexfloat << +x;
  return text.str();
}

/// The first of the inputs that a conversion gets wrong in some rounding, in words.
template <class Traits, class Argument>
std::string first_wrong(const std::vector<Argument>& inputs,
                        const Conversions<typename Traits::T, Argument>& conversions) {
  for (const Argument x : inputs) {
    for (std::size_t mode = 0; mode < kModes.size(); ++mode) {
      const unsigned actual = Functions<Traits>::as_bits(conversions[mode](x));
      const unsigned expected = rounded_value<Traits>(static_cast<Exact>(x), kModes[mode]);
      if (actual != expected) return mismatch(in_words(x) + " in mode " + std::to_string(mode), actual, expected);
    }
  }
  return {};
}

/// Every number, the middle to the next, and the middle's neighbours; with both signs.
template <class Traits, class Float>
std::vector<Float> surroundings() {
  constexpr Float kInfinity = std::numeric_limits<Float>::infinity();
  std::vector<Float> values{kInfinity, std::numeric_limits<Float>::quiet_NaN(), std::numeric_limits<Float>::max(),
                            std::numeric_limits<Float>::denorm_min()};
  for (unsigned size = 0; size < infinity_bits<Traits>(); ++size) {
    const auto here = static_cast<Float>(numbers<Traits>()[size]);
    const auto middle = static_cast<Float>((numbers<Traits>()[size] + numbers<Traits>()[size + 1]) / 2);
    for (const Float x : {here, middle, std::nextafter(middle, Float{0}), std::nextafter(middle, kInfinity),
                          std::nextafter(here, kInfinity)}) {
      values.push_back(x);
    }
  }
  const std::size_t positive = values.size();
  for (std::size_t i = 0; i < positive; ++i) values.push_back(-values[i]);
  return values;
}

/// Integers around every number of the format and every middle between two.
template <class Traits, class Integer>
std::vector<Integer> integers_around() {
  const auto most = static_cast<Exact>(std::numeric_limits<Integer>::max());
  std::vector<Integer> values{std::numeric_limits<Integer>::min(), std::numeric_limits<Integer>::max()};
  for (unsigned size = 0; size < infinity_bits<Traits>(); ++size) {
    const Exact middle = (numbers<Traits>()[size] + numbers<Traits>()[size + 1]) / 2;
    for (const Exact x : {numbers<Traits>()[size], middle}) {
      for (const Exact near : {std::floor(x) - 1, std::floor(x), std::floor(x) + 1, std::floor(x) + 2}) {
        if (near < 0 || near > most) continue;
        values.push_back(static_cast<Integer>(near));
        if (std::numeric_limits<Integer>::is_signed) values.push_back(static_cast<Integer>(-near));
      }
    }
  }
  return values;
}

Exact whole(Exact x, Mode mode) {
  switch (mode) {
    case Mode::kNearest: return std::nearbyint(x);
    case Mode::kZero: return std::trunc(x);
    case Mode::kUp: return std::ceil(x);
    case Mode::kDown: break;
  }
  return std::floor(x);
}

/// Out of range the nearest in range; NaN is 0, or the bits 0x8000000000000000 in 64 bits.
template <class Integer>
Integer expected_integer(Exact x, Mode mode) {
  using Limits = std::numeric_limits<Integer>;
  if (std::isnan(x)) return sizeof(Integer) == 8 ? static_cast<Integer>(0x8000000000000000ULL) : Integer{0};
  const Exact result = whole(x, mode);
  if (result <= static_cast<Exact>(Limits::min())) return Limits::min();
  if (result >= static_cast<Exact>(Limits::max())) return Limits::max();
  return static_cast<Integer>(result);
}

template <class Traits, class Integer>
std::string first_wrong_integer(Integer (*convert)(typename Traits::T), Mode mode) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const Integer actual = convert(made<Traits>(bits));
    const Integer expected = expected_integer<Integer>(number<Traits>(bits), mode);
    if (actual != expected) return in_words(bits) + ": " + std::to_string(actual) + ", not " + std::to_string(expected);
  }
  return {};
}

template <class Traits, class Integer>
std::string first_wrong_integer(const Conversions<Integer, typename Traits::T>& conversions) {
  for (std::size_t mode = 0; mode < kModes.size(); ++mode) {
    const std::string wrong = first_wrong_integer<Traits, Integer>(conversions[mode], kModes[mode]);
    if (!wrong.empty()) return wrong;
  }
  return {};
}

}  // namespace

TEMPLATE_TEST_CASE("every 16-bit number is the float of the same value", "[host-arithmetic]", HalfTraits,
                   BfloatTraits) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const float actual = Functions<TestType>::to_float(made<TestType>(bits));
    const Exact expected = number<TestType>(bits);
    if (std::isnan(expected) ? !std::isnan(actual)
                             : static_cast<Exact>(actual) != expected || std::signbit(actual) != (bits >> 15 != 0)) {
      FAIL(TestType::kName << " " << bits << " became " << actual);
    }
  }
}

TEMPLATE_TEST_CASE("floats become the 16-bit number that the rounding names", "[host-arithmetic]", HalfTraits,
                   BfloatTraits) {
  using F = Functions<TestType>;
  const std::vector<float> inputs = surroundings<TestType, float>();
  CHECK(first_wrong<TestType, float>(inputs, F::kFromFloat) == "");
  CHECK(first_wrong<TestType, float>(inputs, {F::from_float, F::kFromFloat[1], F::kFromFloat[2], F::kFromFloat[3]}) ==
        "");
}

TEMPLATE_TEST_CASE("doubles are rounded once", "[host-arithmetic]", HalfTraits, BfloatTraits) {
  using Traits = TestType;
  for (const double x : surroundings<Traits, double>()) {
    const unsigned actual = Functions<Traits>::as_bits(Functions<Traits>::from_double(x));
    const unsigned expected = rounded_value<Traits>(static_cast<Exact>(x));
    if (actual != expected) FAIL(mismatch(in_words(x), actual, expected));
  }
}

TEMPLATE_TEST_CASE("integers become the 16-bit number that the rounding names", "[host-arithmetic]", HalfTraits,
                   BfloatTraits) {
  using F = Functions<TestType>;
  CHECK(first_wrong<TestType, short>(integers_around<TestType, short>(), F::kFromShort) == "");
  CHECK(first_wrong<TestType, unsigned short>(integers_around<TestType, unsigned short>(), F::kFromUshort) == "");
  CHECK(first_wrong<TestType, int>(integers_around<TestType, int>(), F::kFromInt) == "");
  CHECK(first_wrong<TestType, unsigned>(integers_around<TestType, unsigned>(), F::kFromUint) == "");
  CHECK(first_wrong<TestType, long long>(integers_around<TestType, long long>(), F::kFromLong) == "");
  CHECK(first_wrong<TestType, unsigned long long>(integers_around<TestType, unsigned long long>(), F::kFromUlong) ==
        "");
}

TEMPLATE_TEST_CASE("every 16-bit number becomes the integer that the rounding names", "[host-arithmetic]", HalfTraits,
                   BfloatTraits) {
  using F = Functions<TestType>;
  CHECK(first_wrong_integer<TestType, short>(F::kToShort) == "");
  CHECK(first_wrong_integer<TestType, unsigned short>(F::kToUshort) == "");
  CHECK(first_wrong_integer<TestType, int>(F::kToInt) == "");
  CHECK(first_wrong_integer<TestType, unsigned>(F::kToUint) == "");
  CHECK(first_wrong_integer<TestType, long long>(F::kToLong) == "");
  CHECK(first_wrong_integer<TestType, unsigned long long>(F::kToUlong) == "");
  CHECK(first_wrong_integer<TestType, signed char>(F::to_char, Mode::kZero) == "");
  CHECK(first_wrong_integer<TestType, unsigned char>(F::to_uchar, Mode::kZero) == "");
}

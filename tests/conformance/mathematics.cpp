// SPDX-License-Identifier: Apache-2.0
//
// Conformance: CUDA's mathematical functions, on hardware and here. Two kinds of line:
//   exact NAME hash answers   functions whose every bit is specified, over special and pseudo-random arguments
//   kind NAME letters         what the answer to each special argument is: n NaN, 0 and o the zeros, i and j the
//                             infinities, p and m other positive and negative numbers
// With --errors it prints instead the largest errors found against long double, in units in the last place.
#include "evaluate.hpp"

using Real = long double;
constexpr Real kPi = 3.141592653589793238462643383279502884L;

// ---- references

Real half_turns(Real x, Real shift) {
  const Real at = std::remainder(x, 2.0L) + shift;
  const Real whole = std::nearbyint(at);
  const Real sine = std::sin(kPi * (at - whole));
  return std::fmod(whole, 2.0L) == 0 ? sine : -sine;
}

Real inverse_error_complement(Real y) {
  if (y > 1) return -inverse_error_complement(2 - y);
  Real z = y < 0.5L ? std::sqrt(-std::log(y)) : 1 - y;
  for (int i = 0; i < 12; ++i) {
    const Real newton = (std::erfc(z) - y) / (-2 / std::sqrt(kPi) * std::exp(-z * z));
    z -= newton / (1 + z * newton);
  }
  return z;
}

Real inverse_error(Real y) {
  if (std::fabs(y) >= 0.5L) return y < 0 ? -inverse_error_complement(1 + y) : inverse_error_complement(1 - y);
  Real z = y;
  for (int i = 0; i < 30; ++i) z -= (std::erf(z) - y) / (2 / std::sqrt(kPi) * std::exp(-z * z));
  return z;
}

Real scaled_complement(Real x) {
  if (x < 20) return std::exp(x * x) * std::erfc(x);
  Real term = 1;
  Real sum = 1;
  for (int k = 1; k < 12; ++k) sum += term *= -(2 * k - 1) / (2 * x * x);
  return sum / (x * std::sqrt(kPi));
}

Real bessel_mean(int order, Real x) {
  Real sum = 0;
  for (int i = 0; i < 400; ++i) sum += std::exp(x * std::cos(2 * kPi * i / 400)) * std::cos(order * 2 * kPi * i / 400);
  return sum / 400;
}

// ---- the functions. Inexact ones: name, expression, reference (x, y, z are long double), domain of the arguments.

// Logarithmic: any sign where the lower bound is negative, magnitudes from 2^-40 to the upper bound.
enum class Spread { kEven, kLogarithmic };

// clang-format off
#define INEXACT_UNARY(F, T, suffix)                                                                             \
  F(sin##suffix, T, sin##suffix(a), std::sin(x), -100, 100, kEven)                                              \
  F(cos##suffix, T, cos##suffix(a), std::cos(x), -100, 100, kEven)                                              \
  F(tan##suffix, T, tan##suffix(a), std::tan(x), -100, 100, kEven)                                              \
  F(asin##suffix, T, asin##suffix(a), std::asin(x), -1, 1, kEven)                                               \
  F(acos##suffix, T, acos##suffix(a), std::acos(x), -1, 1, kEven)                                               \
  F(atan##suffix, T, atan##suffix(a), std::atan(x), -1e6, 1e6, kLogarithmic)                                    \
  F(sinh##suffix, T, sinh##suffix(a), std::sinh(x), -80, 80, kLogarithmic)                                      \
  F(cosh##suffix, T, cosh##suffix(a), std::cosh(x), -80, 80, kLogarithmic)                                      \
  F(tanh##suffix, T, tanh##suffix(a), std::tanh(x), -20, 20, kLogarithmic)                                      \
  F(asinh##suffix, T, asinh##suffix(a), std::asinh(x), -1e6, 1e6, kLogarithmic)                                 \
  F(acosh##suffix, T, acosh##suffix(a), std::acosh(x), 1, 1e6, kEven)                                           \
  F(atanh##suffix, T, atanh##suffix(a), std::atanh(x), -1, 1, kEven)                                            \
  F(exp##suffix, T, exp##suffix(a), std::exp(x), -80, 80, kEven)                                                \
  F(exp2##suffix, T, exp2##suffix(a), std::exp2(x), -120, 120, kEven)                                           \
  F(exp10##suffix, T, exp10##suffix(a), std::pow(10.0L, x), -35, 35, kEven)                                     \
  F(expm1##suffix, T, expm1##suffix(a), std::expm1(x), -20, 80, kLogarithmic)                                   \
  F(log##suffix, T, log##suffix(a), std::log(x), 0, 1e30, kLogarithmic)                                         \
  F(log2##suffix, T, log2##suffix(a), std::log2(x), 0, 1e30, kLogarithmic)                                      \
  F(log10##suffix, T, log10##suffix(a), std::log10(x), 0, 1e30, kLogarithmic)                                   \
  F(log1p##suffix, T, log1p##suffix(a), std::log1p(x), 0, 1e30, kLogarithmic)                                   \
  F(cbrt##suffix, T, cbrt##suffix(a), std::cbrt(x), -1e30, 1e30, kLogarithmic)                                  \
  F(rsqrt##suffix, T, rsqrt##suffix(a), 1 / std::sqrt(x), 0, 1e30, kLogarithmic)                                \
  F(rcbrt##suffix, T, rcbrt##suffix(a), 1 / std::cbrt(x), -1e30, 1e30, kLogarithmic)                            \
  F(sinpi##suffix, T, sinpi##suffix(a), half_turns(x, 0), -4, 4, kEven)                                         \
  F(cospi##suffix, T, cospi##suffix(a), half_turns(x, 0.5L), -4, 4, kEven)                                      \
  F(erf##suffix, T, erf##suffix(a), std::erf(x), -6, 6, kLogarithmic)                                           \
  F(erfc##suffix, T, erfc##suffix(a), std::erfc(x), -6, 9, kEven)                                               \
  F(erfinv##suffix, T, erfinv##suffix(a), inverse_error(x), -1, 1, kEven)                                       \
  F(erfcinv##suffix, T, erfcinv##suffix(a), inverse_error_complement(x), 0, 2, kLogarithmic)                    \
  F(erfcx##suffix, T, erfcx##suffix(a), scaled_complement(x), -5, 80, kEven)                                    \
  F(normcdf##suffix, T, normcdf##suffix(a), std::erfc(-x / std::sqrt(2.0L)) / 2, -12, 6, kEven)                 \
  F(normcdfinv##suffix, T, normcdfinv##suffix(a),                                                               \
     -std::sqrt(2.0L) * inverse_error_complement(2 * x), 0, 1, kLogarithmic)                                    \
  F(lgamma##suffix, T, lgamma##suffix(a), std::lgamma(x), 0, 1e6, kLogarithmic)                                 \
  F(tgamma##suffix, T, tgamma##suffix(a), std::tgamma(x), 0, 33, kEven)                                         \
  F(j0##suffix, T, j0##suffix(a), ::j0l(x), 0, 8, kEven) F(j1##suffix, T, j1##suffix(a), ::j1l(x), 0, 8, kEven) \
  F(y0##suffix, T, y0##suffix(a), ::y0l(x), 0, 8, kEven) F(y1##suffix, T, y1##suffix(a), ::y1l(x), 0, 8, kEven) \
  F(cyl_bessel_i0##suffix, T, cyl_bessel_i0##suffix(a), bessel_mean(0, x), -60, 60, kEven)                      \
  F(cyl_bessel_i1##suffix, T, cyl_bessel_i1##suffix(a), bessel_mean(1, x), 1, 60, kEven)
// clang-format on
#define FAST_UNARY(F)                                                 \
  F(__expf, f32, __expf(a), std::exp(x), -80, 80, kEven)              \
  F(__exp10f, f32, __exp10f(a), std::pow(10.0L, x), -35, 35, kEven)   \
  F(__logf, f32, __logf(a), std::log(x), 2, 1e30, kLogarithmic)       \
  F(__log2f, f32, __log2f(a), std::log2(x), 2, 1e30, kLogarithmic)    \
  F(__log10f, f32, __log10f(a), std::log10(x), 2, 1e30, kLogarithmic) \
  F(__sinf, f32, __sinf(a), std::sin(x), 0.1, 3, kEven)               \
  F(__cosf, f32, __cosf(a), std::cos(x), -1.5, 1.5, kEven)            \
  F(__tanf, f32, __tanf(a), std::tan(x), 0.1, 1.5, kEven)             \
  F(__tanhf, f32, __tanhf(a), std::tanh(x), -10, 10, kLogarithmic)
#define INEXACT_BINARY(F, T, suffix)                                                  \
  F(pow##suffix, T, pow##suffix(a, b), std::pow(x, y), 0, 100, kLogarithmic)          \
  F(atan2##suffix, T, atan2##suffix(a, b), std::atan2(x, y), -100, 100, kLogarithmic) \
  F(hypot##suffix, T, hypot##suffix(a, b), std::hypot(x, y), -1e6, 1e6, kLogarithmic) \
  F(rhypot##suffix, T, rhypot##suffix(a, b), 1 / std::hypot(x, y), -1e6, 1e6, kLogarithmic)
#define FAST_BINARY(F)                                                                           \
  F(__powf, f32, __powf(a, b), std::pow(x, y), 0, 20, kLogarithmic)                              \
  F(__fdividef, f32, __fdividef(a, b), x / y, -1e6, 1e6, kLogarithmic)                           \
  F(norm3df, f32, norm3df(a, b, a), std::sqrt(2 * x * x + y * y), -1e6, 1e6, kLogarithmic)       \
  F(rnorm3df, f32, rnorm3df(a, b, a), 1 / std::sqrt(2 * x * x + y * y), -1e6, 1e6, kLogarithmic) \
  F(norm3d, f64, norm3d(a, b, a), std::sqrt(2 * x * x + y * y), -1e6, 1e6, kLogarithmic)         \
  F(rnorm3d, f64, rnorm3d(a, b, a), 1 / std::sqrt(2 * x * x + y * y), -1e6, 1e6, kLogarithmic)   \
  F(norm4df, f32, norm4df(a, b, a, b), std::sqrt(2 * (x * x + y * y)), -1e6, 1e6, kLogarithmic)  \
  F(norm4d, f64, norm4d(a, b, a, b), std::sqrt(2 * (x * x + y * y)), -1e6, 1e6, kLogarithmic)
#define UNARY_FUNCTIONS(F) INEXACT_UNARY(F, f32, f) FAST_UNARY(F) INEXACT_UNARY(F, f64, )
#define BINARY_FUNCTIONS(F) INEXACT_BINARY(F, f32, f) INEXACT_BINARY(F, f64, ) FAST_BINARY(F)

// clang-format off
#define EXACT_OF(F, T, suffix)                                                                   \
  F(sqrt##suffix, T, T, sqrt##suffix(a)) F(ceil##suffix, T, T, ceil##suffix(a))                  \
  F(floor##suffix, T, T, floor##suffix(a)) F(trunc##suffix, T, T, trunc##suffix(a))              \
  F(rint##suffix, T, T, rint##suffix(a)) F(nearbyint##suffix, T, T, nearbyint##suffix(a))        \
  F(round##suffix, T, T, round##suffix(a)) F(fabs##suffix, T, T, fabs##suffix(a))                \
  F(logb##suffix, T, T, logb##suffix(a)) F(ilogb##suffix, T, i32, ilogb##suffix(a))              \
  F(fmod##suffix, T, T, fmod##suffix(a, b)) F(remainder##suffix, T, T, remainder##suffix(a, b))  \
  F(fdim##suffix, T, T, fdim##suffix(a, b)) F(copysign##suffix, T, T, copysign##suffix(a, b))    \
  F(nextafter##suffix, T, T, nextafter##suffix(a, b)) F(fma##suffix, T, T, fma##suffix(a, b, a)) \
  F(ldexp##suffix, T, T, ldexp##suffix(a, static_cast<int>(from.bits[1] % 400) - 200))           \
  F(lround##suffix, T, i64, lround##suffix(a)) F(llrint##suffix, T, i64, llrint##suffix(a))
// clang-format on
#define EXACT_FUNCTIONS(F) EXACT_OF(F, f32, f) EXACT_OF(F, f64, )

#define DEFINE_UNARY(name, T, expression, ...)         \
  struct Fn_##name {                                   \
    __device__ static u64 run(const Arguments& from) { \
      const T a = from_bits<T>(from.bits[0]);          \
      return to_bits<T>(expression);                   \
    }                                                  \
  };
#define DEFINE_BINARY(name, T, expression, ...)        \
  struct Fn_##name {                                   \
    __device__ static u64 run(const Arguments& from) { \
      const T a = from_bits<T>(from.bits[0]);          \
      const T b = from_bits<T>(from.bits[1]);          \
      return to_bits<T>(expression);                   \
    }                                                  \
  };
#define DEFINE_EXACT(name, T, R, expression)           \
  struct Exact_##name {                                \
    __device__ static u64 run(const Arguments& from) { \
      const T a = from_bits<T>(from.bits[0]);          \
      const T b = from_bits<T>(from.bits[1]);          \
      static_cast<void>(b);                            \
      return to_bits<R>(expression);                   \
    }                                                  \
  };

UNARY_FUNCTIONS(DEFINE_UNARY)
BINARY_FUNCTIONS(DEFINE_BINARY)
EXACT_FUNCTIONS(DEFINE_EXACT)

// ---- arguments and printing

constexpr int kSamples = 20000;
bool errors_wanted = false;

/// Number `i` of the random arguments in a domain.
template <class T>
T sample(u64 i, Real from, Real to, Spread spread) {
  const Real unit = static_cast<Real>(scrambled(i) >> 1) * 0x1p-63L;
  if (spread == Spread::kEven) return static_cast<T>(from + (to - from) * unit);
  const Real least = from > 0 ? from : 0x1p-40L;
  const Real size = least * std::exp2(unit * std::log2(to / least));
  return static_cast<T>(from < 0 && (scrambled(~i) & 1) != 0 ? -size : size);
}

template <class T>
const std::vector<T>& special_values() {
  static const std::vector<T> values{0,      -T(0),   T(INFINITY), -T(INFINITY), T(NAN),   1,        -1,
                                     T(0.5), T(-0.5), 2,           -2,           T(1.5),   T(-1.5),  3,
                                     100,    -100,    T(1e30),     T(-1e30),     T(1e-40), T(-1e-40)};
  return values;
}

template <class T>
char kind(T value) {
  if (std::isnan(value)) return 'n';
  if (value == 0) return std::signbit(value) ? 'o' : '0';
  if (std::isinf(value)) return value < 0 ? 'j' : 'i';
  return value < 0 ? 'm' : 'p';
}

/// Functions that on the device take tiny arguments for 0 and huge ones for anything.
bool is_vague(const char* name) {
  return std::strcmp(name, "__sinf") == 0 || std::strcmp(name, "__cosf") == 0 || std::strcmp(name, "__tanf") == 0;
}

template <class Function, class T>
void show_kinds(const char* name, const std::vector<Arguments>& arguments) {
  if (is_vague(name)) return;
  std::printf("kind %s ", name);
  for (const u64 bits : evaluate<Function>(arguments)) std::printf("%c", kind(host_value<T>(bits)));
  std::printf("\n");
}

template <class T>
Real ulps_off(T actual, Real expected) {
  const int digits = sizeof(T) == 4 ? 24 : 53;
  const int least = sizeof(T) == 4 ? -125 : -1021;
  const int exponent = std::ilogb(expected) + 1 > least ? std::ilogb(expected) + 1 : least;
  return std::fabs(static_cast<Real>(actual) - expected) / std::ldexp(1.0L, exponent - digits);
}

template <class Function, class T, class Reference>
void show_error(const char* name, const std::vector<Arguments>& arguments, Reference reference) {
  const std::vector<u64> answers = evaluate<Function>(arguments);
  Real most = 0;
  std::size_t where = 0;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const Real expected = reference(static_cast<Real>(host_value<T>(arguments[i].bits[0])),
                                    static_cast<Real>(host_value<T>(arguments[i].bits[1])));
    const Real off = ulps_off(host_value<T>(answers[i]), expected);
    if (std::isfinite(off) && off > most) {
      most = off;
      where = i;
    }
  }
  std::printf("%-16s %10.3Lf at %a, %a\n", name, most, static_cast<double>(host_value<T>(arguments[where].bits[0])),
              static_cast<double>(host_value<T>(arguments[where].bits[1])));
}

template <class Function, class T, class Reference>
void show_unary(const char* name, Real from, Real to, Spread spread, Reference reference) {
  std::vector<Arguments> special;
  for (const T a : special_values<T>()) special.push_back({{host_bits(a), 0, 0}});
  if (!errors_wanted) return show_kinds<Function, T>(name, special);
  std::vector<Arguments> samples;
  for (u64 i = 0; i < kSamples; ++i) samples.push_back({{host_bits(sample<T>(i, from, to, spread)), 0, 0}});
  show_error<Function, T>(name, samples, reference);
}

template <class Function, class T, class Reference>
void show_binary(const char* name, Real from, Real to, Spread spread, Reference reference) {
  std::vector<Arguments> special;
  for (const T a : special_values<T>()) {
    for (const T b : special_values<T>()) special.push_back({{host_bits(a), host_bits(b), 0}});
  }
  if (!errors_wanted) return show_kinds<Function, T>(name, special);
  std::vector<Arguments> samples;
  for (u64 i = 0; i < kSamples; ++i) {
    samples.push_back(
        {{host_bits(sample<T>(2 * i, from, to, spread)), host_bits(sample<T>(2 * i + 1, from, to, spread)), 0}});
  }
  show_error<Function, T>(name, samples, reference);
}

template <class R>
u64 one_nan(u64 bits) {
  if (std::is_integral<R>::value) return bits;
  const R value = host_value<R>(bits);
  return value != value ? ~0ULL : bits;
}

template <class Function, class T, class R>
void show_exact(const char* name) {
  std::vector<Arguments> arguments;
  for (const T a : special_values<T>()) {
    for (const T b : special_values<T>()) arguments.push_back({{host_bits(a), host_bits(b), 0}});
  }
  for (u64 i = 0; i < kSamples; ++i) {
    const Real range = i % 3 == 0 ? 10 : 1e9;
    arguments.push_back({{host_bits(sample<T>(2 * i, -range, range, Spread::kLogarithmic)),
                          host_bits(sample<T>(2 * i + 1, -range, range, Spread::kLogarithmic)), 0}});
  }
  const std::vector<u64> answers = evaluate<Function>(arguments);
  u64 hash = 0xcbf29ce484222325ULL;
  for (const u64 answer : answers) hash = scrambled(hash ^ one_nan<R>(answer));
  std::printf("exact %-12s %016llx ", name, hash);
  for (std::size_t k = 0; k < special_values<T>().size(); ++k)
    std::printf(" %llx", one_nan<R>(answers[k * special_values<T>().size() + k]));
  std::printf("\n");
}

#define SHOW_UNARY(name, T, expression, reference, from, to, spread) \
  show_unary<Fn_##name, T>(#name, from, to, Spread::spread, [](Real x, Real) -> Real { return reference; });
#define SHOW_BINARY(name, T, expression, reference, from, to, spread) \
  show_binary<Fn_##name, T>(#name, from, to, Spread::spread, [](Real x, Real y) -> Real { return reference; });
#define SHOW_EXACT(name, T, R, expression) show_exact<Exact_##name, T, R>(#name);

void show_all_unary() {
  UNARY_FUNCTIONS(SHOW_UNARY)
}
void show_all_binary() {
  BINARY_FUNCTIONS(SHOW_BINARY)
}
void show_all_exact() {
  EXACT_FUNCTIONS(SHOW_EXACT)
}

int main(int argc, char** argv) {
  errors_wanted = argc > 1 && std::strcmp(argv[1], "--errors") == 0;
  if (!errors_wanted) show_all_exact();
  show_all_unary();
  show_all_binary();
  return 0;
}

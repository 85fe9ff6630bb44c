// SPDX-License-Identifier: Apache-2.0
//
// Conformance: CUDA's exactly specified per-thread functions, on hardware and here: integer functions, SIMD in a word,
// DPX, casts, conversions, arithmetic with explicit rounding, min and max. Every function is evaluated over corner
// cases and pseudo-random arguments; a line holds its name, a hash over the corners, one over the random arguments and
// a few answers. NaNs count as one value. With the name of a function it prints every argument and answer of that one.
#include "evaluate.hpp"

/// A small number with a sign: a position or a count.
struct Small {
  int value;
};

// ---- the functions

// clang-format off
#define SIMD1(F, name)                                              \
  F(name##2, u32, name##2(a), u32) F(name##4, u32, name##4(a), u32)
#define SIMD2(F, name)                                                              \
  F(name##2, u32, name##2(a, b), u32, u32) F(name##4, u32, name##4(a, b), u32, u32)
#define RELATION(F, name)                       \
  SIMD2(F, __vcmp##name) SIMD2(F, __vset##name)
#define MODES1(F, name, R, A)                                                                        \
  F(name##_rn, R, name##_rn(a), A) F(name##_rz, R, name##_rz(a), A) F(name##_ru, R, name##_ru(a), A) \
  F(name##_rd, R, name##_rd(a), A)
#define MODES2(F, name, T)                                                      \
  F(name##_rn, T, name##_rn(a, b), T, T) F(name##_rz, T, name##_rz(a, b), T, T) \
  F(name##_ru, T, name##_ru(a, b), T, T) F(name##_rd, T, name##_rd(a, b), T, T)
#define MODES3(F, name, T)                                                                  \
  F(name##_rn, T, name##_rn(a, b, c), T, T, T) F(name##_rz, T, name##_rz(a, b, c), T, T, T) \
  F(name##_ru, T, name##_ru(a, b, c), T, T, T) F(name##_rd, T, name##_rd(a, b, c), T, T, T)
#define MIN_MAX(F, id, R, A, B)                                   \
  F(min_##id, R, min(a, b), A, B) F(max_##id, R, max(a, b), A, B)
#define DPX3(F, name, T) F(name, T, name(a, b, c), T, T, T)

#define UNARY_FUNCTIONS(F)                                                                                       \
  F(__popc, i32, __popc(a), u32) F(__popcll, i32, __popcll(a), u64) F(__ffs, i32, __ffs(a), i32)                 \
  F(__ffsll, i32, __ffsll(a), i64) F(__clz, i32, __clz(a), i32) F(__clzll, i32, __clzll(a), i64)                 \
  F(__brev, u32, __brev(a), u32) F(__brevll, u64, __brevll(a), u64) SIMD1(F, __vabs) SIMD1(F, __vabsss)          \
  SIMD1(F, __vneg) SIMD1(F, __vnegss) F(__float_as_int, i32, __float_as_int(a), f32)                             \
  F(__float_as_uint, u32, __float_as_uint(a), f32) F(__int_as_float, f32, __int_as_float(a), i32)                \
  F(__uint_as_float, f32, __uint_as_float(a), u32) F(__double_as_longlong, i64, __double_as_longlong(a), f64)    \
  F(__longlong_as_double, f64, __longlong_as_double(a), i64) F(__double2hiint, i32, __double2hiint(a), f64)      \
  F(__double2loint, i32, __double2loint(a), f64) MODES1(F, __float2int, i32, f32)                                \
  MODES1(F, __float2uint, u32, f32) MODES1(F, __float2ll, i64, f32) MODES1(F, __float2ull, u64, f32)             \
  MODES1(F, __double2int, i32, f64) MODES1(F, __double2uint, u32, f64) MODES1(F, __double2ll, i64, f64)          \
  MODES1(F, __double2ull, u64, f64) MODES1(F, __int2float, f32, i32) MODES1(F, __uint2float, f32, u32)           \
  MODES1(F, __ll2float, f32, i64) MODES1(F, __ull2float, f32, u64) MODES1(F, __ll2double, f64, i64)              \
  MODES1(F, __ull2double, f64, u64) MODES1(F, __double2float, f32, f64)                                          \
  F(__int2double_rn, f64, __int2double_rn(a), i32) F(__uint2double_rn, f64, __uint2double_rn(a), u32)            \
  MODES1(F, __frcp, f32, f32) MODES1(F, __fsqrt, f32, f32) MODES1(F, __drcp, f64, f64)                           \
  MODES1(F, __dsqrt, f64, f64) F(__frsqrt_rn, f32, __frsqrt_rn(a), f32) F(__saturatef, f32, __saturatef(a), f32)

#define BINARY_FUNCTIONS(F)                                                                                     \
  F(__mulhi, i32, __mulhi(a, b), i32, i32) F(__umulhi, u32, __umulhi(a, b), u32, u32)                           \
  F(__mul64hi, i64, __mul64hi(a, b), i64, i64) F(__umul64hi, u64, __umul64hi(a, b), u64, u64)                   \
  F(__mul24, i32, __mul24(a, b), i32, i32) F(__umul24, u32, __umul24(a, b), u32, u32)                           \
  F(__hadd, i32, __hadd(a, b), i32, i32) F(__rhadd, i32, __rhadd(a, b), i32, i32)                               \
  F(__uhadd, u32, __uhadd(a, b), u32, u32) F(__urhadd, u32, __urhadd(a, b), u32, u32)                           \
  F(__hiloint2double, f64, __hiloint2double(a, b), i32, i32) SIMD2(F, __vadd) SIMD2(F, __vaddss)                \
  SIMD2(F, __vaddus) SIMD2(F, __vsub) SIMD2(F, __vsubss) SIMD2(F, __vsubus) SIMD2(F, __vavgs) SIMD2(F, __vavgu) \
  SIMD2(F, __vhaddu) SIMD2(F, __vabsdiffs) SIMD2(F, __vabsdiffu) SIMD2(F, __vmaxs) SIMD2(F, __vmaxu)            \
  SIMD2(F, __vmins) SIMD2(F, __vminu) SIMD2(F, __vsads) SIMD2(F, __vsadu) RELATION(F, eq) RELATION(F, ne)       \
  RELATION(F, ges) RELATION(F, geu) RELATION(F, gts) RELATION(F, gtu) RELATION(F, les) RELATION(F, leu)         \
  RELATION(F, lts) RELATION(F, ltu) MIN_MAX(F, int, i32, i32, i32) MIN_MAX(F, uint, u32, u32, u32)              \
  MIN_MAX(F, mixed, u32, i32, u32) MIN_MAX(F, ll, i64, i64, i64) MIN_MAX(F, ull, u64, u64, u64)                 \
  MIN_MAX(F, mixedll, u64, u64, i64) MIN_MAX(F, float, f32, f32, f32) MIN_MAX(F, double, f64, f64, f64)         \
  MIN_MAX(F, mixedf, f64, f32, f64) F(fminf, f32, fminf(a, b), f32, f32) F(fmaxf, f32, fmaxf(a, b), f32, f32)   \
  F(fmin, f64, fmin(a, b), f64, f64) F(fmax, f64, fmax(a, b), f64, f64) MODES2(F, __fadd, f32)                  \
  MODES2(F, __fsub, f32) MODES2(F, __fmul, f32) MODES2(F, __fdiv, f32) MODES2(F, __dadd, f64)                   \
  MODES2(F, __dsub, f64) MODES2(F, __dmul, f64) MODES2(F, __ddiv, f64)                                          \
  F(__vimax_s32_relu, i32, __vimax_s32_relu(a, b), i32, i32)                                                    \
  F(__vimin_s32_relu, i32, __vimin_s32_relu(a, b), i32, i32)                                                    \
  F(__vimax_s16x2_relu, u32, __vimax_s16x2_relu(a, b), u32, u32)                                                \
  F(__vimin_s16x2_relu, u32, __vimin_s16x2_relu(a, b), u32, u32)                                                \
  F(__vibmax_s32, u64, with_winner(__vibmax_s32, a, b), i32, i32)                                               \
  F(__vibmin_s32, u64, with_winner(__vibmin_s32, a, b), i32, i32)                                               \
  F(__vibmax_u32, u64, with_winner(__vibmax_u32, a, b), u32, u32)                                               \
  F(__vibmin_u32, u64, with_winner(__vibmin_u32, a, b), u32, u32)                                               \
  F(__vibmax_s16x2, u64, with_winners(__vibmax_s16x2, a, b), u32, u32)                                          \
  F(__vibmin_s16x2, u64, with_winners(__vibmin_s16x2, a, b), u32, u32)                                          \
  F(__vibmax_u16x2, u64, with_winners(__vibmax_u16x2, a, b), u32, u32)                                          \
  F(__vibmin_u16x2, u64, with_winners(__vibmin_u16x2, a, b), u32, u32)

#define TERNARY_FUNCTIONS(F)                                                                                      \
  F(__byte_perm, u32, __byte_perm(a, b, c), u32, u32, u32)                                                        \
  F(__funnelshift_l, u32, __funnelshift_l(a, b, c), u32, u32, u32)                                                \
  F(__funnelshift_lc, u32, __funnelshift_lc(a, b, c), u32, u32, u32)                                              \
  F(__funnelshift_r, u32, __funnelshift_r(a, b, c), u32, u32, u32)                                                \
  F(__funnelshift_rc, u32, __funnelshift_rc(a, b, c), u32, u32, u32) F(__sad, u32, __sad(a, b, c), i32, i32, u32) \
  F(__usad, u32, __usad(a, b, c), u32, u32, u32) F(__fns, u32, __fns(a, b & 31, c.value), u32, u32, Small)        \
  F(dp4a_s, i32, __dp4a(a, b, c), i32, i32, i32) F(dp4a_u, u32, __dp4a(a, b, c), u32, u32, u32)                   \
  F(dp2a_lo_s, i32, __dp2a_lo(a, b, c), i32, i32, i32) F(dp2a_lo_u, u32, __dp2a_lo(a, b, c), u32, u32, u32)       \
  F(dp2a_hi_s, i32, __dp2a_hi(a, b, c), i32, i32, i32) F(dp2a_hi_u, u32, __dp2a_hi(a, b, c), u32, u32, u32)       \
  MODES3(F, __fmaf, f32) MODES3(F, __fmaf_ieee, f32) MODES3(F, __fma, f64) DPX3(F, __vimax3_s32, i32)             \
  DPX3(F, __vimax3_u32, u32) DPX3(F, __vimax3_s16x2, u32) DPX3(F, __vimax3_u16x2, u32) DPX3(F, __vimin3_s32, i32) \
  DPX3(F, __vimin3_u32, u32) DPX3(F, __vimin3_s16x2, u32) DPX3(F, __vimin3_u16x2, u32)                            \
  DPX3(F, __vimax3_s32_relu, i32) DPX3(F, __vimax3_s16x2_relu, u32) DPX3(F, __vimin3_s32_relu, i32)               \
  DPX3(F, __vimin3_s16x2_relu, u32) DPX3(F, __viaddmax_s32, i32) DPX3(F, __viaddmax_u32, u32)                     \
  DPX3(F, __viaddmax_s16x2, u32) DPX3(F, __viaddmax_u16x2, u32) DPX3(F, __viaddmin_s32, i32)                      \
  DPX3(F, __viaddmin_u32, u32) DPX3(F, __viaddmin_s16x2, u32) DPX3(F, __viaddmin_u16x2, u32)                      \
  DPX3(F, __viaddmax_s32_relu, i32) DPX3(F, __viaddmax_s16x2_relu, u32) DPX3(F, __viaddmin_s32_relu, i32)         \
  DPX3(F, __viaddmin_s16x2_relu, u32)
// clang-format on

/// The answer in the lower word, whether the first argument won above it.
template <class T>
__device__ u64 with_winner(T (*function)(T, T, bool*), T a, T b) {
  bool won = false;
  const u32 result = static_cast<u32>(function(a, b, &won));
  return result | (won ? 1ULL << 32 : 0);
}
__device__ inline u64 with_winners(u32 (*function)(u32, u32, bool*, bool*), u32 a, u32 b) {
  bool high = false;
  bool low = false;
  const u32 result = function(a, b, &high, &low);
  return result | (low ? 1ULL << 32 : 0) | (high ? 1ULL << 33 : 0);
}

/// One evaluator a function: Name::run(arguments) yields the bits of the answer.
#define DEFINE_UNARY(name, R, expression, A)           \
  struct Fn_##name {                                   \
    __device__ static u64 run(const Arguments& from) { \
      const A a = from_bits<A>(from.bits[0]);          \
      return to_bits<R>(expression);                   \
    }                                                  \
  };
#define DEFINE_BINARY(name, R, expression, A, B)       \
  struct Fn_##name {                                   \
    __device__ static u64 run(const Arguments& from) { \
      const A a = from_bits<A>(from.bits[0]);          \
      const B b = from_bits<B>(from.bits[1]);          \
      return to_bits<R>(expression);                   \
    }                                                  \
  };
#define DEFINE_TERNARY(name, R, expression, A, B, C)   \
  struct Fn_##name {                                   \
    __device__ static u64 run(const Arguments& from) { \
      const A a = from_bits<A>(from.bits[0]);          \
      const B b = from_bits<B>(from.bits[1]);          \
      const C c = from_bits<C>(from.bits[2]);          \
      return to_bits<R>(expression);                   \
    }                                                  \
  };

UNARY_FUNCTIONS(DEFINE_UNARY)
BINARY_FUNCTIONS(DEFINE_BINARY)
TERNARY_FUNCTIONS(DEFINE_TERNARY)

// ---- arguments

template <class T>
struct Corners {
  static std::vector<u64> all() {
    std::vector<u64> values;
    const int width = static_cast<int>(8 * sizeof(T));
    for (const int bit : {0, 1, 2, 4, 5, 7, 8, 15, 16, 23, 24, 31, 32, 47, 53, 62, 63}) {
      if (bit >= width) continue;
      const u64 power = 1ULL << bit;
      for (const u64 near : {power - 1, power, power + 1, 0 - power}) values.push_back(host_bits(static_cast<T>(near)));
    }
    for (const u64 pattern : {0x0123456789abcdefULL, 0x7f807f807f8080ffULL, 0xaaaaaaaaaaaaaaaaULL,
                              0x8000800080008000ULL, 0x7fff80017fff8001ULL}) {
      values.push_back(host_bits(static_cast<T>(pattern)));
    }
    return values;
  }
};

template <>
struct Corners<Small> {
  static std::vector<u64> all() {
    std::vector<u64> values;
    for (const int value : {0, 1, -1, 2, -2, 3, 5, -7, 16, 31, -31, 32, -32, 33, -33, 1000})
      values.push_back(host_bits(value));
    return values;
  }
};

template <class T>
std::vector<u64> floating_corners(int digits, const std::vector<int>& powers, T least, T smallest_normal, T largest) {
  std::vector<T> values{0,
                        least,
                        least * 3,
                        smallest_normal,
                        std::nextafter(smallest_normal, T(0)),
                        largest,
                        std::nextafter(largest, T(0)),
                        T(INFINITY),
                        T(NAN),
                        T(1) / 3,
                        T(10) / 3,
                        std::ldexp(T(1), -digits)};
  for (const int power : powers) {
    const T at = std::ldexp(T(1), power);
    for (const T near : {at, std::nextafter(at, T(0)), std::nextafter(at, T(INFINITY)), at * T(1.5), at + T(0.5)})
      values.push_back(near);
  }
  std::vector<u64> bits;
  for (const T value : values) {
    bits.push_back(host_bits(value));
    bits.push_back(host_bits(-value));
  }
  return bits;
}

template <>
struct Corners<f32> {
  static std::vector<u64> all() {
    return floating_corners<f32>(24, {-1, 0, 1, 22, 23, 31, 32, 63, 64, 126}, 0x1p-149F, 0x1p-126F, 3.40282347e38F);
  }
};

template <>
struct Corners<f64> {
  static std::vector<u64> all() {
    return floating_corners<f64>(53, {-126, -1, 0, 1, 24, 31, 32, 52, 63, 64, 128, 1022}, 4.9406564584124654e-324,
                                 0x1p-1022, 1.7976931348623157e308);
  }
};

template <class T>
u64 random_argument(u64 seed) {
  return host_bits(static_cast<T>(scrambled(seed)));
}
template <>
u64 random_argument<Small>(u64 seed) {
  return host_bits(static_cast<int>(scrambled(seed) % 70) - 35);
}
// Every second floating-point argument is near 1, so that sums and products stay in range.
template <>
u64 random_argument<f32>(u64 seed) {
  const u32 bits = static_cast<u32>(scrambled(seed));
  return seed % 2 == 0 ? bits : ((bits & 0x87ffffffU) | 0x38000000U);
}
template <>
u64 random_argument<f64>(u64 seed) {
  const u64 bits = scrambled(seed);
  return seed % 2 == 0 ? bits : ((bits & 0x807fffffffffffffULL) | 0x3f00000000000000ULL);
}

constexpr int kRandom = 20000;

struct Cases {
  std::vector<Arguments> arguments;
  std::size_t corners = 0;
};

template <class A>
Cases cases() {
  Cases result;
  for (const u64 a : Corners<A>::all()) result.arguments.push_back({{a, 0, 0}});
  result.corners = result.arguments.size();
  for (u64 i = 0; i < kRandom; ++i) result.arguments.push_back({{random_argument<A>(i), 0, 0}});
  return result;
}

template <class A, class B>
Cases cases() {
  Cases result;
  for (const u64 a : Corners<A>::all()) {
    for (const u64 b : Corners<B>::all()) result.arguments.push_back({{a, b, 0}});
  }
  result.corners = result.arguments.size();
  for (u64 i = 0; i < kRandom; ++i)
    result.arguments.push_back({{random_argument<A>(2 * i), random_argument<B>(3 * i + 1), 0}});
  return result;
}

template <class A, class B, class C>
Cases cases() {
  Cases result;
  const std::vector<u64> thirds = Corners<C>::all();
  u64 at = 0;
  for (const u64 a : Corners<A>::all()) {
    for (const u64 b : Corners<B>::all()) {
      for (int k = 0; k < 4; ++k) result.arguments.push_back({{a, b, thirds[scrambled(at++) % thirds.size()]}});
    }
  }
  result.corners = result.arguments.size();
  for (u64 i = 0; i < kRandom; ++i) {
    result.arguments.push_back(
        {{random_argument<A>(2 * i), random_argument<B>(3 * i + 1), random_argument<C>(5 * i + 2)}});
  }
  return result;
}

// ---- printing

std::string selected;  // the function to print in full; empty: a line for each

template <class R>
u64 one_nan(u64 bits) {
  return bits;
}
template <>
u64 one_nan<f32>(u64 bits) {
  const f32 value = host_value<f32>(bits);
  return value != value ? 0x7fffffffU : bits;
}
template <>
u64 one_nan<f64>(u64 bits) {
  const f64 value = host_value<f64>(bits);
  return value != value ? 0x7fffffffffffffffULL : bits;
}

u64 hash(const std::vector<u64>& values, std::size_t from, std::size_t to) {
  u64 result = 0xcbf29ce484222325ULL;
  for (std::size_t i = from; i < to; ++i) result = scrambled(result ^ values[i]);
  return result;
}

template <class Function, class R>
void show(const char* name, const Cases& in) {
  if (!selected.empty() && selected != name) return;
  std::vector<u64> answers = evaluate<Function>(in.arguments);
  for (u64& answer : answers) answer = one_nan<R>(answer);
  if (!selected.empty()) {
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const u64* a = in.arguments[i].bits;
      std::printf("%s %llx %llx %llx -> %llx\n", name, a[0], a[1], a[2], answers[i]);
    }
    return;
  }
  std::printf("%-22s %016llx %016llx ", name, hash(answers, 0, in.corners), hash(answers, in.corners, answers.size()));
  for (int k = 1; k < 5; ++k) std::printf(" %llx", answers[in.corners * static_cast<std::size_t>(k) / 5]);
  std::printf("\n");
}

#define SHOW_UNARY(name, R, expression, A) show<Fn_##name, R>(#name, cases<A>());
#define SHOW_BINARY(name, R, expression, A, B) show<Fn_##name, R>(#name, cases<A, B>());
#define SHOW_TERNARY(name, R, expression, A, B, C) show<Fn_##name, R>(#name, cases<A, B, C>());

void show_unary() {
  UNARY_FUNCTIONS(SHOW_UNARY)
}
void show_binary() {
  BINARY_FUNCTIONS(SHOW_BINARY)
}
void show_ternary() {
  TERNARY_FUNCTIONS(SHOW_TERNARY)
}

int main(int argc, char** argv) {
  if (argc > 1) selected = argv[1];
  show_unary();
  show_binary();
  show_ternary();
  return 0;
}

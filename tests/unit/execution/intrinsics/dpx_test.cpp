// SPDX-License-Identifier: Apache-2.0
//
// DPX functions against std::min, std::max and wrapping sums, on numbers and on pairs of halfwords.
#include <algorithm>
#include <array>

#include <warpfiber/intrinsics/dpx.hpp>

#include "support/catch.hpp"
#include "unit/execution/intrinsics/sample_inputs.hpp"

namespace {

using warpfiber::test::corners_and;
using warpfiber::test::first_difference;

/// One function of three arguments as its 32-bit and its two-halfword form, and what a lane of type T has to be.
template <class T, class Word, class Pair, class Expected>
void check_three(Word word, Pair pair, Expected expected) {
  using Number = std::conditional_t<std::is_signed_v<T>, int, unsigned>;
  const auto numbers = corners_and<Number>(40);
  const auto words = corners_and<unsigned>(60);
  for (const Number c :
       {Number{0}, Number{1}, static_cast<Number>(0x80000000U), static_cast<Number>(-5), Number{70000}}) {
    CHECK(first_difference(
              numbers, numbers, [&](Number a, Number b) { return word(a, b, c); },
              [&](Number a, Number b) { return expected(a, b, c); }) == "");
  }
  using Halves = std::array<T, 2>;
  for (const unsigned c : {0U, 0x80007fffU, 0x0001fffbU, 0x7fff8000U}) {
    CHECK(first_difference(
              words, words, [&](unsigned a, unsigned b) { return pair(a, b, c); },
              [&](unsigned a, unsigned b) {
                const auto x = std::bit_cast<Halves>(a), y = std::bit_cast<Halves>(b), z = std::bit_cast<Halves>(c);
                return std::bit_cast<unsigned>(
                    Halves{static_cast<T>(expected(x[0], y[0], z[0])), static_cast<T>(expected(x[1], y[1], z[1]))});
              }) == "");
  }
}

/// a + b that wraps in the type of its arguments.
template <class T>
T wrapped_sum(T a, T b) {
  return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
}

const auto kMax3 = [](auto a, auto b, auto c) { return std::max({a, b, c}); };
const auto kMin3 = [](auto a, auto b, auto c) { return std::min({a, b, c}); };
const auto kAddMax = [](auto a, auto b, auto c) { return std::max(wrapped_sum(a, b), c); };
const auto kAddMin = [](auto a, auto b, auto c) { return std::min(wrapped_sum(a, b), c); };

template <class Function>
auto not_below_zero(Function function) {
  return [=](auto a, auto b, auto c) { return std::max(function(a, b, c), decltype(a){0}); };
}

/// A winner-reporting function on numbers: the value, and whether `a_wins` is what `wins` says.
template <class Number, class Value, class Wins>
void check_winner(Number (*function)(Number, Number, bool*), Value value, Wins wins) {
  const auto numbers = corners_and<Number>(60);
  CHECK(first_difference(
            numbers, numbers,
            [&](Number a, Number b) {
              bool won = false;
              const Number result = function(a, b, &won);
              return static_cast<long long>(result) * 2 + (won ? 1 : 0);
            },
            [&](Number a, Number b) { return static_cast<long long>(value(a, b)) * 2 + (wins(a, b) ? 1 : 0); }) == "");
}

/// The same on halfwords: value in the lower 32 bits, then the lower lane's winner, then the upper one's.
template <class T, class Value, class Wins>
void check_winners(unsigned (*function)(unsigned, unsigned, bool*, bool*), Value value, Wins wins) {
  const auto words = corners_and<unsigned>(60);
  using Halves = std::array<T, 2>;
  CHECK(first_difference(
            words, words,
            [&](unsigned a, unsigned b) {
              bool high = false;
              bool low = false;
              const unsigned long long result = function(a, b, &high, &low);
              return result | (low ? 1ULL << 32 : 0) | (high ? 1ULL << 33 : 0);
            },
            [&](unsigned a, unsigned b) {
              const auto x = std::bit_cast<Halves>(a), y = std::bit_cast<Halves>(b);
              const unsigned long long result = std::bit_cast<unsigned>(Halves{value(x[0], y[0]), value(x[1], y[1])});
              return result | (wins(x[0], y[0]) ? 1ULL << 32 : 0) | (wins(x[1], y[1]) ? 1ULL << 33 : 0);
            }) == "");
}

const auto kMax = [](auto a, auto b) { return std::max(a, b); };
const auto kMin = [](auto a, auto b) { return std::min(a, b); };
const auto kNotLess = [](auto a, auto b) { return a >= b; };
const auto kNotGreater = [](auto a, auto b) { return a <= b; };

}  // namespace

TEST_CASE("DPX takes the largest or smallest of three") {
  check_three<short>(__vimax3_s32, __vimax3_s16x2, kMax3);
  check_three<unsigned short>(__vimax3_u32, __vimax3_u16x2, kMax3);
  check_three<short>(__vimin3_s32, __vimin3_s16x2, kMin3);
  check_three<unsigned short>(__vimin3_u32, __vimin3_u16x2, kMin3);
  check_three<short>(__vimax3_s32_relu, __vimax3_s16x2_relu, not_below_zero(kMax3));
  check_three<short>(__vimin3_s32_relu, __vimin3_s16x2_relu, not_below_zero(kMin3));
}

TEST_CASE("DPX compares a wrapping sum with a number") {
  check_three<short>(__viaddmax_s32, __viaddmax_s16x2, kAddMax);
  check_three<unsigned short>(__viaddmax_u32, __viaddmax_u16x2, kAddMax);
  check_three<short>(__viaddmin_s32, __viaddmin_s16x2, kAddMin);
  check_three<unsigned short>(__viaddmin_u32, __viaddmin_u16x2, kAddMin);
  check_three<short>(__viaddmax_s32_relu, __viaddmax_s16x2_relu, not_below_zero(kAddMax));
  check_three<short>(__viaddmin_s32_relu, __viaddmin_s16x2_relu, not_below_zero(kAddMin));
}

TEST_CASE("DPX takes the larger or smaller of two, not below zero") {
  const auto larger = [](auto a, auto b, auto) { return std::max({a, b, decltype(a){0}}); };
  const auto smaller = [](auto a, auto b, auto) { return std::max(std::min(a, b), decltype(a){0}); };
  check_three<short>([](int a, int b, int) { return __vimax_s32_relu(a, b); },
                     [](unsigned a, unsigned b, unsigned) { return __vimax_s16x2_relu(a, b); }, larger);
  check_three<short>([](int a, int b, int) { return __vimin_s32_relu(a, b); },
                     [](unsigned a, unsigned b, unsigned) { return __vimin_s16x2_relu(a, b); }, smaller);
}

TEST_CASE("DPX reports that the first argument won, also where both are equal") {
  check_winner<int>(__vibmax_s32, kMax, kNotLess);
  check_winner<unsigned>(__vibmax_u32, kMax, kNotLess);
  check_winner<int>(__vibmin_s32, kMin, kNotGreater);
  check_winner<unsigned>(__vibmin_u32, kMin, kNotGreater);
  check_winners<short>(__vibmax_s16x2, kMax, kNotLess);
  check_winners<unsigned short>(__vibmax_u16x2, kMax, kNotLess);
  check_winners<short>(__vibmin_s16x2, kMin, kNotGreater);
  check_winners<unsigned short>(__vibmin_u16x2, kMin, kNotGreater);
}

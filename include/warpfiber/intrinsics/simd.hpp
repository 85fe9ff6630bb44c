// SPDX-License-Identifier: Apache-2.0
//
// CUDA's SIMD intrinsics: two halfwords (names ending in 2) or four bytes (in 4) of a 32-bit word, worked on separately
// (CUDA Math API, "SIMD Intrinsics"). `s` and `u` in a name say how lanes are read, `ss` and `us` that results
// saturate. The rounded signed average is half away from zero, as PTX's vavrg. Kernels and host code may call all of
// them.
#pragma once

namespace warpfiber::intrinsics {

/// Lane `index` of a word as a number: Lane is a signed or unsigned byte or halfword.
template <class Lane>
constexpr int word_lane(unsigned word, int index) noexcept {
  return static_cast<Lane>(word >> (8 * static_cast<int>(sizeof(Lane)) * index));
}

/// Puts a number into lane `index` of a word of zeros; bits that do not fit are dropped.
template <class Lane>
constexpr unsigned place_lane(int value, int index) noexcept {
  constexpr int kBits = 8 * static_cast<int>(sizeof(Lane));
  return (static_cast<unsigned>(value) & ((1U << kBits) - 1)) << (kBits * index);
}

/// The number nearest to `value` that a lane can hold.
template <class Lane>
constexpr int saturate_lane(int value) noexcept {
  constexpr int kBits = 8 * static_cast<int>(sizeof(Lane));
  constexpr bool kSigned = static_cast<Lane>(-1) < 0;
  constexpr int kMost = kSigned ? (1 << (kBits - 1)) - 1 : (1 << kBits) - 1;
  constexpr int kLeast = kSigned ? -kMost - 1 : 0;
  return value < kLeast ? kLeast : value > kMost ? kMost : value;
}

/// The word whose lanes are operation(lane of a, lane of b).
template <class Lane, class Operation>
constexpr unsigned lanewise(unsigned a, unsigned b, Operation operation) noexcept {
  const auto result = [&](int i) {
    return place_lane<Lane>(operation(word_lane<Lane>(a, i), word_lane<Lane>(b, i)), i);
  };
  if constexpr (sizeof(Lane) == 2) return result(0) | result(1);
  return result(0) | result(1) | result(2) | result(3);
}

/// The sum of |lane of a - lane of b| over all lanes.
template <class Lane>
constexpr unsigned sum_of_differences(unsigned a, unsigned b) noexcept {
  int sum = 0;
  for (int i = 0; i < static_cast<int>(4 / sizeof(Lane)); ++i) {
    const int difference = word_lane<Lane>(a, i) - word_lane<Lane>(b, i);
    sum += difference < 0 ? -difference : difference;
  }
  return static_cast<unsigned>(sum);
}

using SignedBytes = signed char;
using UnsignedBytes = unsigned char;
using SignedHalves = short;
using UnsignedHalves = unsigned short;

}  // namespace warpfiber::intrinsics

// One line a family: its name without the digit, how its lanes are read, and the result of one lane from x and y.
#define WARPFIBER_SIMD_UNARY_OF(name, Lanes, result)                                            \
  constexpr unsigned int name(unsigned int a) noexcept {                                        \
    using Lane [[maybe_unused]] = warpfiber::intrinsics::Lanes;                                 \
    return warpfiber::intrinsics::lanewise<Lane>(a, a, [](int x, int) { return int{result}; }); \
  }
#define WARPFIBER_SIMD_BINARY_OF(name, Lanes, result)                                             \
  constexpr unsigned int name(unsigned int a, unsigned int b) noexcept {                          \
    using Lane [[maybe_unused]] = warpfiber::intrinsics::Lanes;                                   \
    return warpfiber::intrinsics::lanewise<Lane>(a, b, [](int x, int y) { return int{result}; }); \
  }
#define WARPFIBER_SIMD_UNARY(name, sign, result)         \
  WARPFIBER_SIMD_UNARY_OF(name##2, sign##Halves, result) \
  WARPFIBER_SIMD_UNARY_OF(name##4, sign##Bytes, result)
#define WARPFIBER_SIMD_BINARY(name, sign, result)         \
  WARPFIBER_SIMD_BINARY_OF(name##2, sign##Halves, result) \
  WARPFIBER_SIMD_BINARY_OF(name##4, sign##Bytes, result)
// A comparison yields all ones (vcmp) or one (vset) where it holds.
#define WARPFIBER_SIMD_COMPARISON(relation, sign, holds)          \
  WARPFIBER_SIMD_BINARY(__vcmp##relation, sign, (holds) ? -1 : 0) \
  WARPFIBER_SIMD_BINARY(__vset##relation, sign, (holds) ? 1 : 0)

WARPFIBER_SIMD_UNARY(__vabs, Signed, x < 0 ? -x : x)
WARPFIBER_SIMD_UNARY(__vabsss, Signed, warpfiber::intrinsics::saturate_lane<Lane>(x < 0 ? -x : x))
WARPFIBER_SIMD_UNARY(__vneg, Signed, -x)
WARPFIBER_SIMD_UNARY(__vnegss, Signed, warpfiber::intrinsics::saturate_lane<Lane>(-x))

WARPFIBER_SIMD_BINARY(__vadd, Unsigned, x + y)
WARPFIBER_SIMD_BINARY(__vaddss, Signed, warpfiber::intrinsics::saturate_lane<Lane>(x + y))
WARPFIBER_SIMD_BINARY(__vaddus, Unsigned, warpfiber::intrinsics::saturate_lane<Lane>(x + y))
WARPFIBER_SIMD_BINARY(__vsub, Unsigned, x - y)
WARPFIBER_SIMD_BINARY(__vsubss, Signed, warpfiber::intrinsics::saturate_lane<Lane>(x - y))
WARPFIBER_SIMD_BINARY(__vsubus, Unsigned, warpfiber::intrinsics::saturate_lane<Lane>(x - y))
WARPFIBER_SIMD_BINARY(__vavgs, Signed, (x + y + (x + y >= 0 ? 1 : 0)) >> 1)
WARPFIBER_SIMD_BINARY(__vavgu, Unsigned, (x + y + 1) >> 1)
WARPFIBER_SIMD_BINARY(__vhaddu, Unsigned, (x + y) >> 1)
WARPFIBER_SIMD_BINARY(__vabsdiffs, Signed, x > y ? x - y : y - x)
WARPFIBER_SIMD_BINARY(__vabsdiffu, Unsigned, x > y ? x - y : y - x)
WARPFIBER_SIMD_BINARY(__vmaxs, Signed, x > y ? x : y)
WARPFIBER_SIMD_BINARY(__vmaxu, Unsigned, x > y ? x : y)
WARPFIBER_SIMD_BINARY(__vmins, Signed, x < y ? x : y)
WARPFIBER_SIMD_BINARY(__vminu, Unsigned, x < y ? x : y)

WARPFIBER_SIMD_COMPARISON(eq, Unsigned, x == y)
WARPFIBER_SIMD_COMPARISON(ne, Unsigned, x != y)
WARPFIBER_SIMD_COMPARISON(ges, Signed, x >= y)
WARPFIBER_SIMD_COMPARISON(geu, Unsigned, x >= y)
WARPFIBER_SIMD_COMPARISON(gts, Signed, x > y)
WARPFIBER_SIMD_COMPARISON(gtu, Unsigned, x > y)
WARPFIBER_SIMD_COMPARISON(les, Signed, x <= y)
WARPFIBER_SIMD_COMPARISON(leu, Unsigned, x <= y)
WARPFIBER_SIMD_COMPARISON(lts, Signed, x < y)
WARPFIBER_SIMD_COMPARISON(ltu, Unsigned, x < y)

#undef WARPFIBER_SIMD_UNARY_OF
#undef WARPFIBER_SIMD_BINARY_OF
#undef WARPFIBER_SIMD_UNARY
#undef WARPFIBER_SIMD_BINARY
#undef WARPFIBER_SIMD_COMPARISON

/// The sum over all lanes of the absolute difference.
constexpr unsigned int __vsads2(unsigned int a, unsigned int b) noexcept {
  return warpfiber::intrinsics::sum_of_differences<short>(a, b);
}
constexpr unsigned int __vsadu2(unsigned int a, unsigned int b) noexcept {
  return warpfiber::intrinsics::sum_of_differences<unsigned short>(a, b);
}
constexpr unsigned int __vsads4(unsigned int a, unsigned int b) noexcept {
  return warpfiber::intrinsics::sum_of_differences<signed char>(a, b);
}
constexpr unsigned int __vsadu4(unsigned int a, unsigned int b) noexcept {
  return warpfiber::intrinsics::sum_of_differences<unsigned char>(a, b);
}

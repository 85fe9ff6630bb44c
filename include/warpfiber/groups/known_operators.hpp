// SPDX-License-Identifier: Apache-2.0
// Which operators reductions and scans know: those may be evaluated for all lanes at once, by whoever comes last, and
// say what may be left out without changing a bit. Every other operator is called by each thread for itself.
#pragma once

#include <warpfiber/groups/functional.hpp>

#include <type_traits>

struct __half;
struct __half2;
struct __nv_bfloat16;
struct __nv_bfloat162;

namespace cooperative_groups {
inline namespace __v1 {
namespace details {

/// What an operator that is known computes; `other` is unknown.
enum class Known { other, sum, product, smallest, largest, conjunction, disjunction, difference };

template <class Op>
inline constexpr Known kOperation = Known::other;
template <class T>
inline constexpr Known kOperation<plus<T>> = Known::sum;
template <class T>
inline constexpr Known kOperation<less<T>> = Known::smallest;
template <class T>
inline constexpr Known kOperation<greater<T>> = Known::largest;
template <class T>
inline constexpr Known kOperation<bit_and<T>> = Known::conjunction;
template <class T>
inline constexpr Known kOperation<bit_or<T>> = Known::disjunction;
template <class T>
inline constexpr Known kOperation<bit_xor<T>> = Known::difference;
template <class T>
inline constexpr Known kOperation<std::plus<T>> = Known::sum;
template <class T>
inline constexpr Known kOperation<std::multiplies<T>> = Known::product;
template <class T>
inline constexpr Known kOperation<std::bit_and<T>> = Known::conjunction;
template <class T>
inline constexpr Known kOperation<std::bit_or<T>> = Known::disjunction;
template <class T>
inline constexpr Known kOperation<std::bit_xor<T>> = Known::difference;

template <class Op>
inline constexpr bool kTakesAny = false;
template <template <class> class Op>
inline constexpr bool kTakesAny<Op<void>> = true;

template <class T>
inline constexpr bool kNarrowNumber = std::is_same_v<T, __half> || std::is_same_v<T, __half2> ||
                                      std::is_same_v<T, __nv_bfloat16> || std::is_same_v<T, __nv_bfloat162>;

/// Op on T is arithmetic and nothing else: no side effects, no state.
template <class T, class Op>
inline constexpr bool kKnown =
    kOperation<Op> != Known::other && !kTakesAny<Op> && (std::is_arithmetic_v<T> || kNarrowNumber<T>);

/// Operands may be grouped and ordered in any way.
template <class T, class Op>
inline constexpr bool kOrderless = kKnown<T, Op>&& std::is_integral_v<T>;

/// Two operands may change places. Not so the smaller or larger of floating-point numbers, which may be equal and
/// differ (zeroes), or not comparable.
template <class T, class Op>
inline constexpr bool kCommutative = kOrderless<T, Op> || (kKnown<T, Op> && (kOperation<Op> == Known::sum ||
                                                                             kOperation<Op> == Known::product));

/// The exclusive scan is the inclusive one less the own value. CUDA's headers do so for their own plus only, which
/// shows where sums saturate: in bool.
template <class T, class Op>
inline constexpr bool kSubtracts = std::is_same_v<Op, plus<T>>&& std::is_integral_v<T>;

/// A template of one type, as most functors are: the type.
template <class Op>
struct OperatorType {
  static constexpr bool exists = false;
};
template <template <class> class Op, class T>
struct OperatorType<Op<T>> {
  static constexpr bool exists = true;
  using type = T;
};

}  // namespace details
}  // namespace __v1
}  // namespace cooperative_groups

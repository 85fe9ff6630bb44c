// SPDX-License-Identifier: Apache-2.0
// The order in which reductions and scans apply their operator, as the headers of CUDA 13.0 have it, on values that lie
// side by side in the order of ranks. Two shapes: the butterfly of full tiles, in which rank r meets r ^ m for m from
// half the size down to 1, and steps that double, in which rank r meets r - i for i = 1, 2, 4 and so on; a reduction by
// the latter is the last rank's. The operator gets the own value first.
#pragma once

#include <warpfiber/detail/config.hpp>
#include <warpfiber/groups/known_operators.hpp>

#include <cstddef>
#include <new>

namespace cooperative_groups {
inline namespace __v1 {
namespace details {

/// Room for values of any type that can be copied bytewise; on the stack of the thread that evaluates them.
template <class T, unsigned kRoom>
struct Sheet {
  alignas(T) std::byte bytes[kRoom * sizeof(T)];

  T* values() { return std::launder(reinterpret_cast<T*>(bytes)); }
};

/// Whether `n` values can be evaluated as a butterfly.
constexpr bool is_butterfly_size(unsigned n) {
  return n != 0 && (n & (n - 1)) == 0;
}

// For all ranks at once; operators are known.

/// values[r] becomes the result of rank r; `size` is a power of two, at most kRoom.
template <unsigned kRoom, class T, class Op>
inline void butterfly(T* values, unsigned size, Op op) {
  if constexpr (kCommutative<T, Op>) {
    for (unsigned m = size / 2; m > 0; m /= 2) {
      for (unsigned r = 0; r < m; ++r) values[r] = op(values[r], values[r + m]);
    }
    for (unsigned r = 1; r < size; ++r) values[r] = values[0];
  } else {
    T met[kRoom];
    for (unsigned m = size / 2; m > 0; m /= 2) {
      for (unsigned r = 0; r < size; ++r) met[r] = op(values[r], values[r ^ m]);
      for (unsigned r = 0; r < size; ++r) values[r] = met[r];
    }
  }
}

/// values[r] becomes the inclusive scan at rank r.
template <class T, class Op>
inline void scan_all(T* values, unsigned count, Op op) {
  if constexpr (kOrderless<T, Op>) {
    for (unsigned r = 1; r < count; ++r) values[r] = op(values[r], values[r - 1]);
  } else {
    for (unsigned i = 1; i < count; i *= 2) {
      for (unsigned r = count; r-- > i;) values[r] = op(values[r], values[r - i]);
    }
  }
}

/// values[r] becomes the reduction at rank r. The values are a whole tile if they are as many as kWhole.
template <unsigned kRoom, unsigned kWhole, class T, class Op>
inline void reduce_all(T* values, unsigned count, Op op) {
  if (count == kWhole) {
    butterfly<kRoom>(values, kWhole, op);
    return;
  }
  scan_all(values, count, op);
  for (unsigned r = 0; r + 1 < count; ++r) values[r] = values[count - 1];
}

/// From the inclusive scan of all ranks and what each brought to the exclusive one.
template <class Op, class T, class Brought>
inline void make_exclusive(T* values, unsigned count, Brought&& brought) {
  if constexpr (kSubtracts<T, Op>) {
    using Difference = typename Wrapping<T>::type;
    for (unsigned r = 0; r < count; ++r) {
      values[r] = static_cast<T>(static_cast<Difference>(values[r]) - static_cast<Difference>(brought(r)));
    }
  } else {
    for (unsigned r = count; r-- > 1;) values[r] = values[r - 1];
    values[0] = T{};
  }
}

// For one rank, by its own thread. The values are used up.

/// The result of `rank` among kSize values, a power of two.
template <unsigned kSize, class T, class Op>
inline WARPFIBER_INLINED T own_butterfly(const T* values, unsigned rank, Op& op) {
  if constexpr (kSize == 1) {
    return values[0];
  } else {
    constexpr unsigned kHalf = kSize / 2;
    const T* own = values + (rank & kHalf);
    const T* met = values + (~rank & kHalf);
    Sheet<T, kHalf> results;  // somewhere else, so that the compiler may do several at once
    for (unsigned r = 0; r < kHalf; ++r) ::new (results.bytes + r * sizeof(T)) T(op(own[r], met[r]));
    return own_butterfly<kHalf>(results.values(), rank & (kHalf - 1), op);
  }
}

/// The same for a size that is not known before.
template <class T, class Op>
inline T own_butterfly_of(unsigned size, T* values, unsigned rank, Op& op) {
  for (unsigned m = size / 2; m > 0; m /= 2) {
    T* own = values + (rank & ~(m - 1));
    const T* met = values + ((rank & ~(m - 1)) ^ m);
    for (unsigned r = 0; r < m; ++r) own[r] = op(own[r], met[r]);
  }
  return values[rank];
}

/// The inclusive scan at `rank`.
template <class T, class Op>
inline T own_scan(T* values, unsigned rank, Op& op) {
  for (unsigned i = 1; i <= rank; i *= 2) {
    for (unsigned above = 0; above + i <= rank; above += 2 * i) {
      values[rank - above] = op(values[rank - above], values[rank - above - i]);
    }
  }
  return values[rank];
}

/// The reduction at `rank` of `count` values, which are a whole tile if they are as many as kWhole.
template <unsigned kWhole, class T, class Op>
inline T own_reduction(T* values, unsigned count, unsigned rank, Op& op) {
  if (count == kWhole) return own_butterfly<kWhole>(values, rank, op);
  return own_scan(values, count - 1, op);
}

}  // namespace details
}  // namespace __v1
}  // namespace cooperative_groups

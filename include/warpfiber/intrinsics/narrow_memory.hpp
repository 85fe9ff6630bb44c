// SPDX-License-Identifier: Apache-2.0
//
// What half_memory.hpp and bfloat16_memory.hpp have in common: atomicAdd of a number and of a pair, and the types as
// units of the cache-hint functions. Used by those two only.
#pragma once

#include <warpfiber/intrinsics/atomics.hpp>
#include <warpfiber/intrinsics/cache_access.hpp>
#include <warpfiber/intrinsics/warp.hpp>

namespace warpfiber::detail {

struct NarrowSum {
  template <class T>
  static T next(T old, T value, const void*) {
    return __hadd(old, value);
  }
};

/// In regions by one call, that of the type: a loop would look like one of the kernel's that waits.
template <unsigned short (*kAdd)(unsigned short*, unsigned short), class T>
inline WARPFIBER_AT_CALLER T atomic_add_narrow(T* address, T value, Site site) {
  if constexpr (kRunsAsRegions) {
    return __builtin_bit_cast(
        T, kAdd(reinterpret_cast<unsigned short*>(address), __builtin_bit_cast(unsigned short, value)));
  } else {
    return atomic_update<NarrowSum>(address, value, site);
  }
}

}  // namespace warpfiber::detail

#define WARPFIBER_NARROW_MEMORY(T, T2, name)                                                             \
  template <>                                                                                            \
  inline constexpr warpfiber::intrinsics::CacheUnit warpfiber::intrinsics::kCacheUnit<T> =               \
      warpfiber::intrinsics::CacheUnit::kVector;                                                         \
  template <>                                                                                            \
  inline constexpr warpfiber::intrinsics::CacheUnit warpfiber::intrinsics::kCacheUnit<T2> =              \
      warpfiber::intrinsics::CacheUnit::kVector;                                                         \
  inline T atomicAdd(T* address, T val, warpfiber::Site site = warpfiber::Site::here()) {                \
    return warpfiber::detail::atomic_add_narrow<warpfiber_regions_plain_add_##name>(address, val, site); \
  }                                                                                                      \
  inline T2 atomicAdd(T2* address, T2 val, warpfiber::Site site = warpfiber::Site::here()) {             \
    const T low = atomicAdd(&address->x, val.x, site);                                                   \
    return T2(low, atomicAdd(&address->y, val.y, site));                                                 \
  }

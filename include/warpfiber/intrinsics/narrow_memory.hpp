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

template <class T2>
inline T2 atomic_add_halves(T2* address, T2 value, Site site) {
  const auto low = atomic_update<NarrowSum>(&address->x, value.x, site);
  return T2(low, atomic_update<NarrowSum>(&address->y, value.y, site));
}

}  // namespace warpfiber::detail

#define WARPFIBER_NARROW_MEMORY(T, T2)                                                         \
  template <>                                                                                  \
  inline constexpr warpfiber::intrinsics::CacheUnit warpfiber::intrinsics::kCacheUnit<T> =     \
      warpfiber::intrinsics::CacheUnit::kVector;                                               \
  template <>                                                                                  \
  inline constexpr warpfiber::intrinsics::CacheUnit warpfiber::intrinsics::kCacheUnit<T2> =    \
      warpfiber::intrinsics::CacheUnit::kVector;                                               \
  inline T atomicAdd(T* address, T val, warpfiber::Site site = warpfiber::Site::here()) {      \
    return warpfiber::detail::atomic_update<warpfiber::detail::NarrowSum>(address, val, site); \
  }                                                                                            \
  inline T2 atomicAdd(T2* address, T2 val, warpfiber::Site site = warpfiber::Site::here()) {   \
    return warpfiber::detail::atomic_add_halves(address, val, site);                           \
  }

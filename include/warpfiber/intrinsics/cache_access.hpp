// SPDX-License-Identifier: Apache-2.0
//
// CUDA's loads and stores with a cache hint: __ldg, __ldca, __ldcg, __ldcs, __ldlu, __ldcv; __stwb, __stcg, __stcs,
// __stwt (CUDA C++ Programming Guide, "Load/Store Functions Using Cache Hints"). There is no cache to hint at; what is
// kept is which of them must reach memory every time, because loops that wait for another block use those. The hints
// that bypass a cache (__ldcg, __ldlu, __ldcv, __stcg, __stwt) are performed once for every call and never merged or
// moved; the others are plain accesses, so that loops over them vectorise. For the element types CUDA has them for, and
// no other.
#pragma once

#include <warpfiber/detail/checked.hpp>
#include <warpfiber/detail/vector_types.hpp>

#include <cstddef>

namespace warpfiber::intrinsics {

enum class CacheUnit { kNone, kScalar, kVector };

/// What the cache-hint functions accept: the scalars and those vectors that one instruction moves.
template <class T>
inline constexpr CacheUnit kCacheUnit = CacheUnit::kNone;

#define WARPFIBER_CACHE_UNIT(T, unit) \
  template <>                         \
  inline constexpr CacheUnit kCacheUnit<T> = CacheUnit::unit;
#define WARPFIBER_CACHE_SCALAR(T) WARPFIBER_CACHE_UNIT(T, kScalar)
#define WARPFIBER_CACHE_VECTORS(name)    \
  WARPFIBER_CACHE_UNIT(name##2, kVector) \
  WARPFIBER_CACHE_UNIT(name##4, kVector)

WARPFIBER_CACHE_SCALAR(char)
WARPFIBER_CACHE_SCALAR(signed char)
WARPFIBER_CACHE_SCALAR(unsigned char)
WARPFIBER_CACHE_SCALAR(short)
WARPFIBER_CACHE_SCALAR(unsigned short)
WARPFIBER_CACHE_SCALAR(int)
WARPFIBER_CACHE_SCALAR(unsigned int)
WARPFIBER_CACHE_SCALAR(long)
WARPFIBER_CACHE_SCALAR(unsigned long)
WARPFIBER_CACHE_SCALAR(long long)
WARPFIBER_CACHE_SCALAR(unsigned long long)
WARPFIBER_CACHE_SCALAR(float)
WARPFIBER_CACHE_SCALAR(double)
WARPFIBER_CACHE_VECTORS(char)
WARPFIBER_CACHE_VECTORS(uchar)
WARPFIBER_CACHE_VECTORS(short)
WARPFIBER_CACHE_VECTORS(ushort)
WARPFIBER_CACHE_VECTORS(int)
WARPFIBER_CACHE_VECTORS(uint)
WARPFIBER_CACHE_VECTORS(float)
WARPFIBER_CACHE_UNIT(longlong2, kVector)
WARPFIBER_CACHE_UNIT(ulonglong2, kVector)
WARPFIBER_CACHE_UNIT(double2, kVector)

#undef WARPFIBER_CACHE_UNIT
#undef WARPFIBER_CACHE_SCALAR
#undef WARPFIBER_CACHE_VECTORS

/// A type the cache-hint functions accept.
template <class T>
concept CacheHinted = kCacheUnit<T>
!= CacheUnit::kNone;

// Not deduced from the value, which converts to the type stored.
template <class T>
struct StoredType {
  using Type = T;
};
template <class T>
using Stored = typename StoredType<T>::Type;

/// Keeps the compiler from moving accesses.
inline __attribute__((always_inline)) void keep_order() noexcept {
  if constexpr (warpfiber::detail::kRunsAsRegions) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  } else {
    __asm__ volatile("" ::: "memory");
  }
}

template <class T>
inline T load_from_memory(const T* address) noexcept {
  if constexpr (kCacheUnit<T> == CacheUnit::kScalar) {
    return *static_cast<const volatile T*>(address);
  } else {
    keep_order();
    return *address;
  }
}

template <class T>
inline void store_to_memory(T* address, Stored<T> value) noexcept {
  if constexpr (kCacheUnit<T> == CacheUnit::kScalar) {
    *static_cast<volatile T*>(address) = value;
  } else {
    *address = value;
    keep_order();
  }
}

}  // namespace warpfiber::intrinsics

/// Loads of data not written while the kernel runs (__ldg), cached at all levels (__ldca), or used once (__ldcs).
template <warpfiber::intrinsics::CacheHinted T>
inline T __ldg(const T* address) noexcept {
  if constexpr (warpfiber::detail::kHasHooks) warpfiber::detail::checked_read_only(address, sizeof(T));
  return *address;
}
template <warpfiber::intrinsics::CacheHinted T>
inline T __ldca(const T* address) noexcept {
  return *address;
}
template <warpfiber::intrinsics::CacheHinted T>
inline T __ldcs(const T* address) noexcept {
  return *address;
}

/// Loads past the first-level cache (__ldcg), for the last time (__ldlu), or past every cache (__ldcv).
template <warpfiber::intrinsics::CacheHinted T>
inline T __ldcg(const T* address) noexcept {
  return warpfiber::intrinsics::load_from_memory(address);
}
template <warpfiber::intrinsics::CacheHinted T>
inline T __ldlu(const T* address) noexcept {
  return warpfiber::intrinsics::load_from_memory(address);
}
template <warpfiber::intrinsics::CacheHinted T>
inline T __ldcv(const T* address) noexcept {
  return warpfiber::intrinsics::load_from_memory(address);
}

/// Stores cached at all levels (__stwb), or of data used once (__stcs).
template <warpfiber::intrinsics::CacheHinted T>
inline void __stwb(T* address, warpfiber::intrinsics::Stored<T> value) noexcept {
  *address = value;
}
template <warpfiber::intrinsics::CacheHinted T>
inline void __stcs(T* address, warpfiber::intrinsics::Stored<T> value) noexcept {
  *address = value;
}

/// Stores past the first-level cache (__stcg), or through every cache (__stwt).
template <warpfiber::intrinsics::CacheHinted T>
inline void __stcg(T* address, warpfiber::intrinsics::Stored<T> value) noexcept {
  warpfiber::intrinsics::store_to_memory(address, value);
}
template <warpfiber::intrinsics::CacheHinted T>
inline void __stwt(T* address, warpfiber::intrinsics::Stored<T> value) noexcept {
  warpfiber::intrinsics::store_to_memory(address, value);
}

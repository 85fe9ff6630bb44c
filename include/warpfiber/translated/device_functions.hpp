// SPDX-License-Identifier: Apache-2.0
// Device functions that only CUDA source may expect: old and undocumented names that real programs call. Everything
// else is in the headers that warpfiber.hpp brings. Kernels and host code may call all of them.
#pragma once

#include <warpfiber/translated/kernel_heap.hpp>

#include <math.h>
#include <stdlib.h>

/// Classification, under the names of CUDA's own headers.
inline int __isfinitef(float x) noexcept {
  return __builtin_isfinite(x);
}
inline int __isfinited(double x) noexcept {
  return __builtin_isfinite(x);
}
inline int __isinfd(double x) noexcept {
  return __builtin_isinf(x) ? 1 : 0;
}
inline int __isnand(double x) noexcept {
  return __builtin_isnan(x);
}
inline int __signbitd(double x) noexcept {
  return __builtin_signbit(x) != 0;
}

/// x to a whole power.
inline double powi(double x, int power) noexcept {
  return pow(x, power);
}
inline float powif(float x, int power) noexcept {
  return powf(x, static_cast<float>(power));
}

/// A counter of a profiler that is not there.
inline void __prof_trigger(int) noexcept {}

/// malloc() in a kernel with an alignment, a power of two; freed by free().
inline void* __nv_aligned_device_malloc(size_t bytes, size_t alignment) noexcept {
  if (warpfiber::cuda::detail::is_on_device()) return warpfiber::cuda::detail::take_from_heap(bytes, alignment);
  const size_t at_least = alignment < sizeof(void*) ? sizeof(void*) : alignment;
  return aligned_alloc(at_least, (bytes + at_least - 1) / at_least * at_least);
}

// SPDX-License-Identifier: Apache-2.0
//
// CUDA's built-in vector types, dim3 and the make_* functions, with the sizes and alignments nvcc gives them on Linux
// (CUDA C++ Programming Guide, "Built-in Vector Types"). Plain aggregates without operators: programs bring their own.
// Types of four 8-byte elements have CUDA's default alignment of 16; the names ending in _16a and _32a (CUDA 13) say
// theirs. Kernels and host code may use everything here; nvcc has its own, so this file is never included there.
#pragma once

#define WARPFIBER_VECTOR_TYPES(name, T, align2, align4)           \
  struct name##1 {                                                \
    T x;                                                          \
  };                                                              \
  struct alignas(align2) name##2 {                                \
    T x, y;                                                       \
  };                                                              \
  struct name##3 {                                                \
    T x, y, z;                                                    \
  };                                                              \
  struct alignas(align4) name##4 {                                \
    T x, y, z, w;                                                 \
  };                                                              \
  constexpr name##1 make_##name##1(T x) noexcept {                \
    return {x};                                                   \
  }                                                               \
  constexpr name##2 make_##name##2(T x, T y) noexcept {           \
    return {x, y};                                                \
  }                                                               \
  constexpr name##3 make_##name##3(T x, T y, T z) noexcept {      \
    return {x, y, z};                                             \
  }                                                               \
  constexpr name##4 make_##name##4(T x, T y, T z, T w) noexcept { \
    return {x, y, z, w};                                          \
  }

#define WARPFIBER_ALIGNED_VECTOR_TYPES(name, T)                           \
  struct alignas(16) name##4_16a {                                        \
    T x, y, z, w;                                                         \
  };                                                                      \
  struct alignas(32) name##4_32a {                                        \
    T x, y, z, w;                                                         \
  };                                                                      \
  constexpr name##4_16a make_##name##4_16a(T x, T y, T z, T w) noexcept { \
    return {x, y, z, w};                                                  \
  }                                                                       \
  constexpr name##4_32a make_##name##4_32a(T x, T y, T z, T w) noexcept { \
    return {x, y, z, w};                                                  \
  }

WARPFIBER_VECTOR_TYPES(char, signed char, 2, 4)
WARPFIBER_VECTOR_TYPES(uchar, unsigned char, 2, 4)
WARPFIBER_VECTOR_TYPES(short, short, 4, 8)
WARPFIBER_VECTOR_TYPES(ushort, unsigned short, 4, 8)
WARPFIBER_VECTOR_TYPES(int, int, 8, 16)
WARPFIBER_VECTOR_TYPES(uint, unsigned int, 8, 16)
WARPFIBER_VECTOR_TYPES(long, long, 16, 16)
WARPFIBER_VECTOR_TYPES(ulong, unsigned long, 16, 16)
WARPFIBER_VECTOR_TYPES(longlong, long long, 16, 16)
WARPFIBER_VECTOR_TYPES(ulonglong, unsigned long long, 16, 16)
WARPFIBER_VECTOR_TYPES(float, float, 8, 16)
WARPFIBER_VECTOR_TYPES(double, double, 16, 16)

WARPFIBER_ALIGNED_VECTOR_TYPES(long, long)
WARPFIBER_ALIGNED_VECTOR_TYPES(ulong, unsigned long)
WARPFIBER_ALIGNED_VECTOR_TYPES(longlong, long long)
WARPFIBER_ALIGNED_VECTOR_TYPES(ulonglong, unsigned long long)
WARPFIBER_ALIGNED_VECTOR_TYPES(double, double)

#undef WARPFIBER_VECTOR_TYPES
#undef WARPFIBER_ALIGNED_VECTOR_TYPES

/// Extents of a grid, cluster or block. Every extent left out is 1; a plain number converts to (number, 1, 1).
struct dim3 {
  unsigned int x = 1;
  unsigned int y = 1;
  unsigned int z = 1;

  constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) noexcept : x(vx), y(vy), z(vz) {}
  constexpr dim3(uint3 v) noexcept : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const noexcept { return {x, y, z}; }
};

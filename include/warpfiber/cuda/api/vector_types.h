// SPDX-License-Identifier: Apache-2.0
// CUDA's built-in vector types for C and C++. In C they are plain structures of the same size and alignment, and there
// is no make_*; C++ has warpfiber/detail/vector_types.hpp.
#pragma once

#ifdef __cplusplus

#include <warpfiber/detail/vector_types.hpp>

#else

#define WARPFIBER_VECTOR_1_TO_3(name, T, align2)            \
  typedef struct name##1 {                                  \
    T x;                                                    \
  }                                                         \
  name##1;                                                  \
  typedef struct __attribute__((aligned(align2))) name##2 { \
    T x, y;                                                 \
  }                                                         \
  name##2;                                                  \
  typedef struct name##3 {                                  \
    T x, y, z;                                              \
  }                                                         \
  name##3;
#define WARPFIBER_VECTOR_4(name, T, align4)              \
  typedef struct __attribute__((aligned(align4))) name { \
    T x, y, z, w;                                        \
  } name;
#define WARPFIBER_VECTOR(name, T, align2, align4) \
  WARPFIBER_VECTOR_1_TO_3(name, T, align2)        \
  WARPFIBER_VECTOR_4(name##4, T, align4)
#define WARPFIBER_WIDE_VECTOR(name, T)   \
  WARPFIBER_VECTOR(name, T, 16, 16)      \
  WARPFIBER_VECTOR_4(name##4_16a, T, 16) \
  WARPFIBER_VECTOR_4(name##4_32a, T, 32)

WARPFIBER_VECTOR(char, signed char, 2, 4)
WARPFIBER_VECTOR(uchar, unsigned char, 2, 4)
WARPFIBER_VECTOR(short, short, 4, 8)
WARPFIBER_VECTOR(ushort, unsigned short, 4, 8)
WARPFIBER_VECTOR(int, int, 8, 16)
WARPFIBER_VECTOR(uint, unsigned int, 8, 16)
WARPFIBER_VECTOR(float, float, 8, 16)
WARPFIBER_WIDE_VECTOR(long, long)
WARPFIBER_WIDE_VECTOR(ulong, unsigned long)
WARPFIBER_WIDE_VECTOR(longlong, long long)
WARPFIBER_WIDE_VECTOR(ulonglong, unsigned long long)
WARPFIBER_WIDE_VECTOR(double, double)

#undef WARPFIBER_VECTOR_1_TO_3
#undef WARPFIBER_VECTOR_4
#undef WARPFIBER_VECTOR
#undef WARPFIBER_WIDE_VECTOR

typedef struct dim3 {
  unsigned int x, y, z;
} dim3;

#endif

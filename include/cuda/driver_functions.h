// SPDX-License-Identifier: Apache-2.0
// make_cudaExtent, make_cudaPos and make_cudaPitchedPtr. C and C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define __DRIVER_FUNCTIONS_H__

#include <driver_types.h>

/// A region of w by h by d; w in bytes, or in elements where an array takes part.
static inline struct cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) {
  struct cudaExtent extent = {w, h, d};
  return extent;
}

/// An offset; x in bytes, or in elements where an array takes part.
static inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  struct cudaPos position = {x, y, z};
  return position;
}

/// Memory at `pointer` with rows `pitch` bytes apart, `xsize` elements by `ysize` rows.
static inline struct cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t xsize, size_t ysize) {
  struct cudaPitchedPtr pitched = {pointer, pitch, xsize, ysize};
  return pitched;
}

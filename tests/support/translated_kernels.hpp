// SPDX-License-Identifier: Apache-2.0
// What tests of translated kernels share: the class that the translator writes into every kernel.
#pragma once

#include <warpfiber/translated/kernels.hpp>

/// `bounds` is what follows Bounds(), the rest names the kernel's stub.
#define ABOUT_KERNEL(written, added_bounds, ...)                                                             \
  struct warpfiber_about {                                                                                   \
    static constexpr const char* name() { return written; }                                                  \
    static constexpr ::warpfiber::cuda::Bounds bounds() { return ::warpfiber::cuda::Bounds() added_bounds; } \
    static auto address() {                                                                                  \
      return static_cast<::warpfiber::cuda::SignatureOf<decltype(warpfiber_body)>*>(&__VA_ARGS__);           \
    }                                                                                                        \
  }

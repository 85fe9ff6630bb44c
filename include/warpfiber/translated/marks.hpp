// SPDX-License-Identifier: Apache-2.0
// What checked programs call where src/compiler/translate has found by the text that something is wrong, or may be: a
// mask that
// __activemask() has returned, and dynamic shared memory that has two names. Nothing here is meant to be written by
// hand.
#pragma once

#include <warpfiber/detail/checked.hpp>

#include <cstdint>

namespace warpfiber::cuda {

/// `mask`, which __activemask() has returned at `line`.
template <class Mask>
inline WARPFIBER_INLINED Mask of_active_lanes(Mask mask, [[maybe_unused]] unsigned line, [[maybe_unused]] bool apart) {
  if constexpr (warpfiber::detail::kHasHooks) {
    warpfiber::detail::checked_active_lanes(static_cast<std::uint64_t>(mask), line, apart);
  }
  return mask;
}

/// `name` is read, which was stored to at line `stored`; line `overwritten` has stored to the same memory as `other`.
inline WARPFIBER_INLINED void one_memory([[maybe_unused]] const char* name, [[maybe_unused]] const char* other,
                                         [[maybe_unused]] unsigned stored, [[maybe_unused]] unsigned overwritten) {
  if constexpr (warpfiber::detail::kHasHooks) {
    warpfiber::detail::checked_one_memory(name, other, stored, overwritten);
  }
}

}  // namespace warpfiber::cuda

// SPDX-License-Identifier: Apache-2.0
// What translated source calls around the mask of a collective that __activemask() has returned. src/translate finds
// such masks; nothing here is meant to be written by hand.
#pragma once

#include <warpfiber/detail/checked.hpp>

#include <cstdint>

namespace warpfiber::cuda {

/// `mask`, which __activemask() has returned at `line`.
template <class Mask>
inline WARPFIBER_INLINED Mask of_active_lanes(Mask mask, [[maybe_unused]] unsigned line, [[maybe_unused]] bool apart) {
#if defined(WARPFIBER_CHECKED) && !defined(WARPFIBER_REGIONS)
  warpfiber::detail::checked_active_lanes(static_cast<std::uint64_t>(mask), line, apart);
#endif
  return mask;
}

}  // namespace warpfiber::cuda

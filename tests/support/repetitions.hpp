// SPDX-License-Identifier: Apache-2.0
// How often tests repeat what only chance brings about. Where every step takes ten times as long or more and threads
// take turns otherwise than ever elsewhere, many repetitions cost minutes and meet the moment no more often.
#pragma once

#include <algorithm>

#include "fiber/tools.hpp"

namespace warpfiber::test {

/// `times`, but a twentieth of them, and at least one, under AddressSanitizer, valgrind or a debugger.
inline unsigned repetitions(unsigned times) {
  const bool slowed = fiber::is_sanitized() || fiber::is_observed();
  return slowed ? std::max(times / 20, 1U) : times;
}

}  // namespace warpfiber::test

// SPDX-License-Identifier: Apache-2.0
//
// Threads in turn, by id.
#include "schedule/in_order.hpp"

#include <algorithm>

namespace warpfiber::schedule {

std::size_t next_in_order(std::span<const FiberId> runnable, FiberId current) {
  // Unsigned distance past `current` puts the ids after it first, then the ids up to it, each in ascending order.
  const auto turn = [current](FiberId id) { return id - current - 1; };
  const auto next = std::ranges::min_element(runnable, {}, turn);
  return static_cast<std::size_t>(next - runnable.begin());
}

std::size_t InOrder::pick(std::span<const FiberId> runnable, FiberId current) {
  return next_in_order(runnable, current);
}

}  // namespace warpfiber::schedule

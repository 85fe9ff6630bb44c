// SPDX-License-Identifier: Apache-2.0
//
// Within a warp the next lane, round and round; else the next warp, from its first lane on.
#include "schedule/lock_step.hpp"

#include <algorithm>
#include <utility>

namespace warpfiber::schedule {
namespace {

// Long enough that warps seldom change in the middle of what they do, short enough that a wait for another warp ends.
constexpr std::uint64_t kStepsOfATurn = 4096;
constexpr std::uint64_t kYieldsOfATurn = 64;

}  // namespace

std::uint64_t LockStep::warp_of(FiberId id) const {
  const std::uint64_t warps_of_a_block = (warps_.threads + warps_.lanes - 1) / warps_.lanes;
  return base::block_of(id, warps_.threads) * warps_of_a_block + base::thread_of(id, warps_.threads) / warps_.lanes;
}

std::size_t LockStep::pick(std::span<const FiberId> runnable, FiberId current) {
  if (steps() == 1) {  // whoever has run so far, there was no choice
    steps_left_ = kStepsOfATurn;
    yields_left_ = kYieldsOfATurn;
  }
  const bool yields = std::exchange(yielded_, base::kNoFiber) == current;
  const auto again = std::ranges::find(runnable, current);
  kept_ = yields && !kept_ && again != runnable.end();
  if (yields) yields_left_ -= std::min<std::uint64_t>(yields_left_, 1);
  if (kept_) return static_cast<std::size_t>(again - runnable.begin());
  const bool is_over = steps_left_ == 0 || yields_left_ == 0;
  const std::uint64_t running = current == base::kNoFiber ? ~std::uint64_t{0} : warp_of(current);
  // Not in the middle of a round, or lanes that were first would be first once more.
  const bool stays = current != base::kNoFiber && std::ranges::any_of(runnable, [&](FiberId id) {
                       return warp_of(id) == running && (id > current || !is_over);
                     });
  // Unsigned distances put what comes after the running one first, as in next_in_order().
  const auto turn = [&](FiberId id) {
    if (stays) return std::pair{warp_of(id) - running, id - current - 1};
    return std::pair{warp_of(id) - running - 1, id};
  };
  if (stays) {
    steps_left_ -= std::min<std::uint64_t>(steps_left_, 1);
  } else {
    steps_left_ = kStepsOfATurn;
    yields_left_ = kYieldsOfATurn;
  }
  return static_cast<std::size_t>(std::ranges::min_element(runnable, {}, turn) - runnable.begin());
}

}  // namespace warpfiber::schedule

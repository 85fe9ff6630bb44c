// SPDX-License-Identifier: Apache-2.0
// Numbers of launches are given in turn; before one is given again, what cells say of its last owner is settled.
#include "check/running/launches.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <span>

#include "base/locks/annotated_mutex.hpp"
#include "check/cells/check_state.hpp"
#include "check/cells/word_parts.hpp"
#include "memory/objects.hpp"
#include "record/finding.hpp"

namespace warpfiber::check {

struct LaunchRegister {
  base::Mutex mutex;
  std::uint64_t taken WARPFIBER_GUARDED_BY(mutex) = 0;
  std::array<BegunLaunch, kLaunches> shapes WARPFIBER_GUARDED_BY(mutex){};
  std::uint64_t latest WARPFIBER_GUARDED_BY(mutex) = 0;  // operation that has begun
};

namespace {

LaunchRegister& launches() {
  return CheckState::of_process().launches.get();
}

/// What the cell says happened before everything; which bytes it concerns stays. Further cells of the word would keep
/// the number, which is another launch's soon.
void settle(Cell& cell) {
  cell &= kAllBytes | kWrite;
}

template <class Of>
LaunchSet launches_where(Of of) {
  LaunchSet found;
  LaunchRegister& all = launches();
  const base::Lock lock(all.mutex);
  const std::uint64_t last = std::min<std::uint64_t>(all.taken, kLaunches - 1);
  for (unsigned number = 1; number <= last; ++number) found[number] = of(all.shapes[number].operation);
  return found;
}

}  // namespace

record::Members member_of(std::uint64_t thread, const BegunLaunch& launch) {
  record::LaunchFacts facts;
  facts.grid = launch.grid;
  facts.block = launch.block;
  facts.warp_size = launch.warp_size;
  const std::uint64_t rank = thread & ((std::uint64_t{1} << launch.thread_bits) - 1);
  const std::uint64_t id = (thread >> launch.thread_bits) * base::volume(launch.block) + rank;
  return record::members_of_threads(facts, std::span(&id, 1));
}

LaunchNumber take_launch_number(const BegunLaunch& shape) {
  LaunchRegister& all = launches();
  const base::Lock lock(all.mutex);
  if (all.taken != 0 && all.taken % (kLaunches - 1) == 0) shadow.rewrite(settle);
  const auto number = static_cast<unsigned>(all.taken % (kLaunches - 1)) + 1;
  all.shapes[number] = shape;
  const bool overtaken = shape.operation != 0 && shape.operation < all.latest;
  all.latest = std::max(all.latest, shape.operation);
  CheckState::of_process().begun_launches.store(++all.taken);
  memory::doubt_objects();
  return {number, all.taken, overtaken};
}

LaunchSet concurrent_launches(const record::LaunchOrder& operation) {
  return launches_where([&operation](std::uint64_t other) { return operation.is_unordered_with(other); });
}

LaunchSet numbers_of_launch(std::uint64_t operation) {
  return launches_where([operation](std::uint64_t other) { return other != 0 && other == operation; });
}

BegunLaunch launch_shape(unsigned number) {
  LaunchRegister& all = launches();
  const base::Lock lock(all.mutex);
  return all.shapes[number];
}

}  // namespace warpfiber::check

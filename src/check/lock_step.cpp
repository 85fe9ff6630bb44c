// SPDX-License-Identifier: Apache-2.0
// Volatile accesses by which lanes of a warp tell each other something. They are no race, but where nothing else orders
// them the program takes lanes to run in lock-step, or one of them waits for another.
#include "check/watch.hpp"

namespace warpfiber::check {

/// Whether the access is by another lane of the running thread's warp, and unordered with what the thread does now.
bool Watch::is_of_another_lane(Cell cell) const {
  if (cell == 0 || launch_of(cell) != launch_ || thread_of(cell) == segment_.thread()) return false;
  const Who other = who_of(thread_of(cell));
  const Who me = who_of(segment_.thread());
  return other.block == me.block && other.warp == me.warp && !knows(cell);
}

void Watch::hold_against_lanes(const char* address, unsigned bytes, bool write, unsigned site) {
  VolatileWord& word = volatile_words_[address];
  const Side now = side_now(Use{.read = !write, .write = write, .strong = true}, site);
  const auto hold_against = [&](const VolatileUse& earlier) {
    if (!is_of_another_lane(earlier.cell)) return;
    const Side side = side_of(earlier.cell, earlier.site, Scope::device);
    add_case(Hazard::lock_step, &side, now, address, bytes);
  };
  hold_against(word.write);
  if (!write) {
    VolatileUse& last = word.reads[0];
    if (last.cell != 0 && thread_of(last.cell) != segment_.thread()) word.reads[1] = last;
    last = {segment_.cell | kStrong, site};
    return;
  }
  for (const VolatileUse& read : word.reads) hold_against(read);
  word.write = {segment_.cell | kWrite | kStrong, site};
}

}  // namespace warpfiber::check

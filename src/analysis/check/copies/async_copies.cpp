// SPDX-License-Identifier: Apache-2.0
// The cells of a copy's bytes are pending from its start, and done when it has been waited for.
#include "check/copies/async_copies.hpp"

#include "check/cells/word.hpp"

namespace warpfiber::check {

void AsyncCopies::start(const PendingCopy& copy) {
  const Segment& now = running_.here();
  mark(copy, {now.thread(), now.time, kPendingClock});
  pending_.start(now.thread(), copy);
  running_.end_segment();
}

void AsyncCopies::bind(const void* word, bool committed) {
  if (none()) return;
  const Segment& now = running_.here();
  pending_.bind(now.thread(), now.time, word, committed);
}

void AsyncCopies::end_phase(const void* word) {
  if (none()) return;
  counted_.flush();
  for (const BoundCopy& one : pending_.end(word)) mark(one.copy, {one.thread, kPendingClock, one.time});
  running_.end_segment();
}

void AsyncCopies::wait(std::size_t but) {
  if (none()) return;
  counted_.flush();
  const Segment& now = running_.here();
  for (const PendingCopy& copy : pending_.wait(now.thread(), but)) mark(copy, {now.thread(), kPendingClock, now.time});
  running_.end_segment();
}

void AsyncCopies::mark(const PendingCopy& copy, const NewTime& time) const {
  mark(copy.from, copy.bytes, time, false);
  mark(copy.to, copy.room, time, true);
}

void AsyncCopies::mark(const char* from, std::size_t bytes, const NewTime& time, bool write) const {
  if (bytes == 0 || !shadow.covers(from) || !shadow.covers(from + bytes - 1)) return;
  const std::size_t last = shadow.index_of(from + bytes - 1);
  for (std::size_t index = shadow.index_of(from); index <= last; ++index) {
    const bool more = WordView(index).has_more();
    if (more) WordView(index).set_state(WordState::more_cells);
    for (unsigned i = 0; i < (more ? kCellsOfWord : 1); ++i) {
      Cell& cell = shadow.plane(i == 0 ? 0 : i + 1)[index];
      const bool of_copy =
          thread_of(cell) == time.thread && launch_of(cell) == launch_.number() && is_write(cell) == write;
      if (of_copy && clock_of(cell) == time.before) cell = (cell & ~Cell{kPendingClock}) | time.now;
    }
  }
}

}  // namespace warpfiber::check

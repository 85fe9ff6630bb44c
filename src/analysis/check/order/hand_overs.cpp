// SPDX-License-Identifier: Apache-2.0
// A few words and fences are kept, the latest in each place of a table.
#include "check/order/hand_overs.hpp"

namespace warpfiber::check {
namespace {

/// A place among `count`, a power of two.
std::size_t place_of_thread(std::uint64_t thread, std::size_t count) {
  return static_cast<std::size_t>(thread * 0x9e3779b97f4a7c15U >> 40) & (count - 1);
}

}  // namespace

const HandOvers::Fence* HandOvers::fence_of(std::uint64_t thread) const {
  const Fence& last = fences_[place_of_thread(thread, kFences)];
  return last.number != 0 && last.thread == thread ? &last : nullptr;
}

void HandOvers::fence(Scope scope, std::uint64_t thread, std::uint32_t time) {
  has_fences_ = true;
  fences_[place_of_thread(thread, kFences)] = {thread, ++number_, time, scope};
}

/// A first use that was only kept came before any fence.
void HandOvers::use_again(Word& word, const void* address, const AtomicUse& use, const WordUse& by) {
  const bool had_only_first = word.address == address && word.has_only_first;
  if (word.address != address || had_only_first) word.begin(address);
  if (had_only_first) note(word, word.first, nullptr);
  note(word, {use, by, number_}, has_fences_ ? fence_of(by.thread) : nullptr);
}

void HandOvers::uses_found(const void* address, std::uint64_t thread) {
  Word& word = words_[place_of(address)];
  if (word.address != address) {
    if (kept_out_.address != address || kept_out_.use.by.thread != thread) return;
    word.begin(address);
    note(word, kept_out_.use, fence_of(thread));
  } else if (word.has_only_first) {
    word.begin(address);
    note(word, word.first, nullptr);
  }
  const std::size_t first = word.written > kWrites ? word.written - kWrites : 0;
  for (std::size_t i = word.written; i-- > first;) {
    if (word.writes[i % kWrites].by.thread != thread) continue;
    word.read = word.writes[i % kWrites].by;
    word.read_number = number_;
    word.seen = i;
    word.acquired = false;
    break;
  }
  word.hands_over = true;
}

/// `fence`: the last one of the thread, or null.
void HandOvers::note(Word& word, const OneUse& now, const Fence* fence) {
  const AtomicUse& use = now.use;
  const WordUse& by = now.by;
  const bool takes = use.reads && use.writes;
  const bool ends_lock = word.is_taken && word.taken_by == by.thread && (use.blind || !use.reads);
  if (use.reads && (!use.use_follows || acquires(use.order))) {
    word.read = by;
    word.read_number = now.number;
    word.seen = word.written;
    word.acquired = acquires(use.order);
  }
  if (!use.writes) return;
  Write& write = word.writes[word.written++ % kWrites];
  write = {.by = by, .ends_lock = ends_lock};
  if (fence != nullptr) {
    write.released_block = fence->time;
    if (fence->scope != Scope::block) write.released = fence->time;
  }
  if (releases(use.order)) (use.scope == Scope::block ? write.released_block : write.released) = by.time;
  word.is_taken = takes && !ends_lock;
  word.taken_by = by.thread;
}

const HandOvers::Write* HandOvers::seen_write(const Word& word, const Asked& asked) const {
  const std::size_t first = word.written > kWrites ? word.written - kWrites : 0;
  for (std::size_t i = word.seen; i-- > first;) {
    const Write& write = word.writes[i % kWrites];
    if (is_pair(write.by.thread, asked.from, asked) && write.by.time >= asked.time) return &write;
  }
  return asked.guess && !asked.same_block ? like_lost_write(word) : nullptr;
}

/// Of a word that more blocks count in than are kept: they all do it at one place.
const HandOvers::Write* HandOvers::like_lost_write(const Word& word) {
  if (word.written <= kWrites) return nullptr;
  const Write& any = word.writes.front();
  for (const Write& other : word.writes) {
    if (other.by.site != any.by.site) return nullptr;
  }
  return &any;
}

/// A fence after the read may be the reader's or the thread's whose access follows.
HandOverFound HandOvers::found(const Word& word, const Write& write, const Asked& asked) const {
  const std::uint64_t rank_mask = (std::uint64_t{1} << thread_bits_) - 1;
  const bool is_other = !is_of_block(write.by.thread, asked.from);
  const std::uint32_t since = is_other ? 1 : asked.time;  // a time of another block says nothing of this one
  HandOverFound made{
      .word = word.address,
      .set_site = write.by.site,
      .seen_site = word.read.site,
      .is_lock = write.ends_lock,
      .fenced_before_set = write.released >= since || (asked.same_block && write.released_block >= since),
      .fenced_after_seen = word.acquired,
      .narrow_before_set = write.released < since && write.released_block >= since,
      .set_by = asked.from >> thread_bits_ << thread_bits_ | (write.by.thread & rank_mask),
      .is_guess = asked.guess};
  for (const std::uint64_t thread : {word.read.thread, asked.to}) {
    const Fence* fence = fence_of(thread);
    if (fence == nullptr || fence->number <= word.read_number) continue;
    const bool reaches = asked.same_block || fence->scope != Scope::block;
    made.fenced_after_seen = made.fenced_after_seen || reaches;
    made.narrow_after_seen = made.narrow_after_seen || !reaches;
  }
  return made;
}

std::optional<HandOverFound> HandOvers::find(const Asked& asked, const Data& but) const {
  std::optional<HandOverFound> last;
  std::uint64_t latest = 0;
  for (const Word& word : words_) {
    // A word that was used once has not been read after a write.
    if (word.has_only_first || word.read_number <= latest || word.address == but.address ||
        !is_pair(word.read.thread, asked.to, asked))
      continue;
    const Write* write = seen_write(word, asked);
    if (write == nullptr || (but.site != 0 && write->by.site == but.site)) continue;
    latest = word.read_number;
    last = found(word, *write, asked);
  }
  return last;
}

std::optional<HandOverFound> HandOvers::find(std::uint64_t from, std::uint32_t time, std::uint64_t to,
                                             const Data& but) const {
  Asked asked{.from = from, .time = time, .to = to, .same_block = is_of_block(from, to)};
  std::optional<HandOverFound> found = find(asked, but);
  if (!found.has_value()) {
    asked.guess = true;
    found = find(asked, but);
  }
  const bool is_whole = found.has_value() && found->fenced_before_set && found->fenced_after_seen;
  return is_whole && found->set_by == from ? std::nullopt : found;
}

}  // namespace warpfiber::check

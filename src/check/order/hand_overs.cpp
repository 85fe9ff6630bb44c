// SPDX-License-Identifier: Apache-2.0
// A few words and fences are kept, the latest in each place of a table.
#include "check/order/hand_overs.hpp"

namespace warpfiber::check {
namespace {

/// A place among `count`, a power of two.
std::size_t place_of_thread(std::uint64_t thread, std::size_t count) {
  return static_cast<std::size_t>(thread * 0x9e3779b97f4a7c15U >> 40) & (count - 1);
}

bool acquires(int order) {
  return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE;
}

bool releases(int order) {
  return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
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

/// `fence`: the last one of the thread, or null.
void HandOvers::note(Word& word, const OneUse& now, const Fence* fence) {
  const AtomicUse& use = now.use;
  const WordUse& by = now.by;
  const bool takes = use.reads && use.writes;
  const bool ends_lock = word.is_taken && word.taken_by == by.thread && (use.blind || !use.reads);
  if (use.reads) {
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

const HandOvers::Write* HandOvers::seen_write(const Word& word, std::uint64_t from, std::uint32_t time,
                                              bool same_block) const {
  const std::size_t first = word.written > kWrites ? word.written - kWrites : 0;
  for (std::size_t i = word.seen; i-- > first;) {
    const Write& write = word.writes[i % kWrites];
    if (is_pair(write.by.thread, from, same_block) && write.by.time >= time) return &write;
  }
  return nullptr;
}

std::optional<HandOverFound> HandOvers::find(std::uint64_t from, std::uint32_t time, std::uint64_t to,
                                             const void* but) const {
  const bool same_block = from >> thread_bits_ == to >> thread_bits_;
  std::optional<HandOverFound> found;
  std::uint64_t latest = 0;
  for (const Word& word : words_) {
    // A word that was used once has not been read after a write.
    if (word.has_only_first || word.read_number <= latest || word.address == but ||
        !is_pair(word.read.thread, to, same_block))
      continue;
    const Write* write = seen_write(word, from, time, same_block);
    if (write == nullptr) continue;
    latest = word.read_number;
    const Fence* fence = fence_of(word.read.thread);
    const bool has_fence = fence != nullptr && fence->number > word.read_number;
    const bool fenced = has_fence && (same_block || fence->scope != Scope::block);
    found = HandOverFound{.word = word.address,
                          .set_site = write->by.site,
                          .seen_site = word.read.site,
                          .is_lock = write->ends_lock,
                          .fenced_before_set = write->released >= time || (same_block && write->released_block >= time),
                          .fenced_after_seen = fenced || word.acquired,
                          .narrow_before_set = write->released < time && write->released_block >= time,
                          .narrow_after_seen = has_fence && !fenced};
  }
  if (found.has_value() && found->fenced_before_set && found->fenced_after_seen) return std::nullopt;
  return found;
}

}  // namespace warpfiber::check

// SPDX-License-Identifier: Apache-2.0
// Release and acquire patterns: what a word hands on, by the orders and scopes of its accesses.
#include "check/order/sync_words.hpp"

namespace warpfiber::check {
namespace {

/// A word that one thread polls says the same many times.
void note_read(VectorClockRef& read, const VectorClockRef& released, const VectorClockRef& acquired) {
  if (released && read != released && acquired != released) read = join(read, released);
}

}  // namespace

bool SyncWords::use(const void* address, const AtomicUse& use, BlockClocks& block, unsigned thread) {
  bool changes = false;
  if (use.reads && !words_.empty()) {
    const auto found = words_.find(address);
    if (found != words_.end()) changes = acquire(found->second, use, block, thread);
  }
  if (use.writes) changes |= release(address, use, block, thread);
  return changes;
}

/// An arrival learns nothing of those before it, not even at its next fence.
bool SyncWords::acquire(const Word& word, const AtomicUse& use, BlockClocks& block, unsigned thread) {
  if (!word.over.has_value()) return acquire(word.all, use, block, thread);
  return acquires(use.order) && acquire(*word.over, use, block, thread);
}

bool SyncWords::acquire(const Released& released, const AtomicUse& use, BlockClocks& block, unsigned thread) {
  const VectorClockRef far = use.scope == Scope::block ? only(released.device, block.block()) : released.device;
  const auto own = released.blocks.find(block.block());
  const VectorClockRef near = own == released.blocks.end() ? VectorClockRef() : own->second;
  if (!far && !near) return false;
  if (acquires(use.order)) return block.acquire(thread, far, near);
  ThreadClock& mine = block.own(thread);
  note_read(mine.read, far, mine.acquired);
  note_read(mine.read_block, near, mine.acquired_near);
  return false;
}

/// Whether the thread's time moves on.
bool SyncWords::release(const void* address, const AtomicUse& use, BlockClocks& block, unsigned thread) {
  const bool releasing = releases(use.order);
  VectorClockRef to_device;
  VectorClockRef to_block;
  if (releasing) {
    (use.scope == Scope::block ? to_block : to_device) = block.snapshot(thread);
  } else {
    if (use.scope != Scope::block) to_device = block.fenced(thread);
    to_block = block.fenced_block(thread);
  }
  if (!to_device && !to_block) {
    if (!use.reads && !words_.empty()) words_.erase(address);
    return false;
  }
  Word& word = words_[address];
  if (!use.reads) word = Word{};
  word.all.device = join(word.all.device, to_device);
  if (to_block == to_device) to_block = {};
  if (to_device && !to_device->names_only(block.block())) to_block = join(to_block, to_device);
  if (to_block) {
    VectorClockRef& released = word.all.blocks[block.block()];
    released = join(released, to_block);
  }
  if (releasing) block.tick(thread);
  return releasing;
}

void SyncWords::end_phase(const void* address) {
  Word& word = words_[address];
  word.over = word.all;
}

void SyncWords::fence(Scope scope, BlockClocks& block, unsigned thread) {
  if (const ThreadClock* mine = block.personal(thread); mine != nullptr && (mine->read || mine->read_block)) {
    const VectorClockRef read = mine->read;
    const VectorClockRef read_block = mine->read_block;
    block.acquire(thread, scope == Scope::block ? only(read, block.block()) : read, read_block);
    block.own(thread).read_block = {};
    if (scope != Scope::block) block.own(thread).read = {};
  }
  const VectorClockRef now = block.snapshot(thread);
  SharedClocks& shared = block.own(thread).shared;
  shared.fenced_block = now;
  if (scope != Scope::block) shared.fenced = now;
  block.tick(thread);
}

void SyncWords::forget(const void* from, std::size_t bytes) {
  if (words_.empty()) return;
  words_.erase(words_.lower_bound(from), words_.lower_bound(static_cast<const char*>(from) + bytes));
}

}  // namespace warpfiber::check

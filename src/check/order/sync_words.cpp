// SPDX-License-Identifier: Apache-2.0
#include "check/order/sync_words.hpp"

namespace warpfiber::check {
namespace {

bool acquires(int order) {
  return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE;
}

bool releases(int order) {
  return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

/// A word that one thread polls says the same many times.
void note_read(KnowledgeRef& read, const KnowledgeRef& told, const KnowledgeRef& learnt) {
  if (told && read != told && learnt != told) read = join(read, told);
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

bool SyncWords::acquire(const Word& word, const AtomicUse& use, BlockClocks& block, unsigned thread) {
  const KnowledgeRef told = use.scope == Scope::block ? only(word.device, block.block()) : word.device;
  const auto own = word.blocks.find(block.block());
  const KnowledgeRef near = own == word.blocks.end() ? KnowledgeRef() : own->second;
  if (!told && !near) return false;
  if (acquires(use.order)) return block.learn(thread, told, near);
  ThreadClock& mine = block.own(thread);
  note_read(mine.read, told, mine.learnt);
  note_read(mine.read_block, near, mine.learnt_near);
  return false;
}

/// Whether the thread's time moves on.
bool SyncWords::release(const void* address, const AtomicUse& use, BlockClocks& block, unsigned thread) {
  const bool releasing = releases(use.order);
  KnowledgeRef to_device;
  KnowledgeRef to_block;
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
  word.device = join(word.device, to_device);
  if (to_block == to_device) to_block = {};
  if (to_device && !to_device->names_only(block.block())) to_block = join(to_block, to_device);
  if (to_block) {
    KnowledgeRef& told = word.blocks[block.block()];
    told = join(told, to_block);
  }
  if (releasing) block.tick(thread);
  return releasing;
}

void SyncWords::fence(Scope scope, BlockClocks& block, unsigned thread) {
  if (const ThreadClock* mine = block.personal(thread); mine != nullptr && (mine->read || mine->read_block)) {
    const KnowledgeRef read = mine->read;
    const KnowledgeRef read_block = mine->read_block;
    block.learn(thread, scope == Scope::block ? only(read, block.block()) : read, read_block);
    block.own(thread).read_block = {};
    if (scope != Scope::block) block.own(thread).read = {};
  }
  const KnowledgeRef now = block.snapshot(thread);
  Shared& shared = block.own(thread).shared;
  shared.fenced_block = now;
  if (scope != Scope::block) shared.fenced = now;
  block.tick(thread);
}

void SyncWords::forget(const void* from, std::size_t bytes) {
  if (words_.empty()) return;
  words_.erase(words_.lower_bound(from), words_.lower_bound(static_cast<const char*>(from) + bytes));
}

}  // namespace warpfiber::check

// SPDX-License-Identifier: Apache-2.0
#include "check/order/sync_words.hpp"

#include <algorithm>

namespace warpfiber::check {
namespace {

bool acquires(int order) {
  return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE;
}

bool releases(int order) {
  return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

bool names_others(const KnowledgeRef& known, std::uint64_t block) {
  return known &&
         std::ranges::any_of(known->entries(), [block](const Entry& entry) { return entry.members.block != block; });
}

}  // namespace

void SyncWords::use(const void* address, const AtomicUse& use, BlockClocks& block, unsigned thread) {
  if (use.reads && !words_.empty()) {
    const auto found = words_.find(address);
    if (found != words_.end()) acquire(found->second, use, block, thread);
  }
  if (use.writes) release(address, use, block, thread);
}

void SyncWords::acquire(const Word& word, const AtomicUse& use, BlockClocks& block, unsigned thread) {
  const KnowledgeRef told = use.scope == Scope::block ? only(word.device, block.block()) : word.device;
  const auto own = word.blocks.find(block.block());
  const KnowledgeRef near = own == word.blocks.end() ? KnowledgeRef() : own->second;
  if (!told && !near) return;
  if (acquires(use.order)) {
    block.learn(thread, join(told, near));
    return;
  }
  ThreadClock& mine = block.own(thread);
  if (mine.read != told && mine.learnt != told) mine.read = join(mine.read, told);
  if (mine.read_block != near) mine.read_block = join(mine.read_block, near);
}

void SyncWords::release(const void* address, const AtomicUse& use, BlockClocks& block, unsigned thread) {
  const bool releasing = releases(use.order);
  const ThreadClock* mine = block.personal(thread);
  KnowledgeRef to_device;
  KnowledgeRef to_block;
  if (releasing) {
    (use.scope == Scope::block ? to_block : to_device) = block.snapshot(thread);
  } else if (mine != nullptr) {
    if (use.scope != Scope::block) to_device = mine->shared.fenced;
    to_block = mine->shared.fenced_block;
  }
  if (!to_device && !to_block) {
    if (!use.reads && !words_.empty()) words_.erase(address);
    return;
  }
  Word& word = words_[address];
  if (!use.reads) word = Word{};
  word.device = join(word.device, to_device);
  if (to_block == to_device) to_block = {};
  if (names_others(to_device, block.block())) to_block = join(to_block, to_device);
  if (to_block) {
    KnowledgeRef& told = word.blocks[block.block()];
    told = join(told, to_block);
  }
  if (releasing) block.tick(thread);
}

void SyncWords::fence(Scope scope, BlockClocks& block, unsigned thread) {
  if (const ThreadClock* mine = block.personal(thread); mine != nullptr && (mine->read || mine->read_block)) {
    const KnowledgeRef read = mine->read;
    block.learn(thread, join(scope == Scope::block ? only(read, block.block()) : read, mine->read_block));
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
  const auto* first = static_cast<const char*>(from);
  std::erase_if(words_, [&](const auto& word) {
    const auto* at = static_cast<const char*>(word.first);
    return at >= first && at < first + bytes;
  });
}

}  // namespace warpfiber::check

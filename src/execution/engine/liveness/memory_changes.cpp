// SPDX-License-Identifier: Apache-2.0
// Hashes show which chunks have changed; of those a copy is kept, and the next change is looked at word by word.
#include "engine/liveness/memory_changes.hpp"

#include <algorithm>
#include <cstring>

#include "engine/signals/sample.hpp"
#include "engine/state/circles/spin_history.hpp"

namespace warpfiber::engine {

bool MemoryChanges::Word::is_counting(std::uint32_t value) const {
  return std::find(std::begin(seen), std::end(seen), value) != std::end(seen) || (value > seen[latest]) == rises;
}

void MemoryChanges::Word::note(std::uint32_t value) {
  rises = value > seen[latest];
  latest = (latest + 1) % kSeen;
  seen[latest] = value;
}

void MemoryChanges::forget_copies() {
  for (const MemoryRange& one : busy_) chunks_[one.begin].copy.reset();
  busy_.clear();
  words_.clear();
  wild_ = 0;
}

/// The chunk is not what it was at the last look.
MemoryChange MemoryChanges::compare(Chunk& chunk, const MemoryRange& range) {
  const char* begin = range.begin;
  const std::size_t bytes = range.bytes;
  MemoryChange change = MemoryChange::counting;
  if (chunk.copy == nullptr || words_.size() > kMostWords) {
    if (busy_.size() >= kMostCopies || words_.size() > kMostWords) forget_copies();
    chunk.copy = std::make_unique<char[]>(kChunkBytes);
    std::memcpy(chunk.copy.get(), begin, bytes);
    busy_.push_back(range);
    return MemoryChange::fresh;
  }
  for (std::size_t at = 0; at + sizeof(std::uint32_t) <= bytes; at += sizeof(std::uint32_t)) {
    std::uint32_t before = 0;
    std::uint32_t now = 0;
    std::memcpy(&before, chunk.copy.get() + at, sizeof before);
    std::memcpy(&now, begin + at, sizeof now);
    if (before == now) continue;
    std::memcpy(chunk.copy.get() + at, &now, sizeof now);
    const auto [word, is_new] = words_.try_emplace(begin + at);
    if (is_new) std::fill(std::begin(word->second.seen), std::end(word->second.seen), before);
    if (!is_new && !word->second.is_wild && !word->second.is_counting(now)) {
      word->second.is_wild = true;
      ++wild_;
    }
    const bool may_be_wild = range.is_shared && wild_ <= most_wild_;
    if (is_new || (word->second.is_wild && !may_be_wild)) change = MemoryChange::fresh;
    word->second.note(now);
  }
  return change;
}

MemoryChange MemoryChanges::look_at(const MemoryRange& chunk_range) {
  struct Look {
    const char* begin;
    std::size_t bytes;
    std::uint64_t hash;
  } look{chunk_range.begin, chunk_range.bytes, 0};
  const auto hash = [](void* data) {
    auto& one = *static_cast<Look*>(data);
    one.hash = hash_bytes(one.begin, one.begin + one.bytes, 1);
  };
  if (!read_guarded(hash, &look)) return MemoryChange::fresh;
  const auto [found, is_new] = chunks_.try_emplace(look.begin);
  Chunk& chunk = found->second;
  if (!is_new && chunk.hash == look.hash) return MemoryChange::none;
  chunk.hash = look.hash;
  if (is_new) return chunk_range.comes_and_goes ? MemoryChange::counting : MemoryChange::fresh;
  struct Comparison {
    MemoryChanges* self;
    Chunk* chunk;
    const MemoryRange* range;
    MemoryChange change;
  } comparison{this, &chunk, &chunk_range, MemoryChange::fresh};
  const auto compare = [](void* data) {
    auto& one = *static_cast<Comparison*>(data);
    one.change = one.self->compare(*one.chunk, *one.range);
  };
  return read_guarded(compare, &comparison) ? comparison.change : MemoryChange::fresh;
}

MemoryChange MemoryChanges::look(std::span<const MemoryRange> ranges) {
  MemoryChange change = MemoryChange::none;
  const bool is_first = chunks_.empty();
  most_wild_ =
      kWordsOfBarriers * static_cast<std::size_t>(std::count_if(ranges.begin(), ranges.end(),
                                                                [](const MemoryRange& one) { return one.is_shared; }));
  const auto add = [&](const MemoryRange& range) {
    change = std::max(change, look_at(range));
    return is_first || change != MemoryChange::fresh;
  };
  // What changed lately is likely to change again, which saves looking at the rest.
  const std::vector<MemoryRange> busy = busy_;
  for (const MemoryRange& one : busy) {
    const auto holds = [&one](const MemoryRange& range) {
      return one.begin >= range.begin && one.begin + one.bytes <= range.begin + range.bytes;
    };
    if (std::any_of(ranges.begin(), ranges.end(), holds) && !add(one)) return change;
  }
  for (const MemoryRange& range : ranges) {
    for (std::size_t at = 0; at < range.bytes; at += kChunkBytes) {
      if (!add({range.begin + at, std::min(kChunkBytes, range.bytes - at), range.comes_and_goes, range.is_shared}))
        return change;
    }
  }
  return change;
}

}  // namespace warpfiber::engine

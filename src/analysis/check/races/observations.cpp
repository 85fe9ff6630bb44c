// SPDX-License-Identifier: Apache-2.0
// The latest ones take the places of the oldest.
#include "check/races/observations.hpp"

#include <algorithm>

namespace warpfiber::check {

bool Observations::is_hand_over(const void* word, const AtomicUse& use) {
  if (!use.reads || use.is_volatile) return false;
  if (!use.writes || use.idle || use.compares || use.blind) return true;
  constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15U;
  const std::uint64_t key = reinterpret_cast<std::uintptr_t>(word) * kMix ^ running_.thread();
  if (arrivals_.size() >= kMostArrivals && !arrivals_.contains(key)) return false;
  return ++arrivals_[key] == 1;
}

void Observations::add(const Observation& seen) {
  if (count_ != 0) {
    const Observation& last = all_[(count_ - 1) % kMost];
    if (last.by.thread() == seen.by.thread() && last.word == seen.word && last.write.number == seen.write.number)
      return;
  }
  all_[count_++ % kMost] = seen;
}

/// Whether the thread of `write` has done it, or knew of it, when it wrote.
bool Observations::is_before(const StrongUse& earlier, const StrongWrite& write) const {
  if (earlier.number >= write.number) return false;
  if (earlier.thread() == write.thread()) return true;
  const Who who = numbering_.who_of(earlier.thread());
  const Who writer = numbering_.who_of(write.thread());
  const std::uint32_t time = clock_of(earlier.cell);
  if (who.block == writer.block && time <= write.known) return true;
  if (who.block == writer.block && who.warp == writer.warp && time <= write.known_of_warp) return true;
  return write.personal && write.personal->covers(who, time);
}

const Observation* Observations::find(const StrongUse& earlier, const void* but) const {
  for (std::size_t i = count_; i-- > count_ - std::min(count_, kMost);) {
    const Observation& one = all_[i % kMost];
    const bool mine = one.by.thread() == running_.thread() || running_.happens_after(one.by.cell);
    if (one.word != but && mine && is_before(earlier, one.write)) return &one;
  }
  return nullptr;
}

/// What a barrier's threads have read counts as acquired by all of them.
std::optional<HandOverFound> Observations::missing_fence(const StrongUse& earlier, const void* but) const {
  const Observation* const seen = find(earlier, but);
  if (seen == nullptr) return std::nullopt;
  const StrongWrite& write = seen->write;
  const std::uint32_t time = clock_of(earlier.cell);
  const bool same_block = numbering_.block_of(write.thread()) == numbering_.block_of(seen->by.thread());
  const HandOvers::Fence* const fence = hand_overs_.fence_of(seen->by.thread());
  const bool has_fence = fence != nullptr && fence->number > seen->by.number;
  const bool fenced = has_fence && (same_block || fence->scope != Scope::block);
  const bool near_before = write.released_block >= time;
  HandOverFound found{.word = seen->word,
                      .set_site = write.site,
                      .seen_site = seen->by.site,
                      .is_lock = seen->is_lock,
                      .fenced_before_set = write.released >= time || (same_block && near_before),
                      .fenced_after_seen = fenced || seen->acquires || seen->by.thread() != running_.thread(),
                      .narrow_after_seen = has_fence && !fenced,
                      .set_by = write.thread()};
  found.narrow_before_set = !found.fenced_before_set && near_before;
  if (found.fenced_before_set && found.fenced_after_seen) return std::nullopt;
  return found;
}

}  // namespace warpfiber::check

// SPDX-License-Identifier: Apache-2.0
// What conflicts with an access, what is left of a word after it, and how the two sides of a race are described.
#include "check/races/race_detector.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "check/races/racing_stores.hpp"
#include "check/values/values.hpp"

namespace warpfiber::check {
namespace {

Side with_value(Side side, const void* address) {
  side.around = bytes_around(address);
  side.has_value = true;
  return side;
}

}  // namespace

Side RaceDetector::side_of(Cell cell, unsigned site, Scope scope) {
  return {.thread = thread_of(cell),
          .time = clock_of(cell),
          .launch = launch_of(cell),
          .site = site,
          .write = is_write(cell),
          .strong = is_strong(cell),
          .scope = scope};
}

/// Whether an atomic at `scope` by the running thread reaches the one that `cell` is of, and the other way round.
bool RaceDetector::reaches(Scope scope, Cell cell) const {
  if (scope >= Scope::device) return true;
  const std::uint64_t other = numbering_.block_of(thread_of(cell));
  if (other == numbering_.block_of(running_.thread())) return true;
  return scope == Scope::cluster && numbering_.cluster_of(other) == running_.block().cluster;
}

bool RaceDetector::conflicts(Cell cell, Scope scope, const Use& use) const {
  if (!is_write(cell) && !use.write) return false;
  if (!is_strong(cell) || !use.strong) return true;
  return !reaches(std::min(scope, use.scope), cell);
}

RaceDetector::Outcome RaceDetector::outcome(Cell cell, Scope scope, unsigned bytes, const Use& use) const {
  if ((bytes_of(cell) & bytes) == 0) return {.conflict = false, .is_over = false};
  const bool pending = is_pending(cell);
  const bool ordered = !pending && running_.happens_after(cell);
  const bool conflict = !ordered && (pending ? is_write(cell) || use.write : conflicts(cell, scope, use));
  // Each later access that conflicts with such a cell conflicts with this access as well.
  const bool weaker = (use.write || !is_write(cell)) && (!use.strong || is_strong(cell));
  const bool within = (bytes_of(cell) & ~bytes) == 0;
  // An atomic whose thread uses what others of its word have left comes after them: nothing of its thread, or of those
  // that synchronise with it, is in conflict with them any more. If the result is unused, the two could execute in
  // either order with the same effect.
  const bool followed = use.read && use.write && use.strong && is_strong(cell) && !conflict && !use.use_follows;
  return {.conflict = conflict, .is_over = (ordered || followed || conflict) && !pending && weaker && within};
}

/// What is left of a word after an access: whatever can still be in conflict with a later one.
void RaceDetector::check(ShadowWord& word, unsigned bytes, const Use& use, unsigned site) {
  const Cell mine = running_.cell_of(bytes, use);
  bool add = true;
  for (unsigned i = 0; i < word.count;) {
    const Kept kept{word.cells[i], site_of(word.notes, i), scope_of(word.notes, i)};
    const Outcome is = outcome(kept.cell, kept.scope, bytes, use);
    if (is.conflict) race(word.index, kept, use, site);
    if (is.is_over) {
      word.remove(i);
      continue;
    }
    const bool same_time = ((kept.cell ^ mine) & ~(kAllBytes | kWrite)) == 0;
    if (same_time && (bytes & ~bytes_of(kept.cell)) == 0 && (is_write(kept.cell) || !use.write)) add = false;
    ++i;
  }
  if (word.has_further) check_further(word, bytes, use, site);
  if (use.use_follows) keep_two_updates(word, mine);
  if (add && make_room(word, mine)) word.put(word.count++, mine, site, use.scope);
}

/// The same for what is kept besides the cells. One access of a row is enough to report.
void RaceDetector::check_further(ShadowWord& word, unsigned bytes, const Use& use, unsigned site) {
  const auto is_left_alone = [&use](const FurtherRow& row) { return !use.write && !is_write(row.cell); };
  const FurtherRows* rows = further_.find(word.index);
  if (rows != nullptr && word.count == kCellsOfWord && std::ranges::all_of(*rows, is_left_alone)) return;
  word.has_further = false;
  for (const FurtherRow& row : further_.take(word.index)) {
    bool reported = false;
    for (std::uint32_t thread = 0; thread < row.threads; ++thread) {
      const Kept kept{row.cell_of(thread), row.site, row.scope};
      const Outcome is = outcome(kept.cell, kept.scope, bytes, use);
      if (is.conflict && !std::exchange(reported, true)) race(word.index, kept, use, site);
      if (!is.is_over) put_back(word, row, thread);
    }
  }
}

/// Keeps the access by this thread of a row that has been taken out.
void RaceDetector::put_back(ShadowWord& word, const FurtherRow& row, std::uint32_t thread) {
  const Cell cell = row.cell_of(thread);
  if (word.count < kCellsOfWord) {
    word.put(word.count++, cell, row.site, row.scope);
  } else {
    word.has_further |= further_.add(word.index, word.has_further, {cell, 1, row.site, row.scope});
  }
}

/// Sees to it that there is a place for one more cell. False if it is not to have one.
bool RaceDetector::make_room(ShadowWord& word, Cell mine) {
  if (word.count < kCellsOfWord) return true;
  if (!running_.keeps_all()) return give_up_one(word, mine);
  unsigned last = kCellsOfWord - 1;  // copies that are pending find their cells in the shadow
  while (last > 0 && is_pending(word.cells[last])) --last;
  const FurtherRow one{word.cells[last], 1, static_cast<std::uint16_t>(site_of(word.notes, last)),
                       scope_of(word.notes, last)};
  if (!further_.add(word.index, word.has_further, one)) return give_up_one(word, mine);
  word.has_further = true;
  word.remove(last);
  return true;
}

/// All places are taken: gives up the one that matters least. False if that would be the new one's: of cells that do
/// the same, two are enough, and they are to be as far apart as possible.
bool RaceDetector::give_up_one(ShadowWord& word, Cell mine) const {
  constexpr Cell kWhat = kWrite | kStrong;
  unsigned same[kCellsOfWord];
  unsigned count = 0;
  for (unsigned i = 0; i < kCellsOfWord; ++i) {
    if (((word.cells[i] ^ mine) & kWhat) == 0 && !is_pending(word.cells[i])) same[count++] = i;
  }
  if (count >= 2) {
    const unsigned one = same[count - 2];
    const unsigned other = same[count - 1];
    const unsigned to_one = numbering_.distance(word.cells[one], mine);
    const unsigned to_other = numbering_.distance(word.cells[other], mine);
    if (numbering_.distance(word.cells[one], word.cells[other]) >= std::max(to_one, to_other)) return false;
    word.remove(to_one < to_other ? one : other);
    return true;
  }
  unsigned victim = covered(word);
  if (victim == kCellsOfWord) {
    victim = kCellsOfWord - 1;
    while (victim > 0 && is_write(word.cells[victim])) --victim;
  }
  word.remove(victim);
  return true;
}

/// A cell that all threads come after, or whose races another one has, too; kCellsOfWord: there is none. Both happen
/// before what the thread does now, so the threads that have come after each are a warp, a block, a cluster or the grid
/// with this thread in it, and one of the two contains the other. That stays so while threads meet as such: what meets
/// with the smaller one meets with the larger. Whoever has not come after the first has then not come after the other
/// either.
unsigned RaceDetector::covered(const ShadowWord& word) const {
  using Reached = RunningThread::Reached;
  for (unsigned i = 0; i < kCellsOfWord; ++i) {
    const Cell cell = word.cells[i];
    const Reached reached = running_.reached_by(cell);
    if (reached == Reached::grid && !is_pending(cell)) return i;
    for (unsigned j = 0; j < kCellsOfWord; ++j) {
      const Cell other = word.cells[j];
      const Reached by_other = running_.reached_by(other);
      if (i == j || is_pending(cell) || is_pending(other)) continue;
      if (by_other == Reached::unknown || by_other > reached) continue;
      const bool as_strict = is_write(other) == is_write(cell) && (is_strong(cell) || !is_strong(other)) &&
                             scope_of(word.notes, j) <= scope_of(word.notes, i);
      if (as_strict && (bytes_of(cell) & ~bytes_of(other)) == 0) return i;
    }
  }
  return kCellsOfWord;
}

bool RaceDetector::repeat_atomic(std::size_t index, const Use& use, const SiteLine& line) {
  if (running_.sees_every_access() || !running_.is_plain() || use.scope < Scope::device) return false;
  const Cell mine = running_.here().cell | kWrite | kStrong;
  if (launch_of(shadow.plane(0)[index] ^ mine) != 0) return false;
  ShadowWord word(shadow, index);
  if (word.has_further) return false;
  constexpr Cell kKind = kStrong | kWrite | kAllBytes;
  const bool after_write = (word.cells[0] & kKind) == (kWrite | kAllBytes);
  if (after_write && (is_pending(word.cells[0]) || !running_.happens_after(word.cells[0]))) return false;
  const unsigned first = after_write ? 1 : 0;
  for (unsigned i = first; i < word.count; ++i) {
    if ((word.cells[i] & kKind) != kKind || scope_of(word.notes, i) < Scope::device) return false;
  }
  if (use.use_follows) {
    keep_two_updates(word, mine);
  } else {
    word.count = first;
  }
  word.put(word.count++, mine, line.number(), use.scope);
  word.store(shadow);
  return true;
}

/// Sees to it that of changes by atomics that nothing orders two are kept with the new one, which are as far apart as
/// possible: whoever comes after both has met all of their warp, block or grid.
void RaceDetector::keep_two_updates(ShadowWord& word, Cell mine) const {
  constexpr Cell kKind = kStrong | kWrite | kAllBytes;
  constexpr unsigned kNone = kCellsOfWord;
  unsigned kept = kNone;
  for (unsigned i = 0; i < word.count;) {
    if ((word.cells[i] & kKind) != (mine & kKind) || is_pending(word.cells[i])) {
      ++i;
    } else if (running_.happens_after(word.cells[i])) {
      word.remove(i);
    } else if (kept == kNone) {
      kept = i++;
    } else if (numbering_.distance(word.cells[i], mine) > numbering_.distance(word.cells[kept], mine)) {
      word.remove(kept);
      kept = i - 1;
    } else {
      word.remove(i);
    }
  }
}

void RaceDetector::follow_updates(std::size_t index) {
  const Cell first = shadow.plane(0)[index];
  if (!has_more(first) || launch_of(first ^ running_.segment().cell) != 0) return;
  ShadowWord word(shadow, index);
  const auto is_update = [](Cell cell) { return is_write(cell) && is_strong(cell) && !is_pending(cell); };
  const auto is_mine = [this](Cell cell) { return thread_of(cell) == running_.thread(); };
  bool has_mine = false;
  for (unsigned i = 0; i < word.count; ++i) has_mine |= is_update(word.cells[i]) && is_mine(word.cells[i]);
  if (!has_mine) return;
  for (unsigned i = 0; i < word.count;) {
    if (is_update(word.cells[i]) && !is_mine(word.cells[i])) {
      word.remove(i);
    } else {
      ++i;
    }
  }
  if (std::exchange(word.has_further, false)) {
    for (const FurtherRow& row : further_.take(index)) {
      for (std::uint32_t thread = 0; thread < row.threads; ++thread) {
        if (!is_update(row.cell_of(thread)) || is_mine(row.cell_of(thread))) put_back(word, row, thread);
      }
    }
  }
  word.store(shadow);
}

void RaceDetector::race(std::size_t index, const Kept& kept, const Use& use, unsigned site) {
  const Cell cell = kept.cell;
  Side earlier = side_of(cell, kept.site, kept.scope);
  Side now = running_.side(use, site);
  const char* address = shadow.address_of(index) + std::countr_zero(bytes_of(cell));
  const auto bytes = static_cast<unsigned>(std::popcount(bytes_of(cell)));
  if (is_pending(cell)) {
    log_.add(earlier.write ? ViolationKind::async_destination : ViolationKind::async_source, &earlier, now, address,
             bytes);
    return;
  }
  if (earlier.write && now.write && !earlier.strong && !now.strong) {
    stores_.add({address, bytes, value_at(address, bytes), with_value(earlier, address), now});
    return;
  }
  // The hook comes before the access: what was stored is there still, and is what a load will find.
  if (earlier.write) {
    earlier = with_value(earlier, address);
    if (!now.write) now = with_value(now, address);
  }
  add_race(earlier, now, address, bytes);
}

void RaceDetector::judge(const RacingStore& store) {
  if (store.kind != ViolationKind::race) {
    if (!store.kept_value()) log_.add(store.kind, &store.earlier, store.now, store.address, store.bytes);
    return;
  }
  const Side now = with_value(store.now, store.address);
  if (store.kept_value()) {
    log_.add(ViolationKind::same_value, &store.earlier, now, store.address, store.bytes);
  } else {
    add_race(store.earlier, now, store.address, store.bytes);
  }
}

/// With what would order the two, as far as it is known now only.
void RaceDetector::add_race(const Side& earlier, const Side& now, const void* address, unsigned bytes) {
  Violation* race = log_.add(ViolationKind::race, &earlier, now, address, bytes);
  if (race == nullptr) return widen_hand_over(earlier);
  if (earlier.launch != now.launch) return;
  race->hand_over = hand_overs_.find(earlier.thread, earlier.time, now.thread, {address, earlier.site});
  race->hand_over_place = race->hand_over.has_value() ? log_.place_of(race->hand_over->word) : MemoryPlace{};
  race->pointers_apart.reset();
  const auto* const at = static_cast<const char*>(address);
  if (race->place.space == Space::global && race->place.extent != 0)
    race->pointers_apart = reachable_.pointers_apart(at - race->place.offset, at);
}

/// One more pair of the last race: a barrier that is missing before the word is set has to order this one as well.
void RaceDetector::widen_hand_over(const Side& earlier) {
  Violation* const race = log_.violations().last();
  if (race == nullptr || race->kind != ViolationKind::race || !race->hand_over.has_value()) return;
  HandOverFound& word = *race->hand_over;
  const std::uint64_t block = numbering_.block_of(race->earlier.thread);
  const std::uint64_t like = numbering_.number_of(block, numbering_.rank_of(earlier.thread));
  const std::uint64_t known = word.far.value_or(race->earlier.thread);
  if (numbering_.width_between(like, word.set_by) > numbering_.width_between(known, word.set_by)) word.far = like;
}

void RaceDetector::check_against_launches(std::size_t index, Cell cell, Notes notes, const Use& use, unsigned site) {
  if (!launch_.is_concurrent(launch_of(cell))) return;
  if (!is_write(cell) && !use.write) return;
  if (is_strong(cell) && use.strong) return;
  const Side earlier = side_of(cell, site_of(notes, 0), scope_of(notes, 0));
  add_race(earlier, running_.side(use, site), shadow.address_of(index), kWordBytes);
}

// Of stores by one access that race with one earlier access, the one that changes a value is kept.

std::uint64_t value_at(const void* address, unsigned bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, address, std::min<std::size_t>(bytes, sizeof value));
  return value;
}

void RacingStores::add_ended(const RacingStore& store) {
  const auto same_pair = std::ranges::find_if(ended_, [&](const RacingStore& other) {
    return other.earlier.thread == store.earlier.thread && other.earlier.site == store.earlier.site &&
           other.now.thread == store.now.thread && other.now.site == store.now.site && other.kind == store.kind;
  });
  if (same_pair == ended_.end()) {
    ended_.push_back(store);
  } else if (same_pair->kept_value()) {
    *same_pair = store;
  }
}

}  // namespace warpfiber::check

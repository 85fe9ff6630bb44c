// SPDX-License-Identifier: Apache-2.0
// Each access is judged against the last ones of its word, then kept in their place.
#include "check/races/strong_words.hpp"

#include <algorithm>
#include <utility>

namespace warpfiber::check {
namespace {

bool are_volatile(const StrongUse& one, const StrongUse& other) {
  return one.is_volatile && other.is_volatile;
}

}  // namespace

std::uint64_t StrongWords::kind_of(std::uint64_t thread) {
  return std::uint64_t{1} << (thread * kMix >> 58);
}

std::size_t StrongWords::first_place_of(const void* address) {
  static_assert(kWords == std::size_t{1} << (64 - 54));
  return reinterpret_cast<std::uintptr_t>(address) / kWordBytes * kMix >> 54;
}

/// Where the word is, or the one of its two places that was used less lately: a flag and its message, which may well
/// share a place, do not take it from each other.
std::size_t StrongWords::place_of(const void* address) const {
  const std::size_t first = first_place_of(address);
  const std::size_t second = first ^ 1;
  if (words_[first].address == address) return first;
  if (words_[second].address == address) return second;
  return words_[first].used <= words_[second].used ? first : second;
}

/// Its last accesses are none where another word was in the place, or another block had this shared memory.
StrongWords::Word& StrongWords::word_at(const void* address, unsigned bytes) {
  const BlockShadow* const of_shared = log_.owner_of_shared(address);
  const std::uint64_t owner = of_shared == nullptr ? 0 : of_shared->clocks.block() + 1;
  Word& word = words_[place_of(address)];
  const std::uint64_t now = hand_overs_.number() + 1;
  if (word.address == address && word.owner == owner && word.bytes == bytes) {
    word.used = now;
    return word;
  }
  word = Word{};
  word.address = address;
  word.used = now;
  word.bytes = bytes;
  word.owner = owner;
  begin(word);
  return word;
}

/// An atomic before the first volatile access to the word.
void StrongWords::begin(Word& word) const {
  const HandOvers::OneUse* const known = hand_overs_.only_use(word.address);
  if (known == nullptr || !known->use.writes || known->use.is_volatile || word.owner != 0) return;
  constexpr Cell kLaunch = Cell{kLaunches - 1} << kLaunchShift;
  StrongWrite& last = word.last;
  last.cell = (running_.segment().cell & kLaunch) | Cell{known->by.thread} << kThreadShift | known->by.time;
  last.number = known->number;
  last.site = known->by.site;
  last.changes = known->use.reads;
  last.value = value_at(word.address, word.bytes);
  last.before = known->use.idle ? last.value : known->use.blind ? known->use.before : ~last.value;
  last.first = last;
  word.users = kind_of(known->by.thread);
}

StrongUse StrongWords::use_now(const void* address, const AtomicUse& use, unsigned site) {
  StrongUse now{.cell = running_.segment().cell,
                .number = hand_overs_.number() + 1,
                .site = site,
                .is_volatile = use.is_volatile,
                .changes = use.reads && use.writes};
  now.waits = use.reads && is_waiting(address);
  const HeldLock& held = lock_place();
  if (held.word == nullptr || held.thread != now.thread() || held.word == address) return now;
  now.lock = held;
  const HandOvers::Fence* const fence = hand_overs_.fence_of(now.thread());
  if (now.lock.acquires) {
    now.entered = Entered::device;
  } else if (fence != nullptr && fence->number > now.lock.number) {
    now.entered = fence->scope == Scope::block ? Entered::block : Entered::device;
  }
  return now;
}

void StrongWords::follow(const void* address, unsigned bytes, const AtomicUse& use, unsigned site) {
  if (words_.empty()) words_.resize(kWords);
  running_.here();
  Word& word = word_at(address, bytes);
  if (!std::exchange(word.value_is_known, true)) word.last.value = value_at(address, bytes);
  const StrongUse now = use_now(address, use, site);
  const StrongRead* const mine = open_read_of(word, now.thread());
  if (use.is_volatile) judge_lanes(word, {now, use.writes});
  if (use.reads && !use.writes && !now.waits && !use.compares) judge_read(word, now);
  if (use.writes && !use.reads) judge_write(word, now, mine);
  note_lock(address, use, site);
  if (observations_.is_hand_over(address, use)) observe(word, now, use);
  word.users |= kind_of(now.thread());
  if (use.writes) {
    note_write(word, now, use, mine);
  } else {
    note_read(word, now);
  }
}

// Loops that wait.

void StrongWords::come_to_wait() {
  looks_[running_.here().thread()] = {};
}

/// The read belongs to a loop that waits, whose end is known later.
bool StrongWords::is_waiting(const void* address) {
  if (looks_.empty()) return false;
  const auto look = looks_.find(running_.thread());
  if (look == looks_.end()) return false;
  Look& words = look->second;
  if (words.count < words.words.size()) words.words[words.count++] = address;
  return true;
}

void StrongWords::end_look(bool again) {
  const auto look = looks_.find(running_.here().thread());
  if (look == looks_.end()) return;
  for (unsigned i = 0; !again && i < look->second.count; ++i) {
    const Word& word = words_[place_of(look->second.words[i])];
    const StrongRead* const mine = read_of(word, running_.thread());
    if (word.address == look->second.words[i] && mine != nullptr) observe(word, *mine, {});
  }
  looks_.erase(look);
}

void StrongWords::observe(const Word& word, const StrongUse& by, const AtomicUse& use) {
  if (!word.last.is_of_another(by.thread()) || word.last.number > by.number) return;
  observations_.add({.by = by,
                     .acquires = acquires(use.order),
                     .is_lock = use.compares && use.writes,
                     .word = word.address,
                     .write = word.last});
}

// What is kept.

const StrongRead* StrongWords::read_of(const Word& word, std::uint64_t thread) {
  for (const StrongRead& read : word.reads) {
    if (read.cell != 0 && read.thread() == thread) return &read;
  }
  return nullptr;
}

/// The thread's last access to the word, if that is a read.
const StrongRead* StrongWords::open_read_of(const Word& word, std::uint64_t thread) {
  const StrongRead* const read = read_of(word, thread);
  if (read == nullptr) return nullptr;
  const auto is_later = [&](const StrongWrite& write) {
    return write.cell != 0 && write.thread() == thread && write.number > read->number;
  };
  return is_later(word.last) || is_later(word.other) ? nullptr : read;
}

void StrongWords::note_read(Word& word, const StrongUse& now) {
  StrongRead read{now};
  read.value = word.last.cell != 0 ? word.last.value : value_at(word.address, word.bytes);
  const StrongRead* const before = read_of(word, now.thread());
  // Whoever has waited for the value reads it again: its write comes first.
  const bool waited = before != nullptr && before->waits && before->number > word.last.number;
  if (!waited && word.last.is_of_another(now.thread()) && is_unordered(word.last)) read.seen = word.last;
  if (before != nullptr) {
    const bool same = before->site == now.site && before->cell == now.cell;
    read.earlier = same || before->waits ? before->earlier : *before;
  }
  if (before != &word.reads[0] && word.reads[0].cell != 0) word.reads[1] = word.reads[0];
  word.reads[0] = read;
}

void StrongWords::note_write(Word& word, const StrongUse& now, const AtomicUse& use, const StrongRead* mine) {
  StrongWrite write{now};
  const StrongWrite& last = word.last;
  const bool goes_on = last.cell != 0 && last.thread() == now.thread();
  write.before = value_at(word.address, word.bytes);
  write.first = now;
  write.has_taken = true;
  if (now.changes) {
    write.took = write.before;
  } else if (mine != nullptr) {
    write.took = mine->value;
  } else if (goes_on) {
    write.took = last.took;
    write.has_taken = last.has_taken;
    write.first = last.first;
  } else {
    write.has_taken = false;
  }
  if (const HandOvers::Fence* fence = hand_overs_.fence_of(now.thread()); fence != nullptr) {
    write.released_block = fence->time;
    if (fence->scope != Scope::block) write.released = fence->time;
  }
  if (releases(use.order)) (use.scope == Scope::block ? write.released_block : write.released) = clock_of(now.cell);
  const BlockClocks& clocks = running_.block().clocks;
  write.known = clocks.known();
  write.known_of_warp = running_.segment().known_of_warp;
  if (const ThreadClock* own = clocks.personal(running_.rank()); own != nullptr) write.personal = own->shared.known;
  if (last.is_of_another(now.thread())) word.other = std::move(word.last);
  word.last = std::move(write);
  word.value_is_known = false;
}

void StrongWords::note_lock(const void* address, const AtomicUse& use, unsigned site) {
  if (!use.writes) return;
  HeldLock& held = lock_place();
  const std::uint64_t thread = running_.thread();
  const bool holds = held.word == address && held.thread == thread;
  if (holds && (!use.reads || use.blind)) {
    if (held.compares) released_place(address) = address;
    held = {};
  } else if (use.reads && (use.compares || use.blind)) {
    held = {thread, address, hand_overs_.number() + 1, site, acquires(use.order), use.compares};
  }
}

/// Whether a word is taken by compare-and-swaps and released, not counted up by them.
bool StrongWords::is_lock(const HeldLock& held) const {
  return held.word != nullptr && held.compares && released_[first_place_of(held.word) % released_.size()] == held.word;
}

// What is wrong.

bool StrongWords::is_unordered(const StrongUse& earlier) const {
  const bool same_launch = launch_of(earlier.cell) == launch_of(running_.segment().cell);
  return same_launch && !running_.happens_after(earlier.cell);
}

void StrongWords::step(const void* place) {
  if (steps_.size() < kSteps && std::ranges::find(steps_, place) == steps_.end()) steps_.push_back(place);
}

/// Whether the word is in an array that lanes go through step by step.
bool StrongWords::is_in_steps(Word& word) const {
  if (word.asked_steps == steps_.size()) return word.in_steps;
  const auto begin_of = [this](const void* address) {
    return static_cast<const char*>(address) - log_.place_of(address).offset;
  };
  const char* const array = begin_of(word.address);
  word.in_steps = std::ranges::any_of(steps_, [&](const void* place) { return begin_of(place) == array; });
  word.asked_steps = steps_.size();
  return word.in_steps;
}

/// They are no race, but where nothing else orders them the program takes lanes to run in lock-step, or one of them
/// waits for another.
void StrongWords::judge_lanes(Word& word, const Part& now) {
  const auto check_against = [&](const StrongUse& use, bool write) {
    const Part earlier{use, write};
    if (!use.is_of_another(now.use.thread()) || !are_volatile(use, now.use) || !is_unordered(use)) return;
    const Who other = numbering_.who_of(use.thread());
    const Who me = numbering_.who_of(now.use.thread());
    if (other.block != me.block || other.warp != me.warp) return;
    const bool locked = use.lock.word != nullptr || now.use.lock.word != nullptr;
    const bool in_steps = !locked && !use.waits && !now.use.waits && is_in_steps(word);
    if (in_steps && !rules_.in_step) {
      add(ViolationKind::needs_lock_step, word, earlier, now);
    } else if (in_steps || rules_.every_exchange) {
      add(ViolationKind::lock_step, word, earlier, now);
    }
  };
  check_against(word.last, true);
  if (!now.write) return;
  for (const StrongRead& read : word.reads) check_against(read, false);
}

void StrongWords::judge_read(const Word& word, const StrongUse& now) {
  judge_order(word, {word.last, true}, {now, false});
}

void StrongWords::judge_write(const Word& word, const StrongUse& now, const StrongRead* mine) {
  if (now.is_volatile && mine != nullptr && judge_update(word, *mine)) return;
  if (now.is_volatile && (word.users & kind_of(now.thread())) == 0) judge_blind(word, now);
  judge_order(word, {word.last, true}, {now, true});
  for (const StrongRead& read : word.reads) {
    judge_order(word, {read, false}, {now, true});
    judge_order(word, {read.earlier, false}, {now, true});
  }
}

/// The running thread writes what it has read, and another thread's write may come between the two. Where a loop waits
/// for the value, another thread may have found the same one.
bool StrongWords::judge_update(const Word& word, const StrongRead& mine) {
  const StrongWrite* between = nullptr;
  for (const StrongWrite* write : {&word.last, &word.other}) {
    if (!write->is_of_another(mine.thread())) continue;
    const bool since = write->number > mine.number;
    const bool was_seen = mine.seen.cell != 0 && mine.seen.number == write->number;
    const bool same_value = write->has_taken && write->took == mine.value;
    const bool counts = mine.waits ? same_value && (since || was_seen) : (since || was_seen) && is_unordered(*write);
    if (counts && between == nullptr) between = write;
  }
  if (between == nullptr) return false;
  pend(ViolationKind::lost_update, word, {between->first, true}, {mine, false});
  return true;
}

/// The running thread writes without having looked, over what another thread has written.
void StrongWords::judge_blind(const Word& word, const StrongUse& now) {
  const StrongWrite& last = word.last;
  if (!last.is_of_another(now.thread()) || !is_unordered(last)) return;
  if (last.changes && last.before == last.value) return;
  pend(ViolationKind::overwritten, word, {last, true}, {now, true});
}

/// Two accesses that a word of another place was to order, or a lock.
void StrongWords::judge_order(const Word& word, const Part& earlier, const Part& now) {
  const StrongUse& one = earlier.use;
  const StrongUse& other = now.use;
  if (!one.is_of_another(other.thread()) || one.changes || one.waits) return;
  if (!one.is_volatile && !other.is_volatile) return;
  if (!is_unordered(one)) {
    if (!enters_unfenced(one, other)) return;
    const HandOverFound found{.word = one.lock.word,
                              .set_site = words_[place_of(one.lock.word)].last.site,
                              .seen_site = one.lock.site,
                              .is_lock = true,
                              .fenced_before_set = true,
                              .narrow_after_seen = one.entered == Entered::block,
                              .set_by = other.thread()};
    return add(ViolationKind::unfenced, word, now, earlier, found);
  }
  if (breaks_lock(word, earlier, now)) return add(ViolationKind::unlocked, word, earlier, now);
  if (const auto found = observations_.missing_fence(one, word.address))
    add(ViolationKind::unfenced, word, earlier, now, found);
}

/// Whether a write is made without the lock under which its own thread, and another one, read the word.
bool StrongWords::breaks_lock(const Word& word, const Part& one, const Part& other) const {
  const auto is_outside = [this, &word](const Part& write, const StrongUse& inside) {
    if (!write.write || write.use.lock.word != nullptr || !is_lock(inside.lock)) return false;
    const StrongRead* const own = read_of(word, write.use.thread());
    return own != nullptr && own->lock.word == inside.lock.word;
  };
  return is_outside(one, other.use) || is_outside(other, one.use);
}

/// Both are in the critical section of one lock, in which the earlier one is without a fence: its thread could have
/// taken the lock behind the other one.
bool StrongWords::enters_unfenced(const StrongUse& earlier, const StrongUse& now) const {
  if (earlier.lock.word != now.lock.word || !is_lock(earlier.lock)) return false;
  if (locks_[earlier.thread() * kMix >> 56].number == earlier.lock.number) return false;  // not released yet
  const bool same_block = numbering_.block_of(earlier.thread()) == numbering_.block_of(now.thread());
  if (earlier.entered >= (same_block ? Entered::block : Entered::device)) return false;
  return words_[place_of(earlier.lock.word)].address == earlier.lock.word;
}

Side StrongWords::side_of(const Part& part) const {
  return {.thread = part.use.thread(),
          .time = clock_of(part.use.cell),
          .launch = launch_of(part.use.cell),
          .site = part.use.site,
          .write = part.write,
          .strong = true};
}

/// Whether it matters is known when the store that follows is done.
void StrongWords::pend(ViolationKind kind, const Word& word, const Part& earlier, const Part& now) {
  RacingStore store{.address = word.address, .bytes = word.bytes, .before = value_at(word.address, word.bytes)};
  store.kind = kind;
  store.earlier = side_of(earlier);
  store.now = side_of(now);
  stores_.add(store);
  running_.set_plain(false);
}

void StrongWords::add(ViolationKind kind, const Word& word, const Part& earlier, const Part& now,
                      const std::optional<HandOverFound>& hand_over) {
  const Side first = side_of(earlier);
  Violation* const made = log_.add(kind, &first, side_of(now), word.address, word.bytes);
  if (made == nullptr || !hand_over.has_value()) return;
  made->hand_over = hand_over;
  made->hand_over_place = log_.place_of(hand_over->word);
}

}  // namespace warpfiber::check

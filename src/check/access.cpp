// SPDX-License-Identifier: Apache-2.0
// An access against the cells of its words.
#include <algorithm>
#include <bit>
#include <iterator>
#include <mutex>

#include "base/index.hpp"
#include "check/watch.hpp"

namespace warpfiber::check {
namespace {

/// Of the words that launches beside others open.
constinit std::mutex openings[64];

/// Bits for `bytes` bytes of a word from byte `first`.
unsigned byte_bits(unsigned first, unsigned bytes) {
  return ((1U << bytes) - 1) << first;
}

}  // namespace

/// The cells of one word while an access is held against them.
struct Watch::Words {
  explicit Words(std::size_t at) : index(at), notes(shadow.plane(1)[at]) {
    const Cell first = shadow.plane(0)[at];
    cells[count++] = first & ~kMore;
    if ((first & kMore) == 0) return;
    for (unsigned i = 1; i < kCellsOfWord; ++i) {
      const Cell cell = shadow.plane(i + 1)[at];
      if (cell == 0) return;
      cells[count++] = cell & ~kEnough;
    }
  }

  void store() const {
    shadow.plane(0)[index] = cells[0] | (count > 1 ? kMore : 0);
    shadow.plane(1)[index] = notes;
    if (count < 2) return;
    shadow.plane(2)[index] = cells[1];
    shadow.plane(3)[index] = count > 2 ? cells[2] : 0;
  }

  void put(unsigned at, Cell cell, unsigned site, Scope scope) {
    cells[at] = cell;
    notes = (notes & ~mask_of_notes(at)) | put_notes(at, site, scope);
  }

  void remove(unsigned at) {
    for (--count; at < count; ++at) put(at, cells[at + 1], site_of(notes, at + 1), scope_of(notes, at + 1));
  }

  std::size_t index;
  Notes notes;
  unsigned count = 0;
  Cell cells[kCellsOfWord]{};
};

void Watch::access(const void* address, std::size_t bytes, const Use& use, const void* instruction) {
  put_down();
  opened_ = false;
  access_at(address, bytes, use, reached(instruction, own_frame()));
  const bool whole_words = (reinterpret_cast<std::uintptr_t>(address) | bytes) % kWordBytes == 0;
  if (!opened_ || !whole_words || use.strong || !nobody_beside()) return;
  if (SiteLine* line = sites_.known(instruction)) remember(*line, address, objects_[object_], use.write);
}

/// Instructions have lines while no calls lead to them, so that the quick ways (quick.hpp) find those only.
unsigned Watch::reached(const void* instruction, const char* frame) {
  if (const SiteLine* line = sites_.known(instruction)) return line->number();
  if (callers_ == nullptr) return sites_.find(instruction).number();
  const unsigned site = callers_->number(instruction, frame);
  return callers_->is_alone(instruction) ? sites_.find(instruction).number() : site;
}

unsigned Watch::reached(const Site& call, const char* frame) {
  return callers_ == nullptr ? number_of_site(call) : callers_->number(call, frame);
}

/// What the word's first access of the launch has found out holds for the words around it as well, as far as they are
/// of one object and one region, until there are other objects or launches (quick.hpp). Blocks take their shared memory
/// along.
void Watch::remember(SiteLine& line, const void* address, const KnownObject& known, bool write) const {
  if (block_->arena->owns(known.begin) || !shadow.covers(known.begin) || !(known.initialised || write)) return;
  const std::size_t region = memory::Shadow::region_of(shadow.index_of(address));
  const std::size_t begin = shadow.index_of(known.begin + kWordBytes - 1);
  const std::size_t end = begin + static_cast<std::size_t>(known.end - shadow.address_of(begin)) / kWordBytes;
  line.first_word = std::max(begin, region);
  line.words = static_cast<std::uint32_t>(std::min(end, region + memory::Shadow::kRegionWords) - line.first_word);
  line.generation = static_cast<std::uint32_t>(objects_generation_);
}

void Watch::access_at(const void* address, std::size_t bytes, const Use& use, unsigned site) {
  here();
  access_now(address, bytes, use, site);
}

void Watch::access_now(const void* address, std::size_t bytes, const Use& use, unsigned site) {
  refused_ = false;
  if (!racing_stores_.none()) judge_racing_stores(use);
  if (every_access_) settle_store();
  if (bad_indices_.waits()) [[unlikely]]
    follow_bad_index(address, bytes, use, site);
  const auto* at = static_cast<const char*>(address);
  if (clusters_) visit(at, use, site);
  fresh_bytes_ = 0;
  const std::size_t all = bytes;
  while (bytes > 0) {
    const auto first = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(at) % kWordBytes);
    const auto part = static_cast<unsigned>(std::min<std::size_t>(kWordBytes - first, bytes));
    word(shadow.index_of(at), byte_bits(first, part), use, site);
    at += part;
    bytes -= part;
  }
  // What is only partly written may be a structure with padding, which copies read. What others may yet write without
  // order is a race, which is found when they do.
  if (fresh_bytes_ == all && alone_)
    add_case(Hazard::uninitialised, nullptr, side_now(use, site), address, fresh_bytes_);
  if (refused_) [[unlikely]]
    note_overrun(static_cast<const char*>(address), all);
  if (every_access_ && use.write && !refused_) begin_store(address, all);
  set_plain(!clusters_ && !refused_ && racing_stores_.none() && !bad_indices_.waits());
  if (bad_indices_.waits()) [[unlikely]]
    new_time();
}

void Watch::word(std::size_t index, unsigned bytes, const Use& use, unsigned site) {
  const Cell first = shadow.plane(0)[index];
  if (first != 0 && launch_of(first) == launch_) {
    add_to(index, bytes, use, site);
    return;
  }
  // Of two launches on two OS threads, the second one finds what the first one leaves here.
  std::unique_lock<std::mutex> turn;
  if (!nobody_beside()) turn = std::unique_lock(openings[index % std::size(openings)]);
  unsigned initialised_bytes = 0;
  if (!open(index, bytes, use, site, initialised_bytes)) return;
  shadow.plane(0)[index] = cell_of(bytes, use);
  shadow.plane(1)[index] = notes_for(site, use.scope) | initialised(initialised_bytes);
}

/// The first access of the launch to a word: is there such memory, does it hold anything? False if there is none: then
/// no cell is left behind.
bool Watch::open(std::size_t index, unsigned bytes, const Use& use, unsigned site, unsigned& initialised_bytes) {
  const char* address = shadow.address_of(index) + std::countr_zero(bytes);
  const auto size = static_cast<unsigned>(std::popcount(bytes));
  if (!inside_object(address, size, use, site)) return false;
  shadow.touch(index);
  initialised_bytes = objects_[object_].initialised ? byte_bits(0, kWordBytes) : 0;
  if (const Cell first = shadow.plane(0)[index]; first != 0) {
    const Notes notes = shadow.plane(1)[index];
    initialised_bytes |= initialised_of(notes);
    if (!nobody_beside()) hold_against_launches(index, first, notes, use, site);
  }
  const unsigned fresh = bytes & ~initialised_bytes;
  if (fresh != 0 && use.read) hold_against_host(index, fresh);
  initialised_bytes |= bytes;
  opened_ = true;
  return true;
}

/// A change by an atomic that reaches the device, to a whole word that was last another such change's, whose place it
/// takes, or a plain write's, beside which it is kept (add_to). The running thread has to know of that write. False if
/// it is anything else.
bool Watch::repeat_atomic(const void* address, const Use& use, const void* instruction) {
  const std::size_t index = shadow.index_of_whole(address);
  if (every_access_ || !plain_ || index >= shadow.words() || use.scope < Scope::device) return false;
  here();
  const SiteLine& line = sites_.line(instruction);
  const Cell mine = segment_.cell | kWrite | kStrong;
  constexpr Cell kKind = kStrong | kWrite | kAllBytes;
  Cell& first = shadow.plane(0)[index];
  if (line.instruction != instruction || launch_of(first ^ mine) != 0) return false;
  Notes& notes = shadow.plane(1)[index];
  const bool after_write = (first & kKind) == (kWrite | kAllBytes);
  const unsigned at = after_write ? 1 : 0;
  Cell& last = after_write ? shadow.plane(2)[index] : first;
  const bool is_first = after_write && (first & kMore) == 0;  // such change
  if (!is_first && ((last & kKind) != kKind || scope_of(notes, at) < Scope::device)) return false;
  if (after_write) {
    if (clock_of(first) == kPendingClock || !knows(first & ~kMore)) return false;
    if (!is_first && shadow.plane(3)[index] != 0) return false;
  } else if ((first & kMore) != 0) {
    return false;
  }
  if (is_first) shadow.plane(3)[index] = 0;
  last = mine;
  if (is_first) first |= kMore;
  notes = (notes & ~mask_of_notes(at)) | put_notes(at, line.number(), use.scope);
  return true;
}

Cell Watch::cell_of(unsigned bytes, const Use& use) const {
  return (segment_.cell & ~kAllBytes) | of_bytes(bytes) | (use.write ? kWrite : 0) | (use.strong ? kStrong : 0);
}

bool Watch::knows(Cell cell) const {
  const std::uint64_t thread = thread_of(cell);
  if (thread == segment_.thread()) return true;
  const std::uint32_t time = clock_of(cell);
  const std::uint64_t block = thread >> thread_bits_;
  const BlockClocks& clocks = block_->clocks;
  if (block == segment_.thread() >> thread_bits_) {
    if (time <= segment_.known) return true;
    if (time <= segment_.known_of_warp && warp_of(cell) == segment_.warp) return true;
  } else {
    if (time <= clocks.known_of_grid()) return true;
    if (clusters_ && time <= clocks.known_of_cluster() && cluster_of(block) == block_->cluster) return true;
  }
  return clocks.knows(rank_here(), who_of(thread), time);
}

Who Watch::who_of(std::uint64_t thread) const {
  const auto rank = static_cast<unsigned>(thread & ((1U << thread_bits_) - 1));
  const unsigned warp = warp_of_rank(rank);
  return {thread >> thread_bits_, warp, rank - warp * shape_.warp_size};
}

/// Whether an atomic at `scope` by the running thread reaches the one that `cell` is of, and the other way round.
bool Watch::reaches(Scope scope, const Watch& watch, Cell cell) {
  if (scope >= Scope::device) return true;
  const std::uint64_t other = thread_of(cell) >> watch.thread_bits_;
  if (other == watch.segment_.thread() >> watch.thread_bits_) return true;
  return scope == Scope::cluster && watch.cluster_of(other) == watch.block_->cluster;
}

bool Watch::conflicts(Cell cell, Scope scope, const Use& use) const {
  if (!is_write(cell) && !use.write) return false;
  if (!is_strong(cell) || !use.strong) return true;
  return !reaches(std::min(scope, use.scope), *this, cell);
}

/// What is left of a word after an access: whatever can still be in conflict with a later one.
void Watch::add_to(std::size_t index, unsigned bytes, const Use& use, unsigned site) {
  Words words(index);
  const Cell mine = cell_of(bytes, use);
  if (const unsigned fresh = bytes & ~initialised_of(words.notes); fresh != 0) {
    if (use.read) hold_against_host(index, fresh);
    words.notes |= initialised(bytes);
  }
  bool add = true;
  for (unsigned i = 0; i < words.count;) {
    const Cell cell = words.cells[i];
    const unsigned both = bytes_of(cell) & bytes;
    if (both == 0) {
      ++i;
      continue;
    }
    const bool pending = clock_of(cell) == kPendingClock;
    const bool ordered = !pending && knows(cell);
    const bool conflict =
        !ordered && (pending ? is_write(cell) || use.write : conflicts(cell, scope_of(words.notes, i), use));
    if (conflict) race(index, cell, words.notes, i, use, site);
    // A cell that nobody can be in conflict with who is not in conflict with this access as well.
    const bool weaker = (use.write || !is_write(cell)) && (!use.strong || is_strong(cell));
    const bool within = (bytes_of(cell) & ~bytes) == 0;
    // An atomic that reads what others of its word have left comes after them: nothing of its thread, or of those that
    // it tells, is in conflict with them any more.
    const bool followed = use.read && use.write && use.strong && is_strong(cell) && !conflict;
    if ((ordered || followed || conflict) && !pending && weaker && within) {
      words.remove(i);
      continue;
    }
    const bool same_time = ((cell ^ mine) & ~(kAllBytes | kWrite)) == 0;
    if (same_time && (bytes & ~bytes_of(cell)) == 0 && (is_write(cell) || !use.write)) add = false;
    ++i;
  }
  if (add && make_room(words, mine)) words.put(words.count++, mine, site, use.scope);
  words.store();
}

/// All places are taken: gives up the one that matters least. False if that would be the new one's: of cells that do
/// the same, two are enough, and they are to be as far apart as possible.
bool Watch::make_room(Words& words, Cell mine) const {
  if (words.count < kCellsOfWord) return true;
  constexpr Cell kWhat = kWrite | kStrong;
  unsigned alike[kCellsOfWord];
  unsigned count = 0;
  for (unsigned i = 0; i < kCellsOfWord; ++i) {
    if (((words.cells[i] ^ mine) & kWhat) == 0 && clock_of(words.cells[i]) != kPendingClock) alike[count++] = i;
  }
  if (count >= 2) {
    const unsigned one = alike[count - 2];
    const unsigned other = alike[count - 1];
    const unsigned to_one = distance(words.cells[one], mine);
    const unsigned to_other = distance(words.cells[other], mine);
    if (distance(words.cells[one], words.cells[other]) >= std::max(to_one, to_other)) return false;
    words.remove(to_one < to_other ? one : other);
    return true;
  }
  unsigned victim = kCellsOfWord - 1;
  while (victim > 0 && is_write(words.cells[victim])) --victim;
  words.remove(victim);
  return true;
}

/// 0: the same warp, 1: the same block, 2: another.
unsigned Watch::distance(Cell one, Cell other) const {
  if (thread_of(one) >> thread_bits_ != thread_of(other) >> thread_bits_) return 2;
  return warp_of(one) == warp_of(other) ? 0 : 1;
}

}  // namespace warpfiber::check

// SPDX-License-Identifier: Apache-2.0
// The commonest accesses, told in a few instructions: whole words that the launch uses for the first time, or that the
// block has used before in ways that its barriers order. Everything else is for access.cpp, which comes to the same
// cells. Beside tests only hooks.cpp includes this. An access goes from one function to the next by jumps, and none of
// them calls another, so that no register has to be saved.
#pragma once

#include "check/watch.hpp"
#include "memory/objects.hpp"

namespace warpfiber::check {

/// The segment of the next thread of a row and a warp, from that of one before it.
inline bool Watch::step_segment() {
  Segment& now = segment_;
  const unsigned step = threadIdx.x - now.index.x;
  if (step > now.lanes_left || now.index.y != threadIdx.y || now.index.z != threadIdx.z) return false;
  now.index.x += step;
  now.lanes_left -= step;
  now.cell += Cell{step} << kThreadShift;
  return true;
}

/// The running thread's segment begins with its access, unless more than that is to be done before it.
inline bool Watch::begin_plainly() {
  if (every_access_ || !plain_) return false;
  begin_segment();
  return true;
}

/// The launch has not used the word before whose first cell this is.
inline bool Watch::is_new(Cell first, Cell mine) {
  return launch_of(first ^ mine) != 0;
}

/// Whether the word is one of those that the last access by its instruction found out about.
inline bool Watch::is_remembered(std::size_t index, const SiteLine& line) {
  return index - line.first_word < line.words &&
         line.generation == static_cast<std::uint32_t>(memory::objects_generation());
}

inline void Watch::begin_word(std::size_t index, Cell mine, bool write, Notes notes) {
  shadow.plane(0)[index] = mine | (write ? kWrite : 0);
  shadow.plane(1)[index] = notes;
}

/// The object of the word where it was looked up lately, and the word holds something or is written; else null.
inline const Watch::KnownObject* Watch::known_object_of(std::size_t index, Cell first, bool write) const {
  if (!nobody_beside() || objects_generation_ != memory::objects_generation()) return nullptr;
  const KnownObject* known = known_object(shadow.address_of(index), kWordBytes);
  if (known == nullptr) return nullptr;
  constexpr Notes kAll = initialised((1U << kWordBytes) - 1);
  if (!write && !known->initialised && (first == 0 || (shadow.plane(1)[index] & kAll) != kAll)) return nullptr;
  shadow.touch(index);
  return known;
}

/// Whether the access is of the running thread, whose cells are like `mine`, or before a barrier of the block or the
/// grid that both have passed. The segment may be that of another lane that knows the same.
inline bool Watch::is_settled(Cell cell, Cell mine) const {
  constexpr Cell kThread = kThreadMask << kThreadShift;
  const Cell other = cell ^ mine;
  if ((other & kThread) == 0) return clock_of(cell) != kPendingClock;
  return clock_of(cell) <= ((other & kThread & of_block_) == 0 ? segment_.known : segment_.known_of_grid);
}

/// Whether the access is to a word that accesses were counted of or are going to be, or is not the one that its
/// instruction's counter waits for, as in a loop: then no thread's would be but its first.
inline bool Watch::ends_series(std::size_t index, std::ptrdiff_t counter) const {
  if (counter != 0 && *counter_at(counter) != detail::counted_nothing) return true;
  return series_.may_come_to(index) && series_.comes_to(index, threads_);
}

/// The same for several words, told by an instruction that has no counter.
inline bool Watch::ends_series(std::size_t index, unsigned words) const {
  if (series_.none()) return false;
  for (unsigned i = 0; i < words; ++i) {
    if (series_.may_come_to(index + i) && series_.comes_to(index + i, threads_)) return true;
  }
  return false;
}

/// A write after which nothing of what was there before matters any more.
inline bool Watch::overwrite(std::size_t index, Cell mine, Notes notes) {
  const Cell first = shadow.plane(0)[index];
  if (!is_settled(first, mine)) return false;
  if ((first & kMore) != 0) {
    const Cell third = shadow.plane(3)[index];
    if (!is_settled(shadow.plane(2)[index], mine) || (third != 0 && !is_settled(third, mine))) return false;
  }
  begin_word(index, mine, true, notes);
  return true;
}

/// A read of what a thread of the block has written before a barrier, or of what nobody writes: it is kept beside what
/// is there, if it is needed.
inline bool Watch::add_read(std::size_t index, Cell mine, unsigned site) {
  constexpr Cell kKind = kStrong | kWrite | kAllBytes;
  const Cell first = shadow.plane(0)[index];
  if ((first & (kStrong | kAllBytes)) != kAllBytes) return false;
  Cell& second = shadow.plane(2)[index];
  Cell& third = shadow.plane(3)[index];
  if ((first & kMore) != 0) {
    if ((second & kKind) == kKind) return add_read_of_atomics(index, mine, site);
    if ((second & kKind) != kAllBytes || (third != 0 && (third & kKind) != kAllBytes)) return false;
  }
  const bool settled = is_settled(first, mine);
  if (settled && !is_write(first)) {
    shadow.plane(0)[index] = mine | (first & kMore);
    return note_read(index, 0, site);
  }
  if (!settled && is_write(first)) return false;
  if ((first & kMore) == 0) {
    second = mine;
    third = 0;
    shadow.plane(0)[index] = first | kMore;
    return note_read(index, 1, site);
  }
  if (is_settled(second, mine)) {
    second = mine;
    third &= ~kEnough;
    return note_read(index, 1, site);
  }
  if (third == 0 || is_settled(third, mine)) return put_third_read(index, mine, site);
  return add_third_read(index, mine, site);
}

/// A read of what atomics have made of a word that was written before them, as the bins of a histogram.
inline bool Watch::add_read_of_atomics(std::size_t index, Cell mine, unsigned site) {
  Cell& third = shadow.plane(3)[index];
  if (third != 0 || !is_settled(shadow.plane(0)[index], mine) || !is_settled(shadow.plane(2)[index], mine))
    return false;
  third = mine;
  return note_read(index, 2, site);
}

/// Two reads are kept already. They are to be of different blocks where nobody writes, else of different warps.
inline bool Watch::add_third_read(std::size_t index, Cell mine, unsigned site) {
  const Cell second = shadow.plane(2)[index] ^ mine;
  const Cell third = shadow.plane(3)[index] ^ mine;
  if (((second | third) & of_block_ & ~kEnough) != 0) {
    if (is_write(shadow.plane(0)[index])) return false;
    if (((second ^ third) & of_block_ & ~kEnough) == 0) return put_third_read(index, mine, site);
    return mark_blocks(index);
  }
  if (warp_shift_ == 0) return false;
  const Cell warp = of_warp_ & ~of_time_;
  if (((second ^ third) & warp) != 0 || (second & warp) == 0) return true;
  return put_third_read(index, mine, site);
}

/// The second and the third cell are reads by different blocks. False if the running thread knows of them.
inline bool Watch::mark_blocks(std::size_t index) {
  Cell& second = shadow.plane(2)[index];
  Cell& third = shadow.plane(3)[index];
  if (!are_unknown(second, third)) return false;
  second &= ~kEnough;
  third |= kEnough;
  return true;
}

/// The read becomes the third cell, and the cells say which others need not be kept.
inline bool Watch::put_third_read(std::size_t index, Cell mine, unsigned site) {
  const Cell first = shadow.plane(0)[index];
  Cell& second = shadow.plane(2)[index];
  const Cell other = second ^ mine;
  const bool known =
      !is_write(first) || (((first ^ mine ^ kWrite) & of_block_ & ~kMore) == 0 && clock_of(first) <= segment_.known);
  const bool enough = known && (other & of_time_ & ~kEnough) == 0;
  const bool spread = (other & of_warp_ & ~of_time_) != 0;
  const bool apart = !is_write(first) && (other & of_block_ & ~kEnough) != 0;
  second = (second & ~kEnough) | (enough ? kEnough : 0);
  shadow.plane(3)[index] = mine | ((enough && spread) || apart ? kEnough : 0);
  return note_read(index, 2, site);
}

inline bool Watch::note_read(std::size_t index, unsigned cell, unsigned site) {
  std::uint64_t& notes = shadow.plane(1)[index];
  notes = (notes & ~mask_of_notes(cell)) | put_notes(cell, site, Scope::device);
  return true;
}

/// A plain access to a whole word. access() tells it or leaves that to others, which begin with End::begin() and end
/// with End::told(), or with End::access(address, instruction) where Watch::access() has to be told. Where begin() is
/// false nothing has been done. End::again() calls access_again(). `counter` is where the instruction counts
/// (series.hpp), from the OS thread's own pointer; 0: nowhere.
template <class End, bool kWrite>
class Quick {
 public:
  /// Between its look at the word and what it leaves there nobody may take the running thread's place: as it says that
  /// to nobody, its caller is code that ticks leave alone.
  static inline __attribute__((always_inline)) void access(std::size_t index, const void* instruction, Watch* watch,
                                                           std::ptrdiff_t counter = 0) {
    if (!watch->series_.none() && watch->ends_series(index, counter)) [[unlikely]]
      return put_down(index, instruction, watch, counter);
    const std::uint64_t number = Lanes::number_of(threadIdx);
    const std::uint64_t lane = number - watch->lanes_.first;
    if (lane >= watch->lanes_.count) [[unlikely]]
      return step(index, instruction, watch, counter);
    const Cell mine = watch->lanes_.cell + (lane << kThreadShift);
    const Cell first = shadow.plane(0)[index];
    const bool is_new = Watch::is_new(first, mine);
    if (is_new || (kWrite && first == mine)) [[likely]] {
      const SiteLine& line = watch->sites_.line(instruction);
      if (line.instruction == instruction && (!is_new || Watch::is_remembered(index, line))) [[likely]] {
        Watch::begin_word(index, mine, kWrite, line.notes);
        if (counter != 0 && number == 0) [[unlikely]]
          return may_count(index, instruction, watch, counter);
        return;
      }
      go_on(index, instruction, watch, counter);
    } else if (!Watch::is_repeated(first, kWrite, mine)) {
      End::template again<kWrite>(index, instruction, watch, counter);
    }
  }

  /// What access() comes to where the launch has used the word before, on the same conditions. A function of its own
  /// calls it, so that access() needs few registers.
  static inline __attribute__((always_inline)) void access_again(std::size_t index, const void* instruction,
                                                                 Watch* watch, std::ptrdiff_t counter) {
    const std::uint64_t lane = Lanes::number_of(threadIdx) - watch->lanes_.first;
    const Cell mine = watch->lanes_.cell + (lane << kThreadShift);
    const SiteLine& line = watch->sites_.line(instruction);
    if (line.instruction == instruction && use_again(index, mine, watch, line.notes)) return;
    go_on(index, instruction, watch, counter);
  }

  /// Whether `words` words need no more reads, as far as that is seen at once. It changes nothing. Nothing has been
  /// counted of such words: those of a series are of one thread each.
  static inline __attribute__((always_inline)) bool has_enough(std::size_t index, unsigned words, const Watch* watch) {
    if (kWrite || Lanes::number_of(threadIdx) - watch->lanes_.first >= watch->lanes_.count) return false;
    for (unsigned i = 0; i < words; ++i) {
      if (!watch->has_enough_reads(index + i, watch->lanes_.enough)) return false;
    }
    return true;
  }

  /// The same where ticks come at any time; nothing may have been counted.
  __attribute__((noinline)) static void step(std::size_t index, const void* instruction, Watch* watch,
                                             std::ptrdiff_t counter = 0) {
    if (watch->is_current() && watch->changes_nothing(index, kWrite, watch->segment_.cell)) return;
    if (!End::begin()) [[unlikely]]
      return End::template access<kWrite>(shadow.address_of(index), instruction);
    if (!watch->is_current() && !watch->step_segment()) return begin(index, instruction, watch, counter);
    tell_change(index, instruction, watch, counter);
  }

 private:
  template <class, bool, unsigned>
  friend class QuickWords;

  static inline __attribute__((always_inline)) bool use_again(std::size_t index, Cell mine, Watch* watch, Notes notes) {
    return kWrite ? watch->overwrite(index, mine, notes) : watch->add_read(index, mine, site_of(notes, 0));
  }

  __attribute__((noinline)) static void put_down(std::size_t index, const void* instruction, Watch* watch,
                                                 std::ptrdiff_t counter) {
    if (!End::begin()) [[unlikely]]
      return End::template access<kWrite>(shadow.address_of(index), instruction);
    watch->put_down_series();
    End::leave_hook();
    step(index, instruction, watch, counter);
  }

  /// The access has been told.
  __attribute__((noinline)) static void may_count(std::size_t index, const void* instruction, Watch* watch,
                                                  std::ptrdiff_t counter) {
    if (End::begin()) count(index, instruction, watch, counter);
  }
  __attribute__((noinline)) static void count(std::size_t index, const void* instruction, Watch* watch,
                                              std::ptrdiff_t counter) {
    if (const SiteLine* line = watch->sites_.known(instruction)) {
      const std::size_t alike = Watch::is_remembered(index, *line) ? line->first_word + line->words - index : 0;
      watch->begin_series(index, alike, line->notes, kWrite, counter);
    }
    End::leave_hook();
  }

  /// The running thread is one of the lanes.
  __attribute__((noinline)) static void go_on(std::size_t index, const void* instruction, Watch* watch,
                                              std::ptrdiff_t counter) {
    if (!End::begin()) [[unlikely]]
      return End::template access<kWrite>(shadow.address_of(index), instruction);
    if (!watch->is_current() && !watch->step_segment()) return leave(index, instruction);
    tell(index, instruction, watch, counter);
  }

  static inline __attribute__((always_inline)) void tell_change(std::size_t index, const void* instruction,
                                                                Watch* watch, std::ptrdiff_t counter) {
    if (watch->changes_nothing(index, kWrite, watch->segment_.cell)) return End::leave_hook();
    tell(index, instruction, watch, counter);
  }

  /// The access changes something.
  static inline __attribute__((always_inline)) void tell(std::size_t index, const void* instruction, Watch* watch,
                                                         std::ptrdiff_t counter) {
    const SiteLine& line = watch->sites_.line(instruction);
    if (line.instruction != instruction || !watch->plain_) [[unlikely]]
      return leave(index, instruction);
    const Cell first = shadow.plane(0)[index];
    const bool read_last = kWrite && first == watch->segment_.cell;
    if (!read_last) {
      if (!Watch::is_new(first, watch->segment_.cell)) return again(index, instruction, watch, line.notes);
      if (!Watch::is_remembered(index, line)) [[unlikely]]
        return open(index, instruction, watch, counter);
    }
    Watch::begin_word(index, watch->segment_.cell, kWrite, line.notes);
    told(index, instruction, watch, counter);
  }

  /// The launch's first access to the word is told.
  static inline __attribute__((always_inline)) void told(std::size_t index, const void* instruction, Watch* watch,
                                                         std::ptrdiff_t counter) {
    if (counter != 0 && Lanes::number_of(threadIdx) == 0) [[unlikely]]
      return count(index, instruction, watch, counter);
    End::leave_hook();
  }

  /// The launch has used the word before.
  __attribute__((noinline)) static void again(std::size_t index, const void* instruction, Watch* watch, Notes notes) {
    if (!use_again(index, watch->segment_.cell, watch, notes)) return leave(index, instruction);
    End::leave_hook();
  }

  /// The running thread's segment does not follow from the last one's.
  __attribute__((noinline)) static void begin(std::size_t index, const void* instruction, Watch* watch,
                                              std::ptrdiff_t counter) {
    if (!watch->begin_plainly()) return leave(index, instruction);
    tell_change(index, instruction, watch, counter);
  }

  /// Nobody remembers what object the word is of.
  __attribute__((noinline)) static void open(std::size_t index, const void* instruction, Watch* watch,
                                             std::ptrdiff_t counter) {
    const Watch::KnownObject* known = watch->known_object_of(index, shadow.plane(0)[index], kWrite);
    if (known == nullptr) return leave(index, instruction);
    SiteLine& line = watch->sites_.find(instruction);
    Watch::begin_word(index, watch->segment_.cell, kWrite, line.notes);
    watch->remember(line, shadow.address_of(index), *known, kWrite);
    told(index, instruction, watch, counter);
  }

  static inline __attribute__((always_inline)) void leave(std::size_t index, const void* instruction) {
    End::leave_hook();
    End::template access<kWrite>(shadow.address_of(index), instruction);
  }
};

}  // namespace warpfiber::check

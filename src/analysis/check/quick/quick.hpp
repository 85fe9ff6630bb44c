// SPDX-License-Identifier: Apache-2.0
// The commonest accesses, put into the shadow in a few instructions: whole words that the launch uses for the first
// time, or that the block has used before in ways that its barriers order. Everything else is for
// launch/launch_checker.cpp, which comes to the same cells. Apart from tests only hooks.cpp includes this. An access
// goes from one function to the next by jumps, and none of them calls another, so that no register has to be saved.
#pragma once

#include "check/launch/launch_checker.hpp"
#include "memory/objects.hpp"

namespace warpfiber::check {

inline bool add_read_of_atomics(const RunningThread& now, std::size_t index, Cell mine, unsigned site);
inline bool add_third_read(const RunningThread& now, std::size_t index, Cell mine, unsigned site);
inline bool put_third_read(const RunningThread& now, std::size_t index, Cell mine, unsigned site);
inline __attribute__((always_inline)) bool mark_blocks(const RunningThread& now, std::size_t index);
inline bool note_read(std::size_t index, unsigned cell, unsigned site);

/// The launch has not used the word before whose first cell this is.
inline bool is_new_word(Cell first, Cell mine) {
  return launch_of(first ^ mine) != 0;
}

/// Whether the word is one of those that the last access by its instruction found out about.
inline bool is_remembered(std::size_t index, const SiteLine& line) {
  return index - line.first_word < line.words &&
         line.generation == static_cast<std::uint32_t>(memory::objects_generation());
}

inline void begin_word(std::size_t index, Cell mine, bool write, Notes notes) {
  WordView(index).begin(mine | (write ? kWrite : 0), notes);
}

/// The object of the word where it was looked up lately, and the word holds something or is written; else null.
inline const KnownObject* known_object_of(const LaunchChecker& checker, std::size_t index, Cell first, bool write) {
  if (!checker.identity().is_alone() || checker.bounds().generation() != memory::objects_generation()) return nullptr;
  const KnownObject* known = checker.bounds().known(shadow.address_of(index), kWordBytes);
  if (known == nullptr) return nullptr;
  constexpr Notes kAll = initialised((1U << kWordBytes) - 1);
  if (!write && !known->initialised && (first == 0 || (WordView(index).notes() & kAll) != kAll)) return nullptr;
  shadow.touch(index);
  return known;
}

/// A write after which nothing of what was there before matters any more.
inline bool overwrite(const RunningThread& now, std::size_t index, Cell mine, Notes notes) {
  const WordView word(index);
  const Cell first = word.first();
  if (!now.is_settled(first, mine)) return false;
  if (has_more(first)) {
    const Cell third = word.third();
    if (third != 0 && (word.has_further() || !now.is_settled(third, mine))) return false;
    if (!now.is_settled(word.second(), mine)) return false;
  }
  word.begin(mine | kWrite, notes);
  return true;
}

/// A read of what a thread of the block has written before a barrier, or of what nobody writes: it is kept next to what
/// is there, if it is needed.
inline bool add_read(const RunningThread& now, std::size_t index, Cell mine, unsigned site) {
  constexpr Cell kKind = kStrong | kWrite | kAllBytes;
  const WordView word(index);
  const Cell first = word.first();
  if ((first & (kStrong | kAllBytes)) != kAllBytes) return false;
  if (has_more(first)) {
    if ((word.second() & kKind) == kKind) return add_read_of_atomics(now, index, mine, site);
    if ((word.second() & kKind) != kAllBytes || (word.third() != 0 && (word.third() & kKind) != kAllBytes))
      return false;
  }
  const bool settled = now.is_settled(first, mine);
  if (settled && !is_write(first)) {
    word.put_first(mine);
    return note_read(index, 0, site);
  }
  if (!settled && is_write(first)) return false;
  if (!has_more(first)) {
    word.add_second(mine);
    return note_read(index, 1, site);
  }
  if (now.is_settled(word.second(), mine)) {
    word.put_second(mine);
    return note_read(index, 1, site);
  }
  if (word.third() == 0 || now.is_settled(word.third(), mine)) return put_third_read(now, index, mine, site);
  return add_third_read(now, index, mine, site);
}

/// A read of what atomics have made of a word that was written before them, as the bins of a histogram.
inline bool add_read_of_atomics(const RunningThread& now, std::size_t index, Cell mine, unsigned site) {
  const WordView word(index);
  if (!now.is_settled(word.first(), mine) || !now.is_settled(word.second(), mine)) return false;
  if (const Cell third = word.third(); third != 0) {
    // Of two that are both before the read the last one is enough: who does not know the other does not know it either.
    constexpr Cell kKind = kStrong | kWrite | kAllBytes;
    if (word.has_further() || (third & kKind) != kKind || !now.is_settled(third, mine)) return false;
    word.put_second(without_tag(third));
    word.note(1, site_of(word.notes(), 2), scope_of(word.notes(), 2));
  }
  word.put_third(mine, WordState::more_cells);
  return note_read(index, 2, site);
}

/// Two reads are kept already. They are to be of different blocks where nobody writes, else of different warps.
inline bool add_third_read(const RunningThread& now, std::size_t index, Cell mine, unsigned site) {
  if (now.keeps_all()) return false;
  const WordView word(index);
  const Cell second = without_tag(word.second()) ^ mine;
  const Cell third = without_tag(word.third()) ^ mine;
  if (((second | third) & now.of_block()) != 0) {
    if (is_write(word.first())) return false;
    if (((second ^ third) & now.of_block()) == 0) return put_third_read(now, index, mine, site);
    return mark_blocks(now, index);
  }
  if (!now.has_round_warps()) return false;
  const Cell warp = now.of_warp() & ~now.of_time();
  if (((second ^ third) & warp) != 0 || (second & warp) == 0) return true;
  return put_third_read(now, index, mine, site);
}

/// The second and the third cell are reads by different blocks. False if the running thread knows of them. Always
/// inline for the same reason as Quick::again() is flat.
inline __attribute__((always_inline)) bool mark_blocks(const RunningThread& now, std::size_t index) {
  const WordView word(index);
  if (!now.are_unknown(word.second(), word.third())) return false;
  word.set_state(WordState::enough_of_blocks);
  return true;
}

/// The state of a word whose third cell becomes the running thread's read.
inline WordState state_with_read(const RunningThread& now, Cell first, Cell second, Cell mine) {
  if (now.keeps_all()) return WordState::more_cells;
  const Cell other = second ^ mine;
  const bool known =
      !is_write(first) || (((first ^ mine ^ kWrite) & now.of_block()) == 0 && clock_of(first) <= now.segment().known);
  if (known && (other & now.of_time()) == 0) {
    const bool same_warp = (other & now.of_warp() & ~now.of_time()) == 0;
    return same_warp ? WordState::enough_of_warp : WordState::enough_of_block;
  }
  const bool same_block = (other & now.of_block()) == 0;
  return is_write(first) || same_block ? WordState::more_cells : WordState::enough_of_blocks;
}

/// The read becomes the third cell.
inline bool put_third_read(const RunningThread& now, std::size_t index, Cell mine, unsigned site) {
  const WordView word(index);
  word.put_third(mine, state_with_read(now, without_tag(word.first()), without_tag(word.second()), mine));
  return note_read(index, 2, site);
}

inline bool note_read(std::size_t index, unsigned cell, unsigned site) {
  WordView(index).note(cell, site, Scope::device);
  return true;
}

/// A plain access to a whole word. access() does it or leaves that to others, which begin with End::begin() and end
/// with End::leave_hook(), or with End::access(address, instruction) where LaunchChecker::access() has to do it. Where
/// begin() is false nothing has been done. End::again() calls access_again(). `counter` is where the instruction counts
/// (series.hpp), from the OS thread's own pointer; 0: nowhere.
template <class End, bool kWrite>
class Quick {
 public:
  /// Between its look at the word and what it leaves there nobody may take the running thread's place: it does not
  /// say that it is busy, so its caller is code that ticks leave alone.
  static inline __attribute__((always_inline)) void access(std::size_t index, const void* instruction,
                                                           LaunchChecker* checker, std::ptrdiff_t counter = 0) {
    if (!checker->counted().none() && checker->counted().ends_at(index, counter)) [[unlikely]]
      return flush(index, instruction, checker, counter);
    const std::uint64_t number = LaneRow::number_of(threadIdx);
    const std::uint64_t lane = number - checker->running().row().first;
    if (lane >= checker->running().row().count) [[unlikely]]
      return step(index, instruction, checker, counter);
    const Cell mine = checker->running().row().cell + (lane << kThreadShift);
    const Cell first = shadow.plane(0)[index];
    const bool is_new = is_new_word(first, mine);
    if (is_new || (kWrite && first == mine)) [[likely]] {
      const SiteLine& line = checker->sites().lines().line(instruction);
      if (line.instruction == instruction && (!is_new || is_remembered(index, line))) [[likely]] {
        begin_word(index, mine, kWrite, line.notes);
        if (counter != 0 && number == 0) [[unlikely]]
          return may_count(index, instruction, checker, counter);
        return;
      }
      go_on(index, instruction, checker, counter);
    } else if (!RunningThread::is_repeated(first, kWrite, mine)) {
      End::template again<kWrite>(index, instruction, checker, counter);
    }
  }

  /// What access() comes to where the launch has used the word before, on the same conditions. A function of its own
  /// calls it, so that access() needs few registers.
  static inline __attribute__((always_inline)) void access_again(std::size_t index, const void* instruction,
                                                                 LaunchChecker* checker, std::ptrdiff_t counter) {
    const std::uint64_t lane = LaneRow::number_of(threadIdx) - checker->running().row().first;
    const Cell mine = checker->running().row().cell + (lane << kThreadShift);
    const SiteLine& line = checker->sites().lines().line(instruction);
    if (line.instruction == instruction && use_again(index, mine, checker, line.notes)) return;
    go_on(index, instruction, checker, counter);
  }

  /// Whether `words` words need no more reads, as far as that is seen at once. It changes nothing. Nothing has been
  /// counted of such words: those of a series are of one thread each.
  static inline __attribute__((always_inline)) bool has_enough(std::size_t index, unsigned words,
                                                               const LaunchChecker* checker) {
    if (kWrite || LaneRow::number_of(threadIdx) - checker->running().row().first >= checker->running().row().count)
      return false;
    for (unsigned i = 0; i < words; ++i) {
      if (!checker->running().has_enough_reads(index + i, checker->running().row().tagged)) return false;
    }
    return true;
  }

  /// The same where ticks come at any time; nothing may have been counted.
  __attribute__((noinline)) static void step(std::size_t index, const void* instruction, LaunchChecker* checker,
                                             std::ptrdiff_t counter = 0) {
    if (checker->running().is_current() &&
        checker->running().changes_nothing(index, kWrite, checker->running().segment().cell))
      return;
    if (!End::begin()) [[unlikely]]
      return End::template access<kWrite>(shadow.address_of(index), instruction);
    if (!checker->running().is_current() && !checker->running().step_segment())
      return begin(index, instruction, checker, counter);
    report_change(index, instruction, checker, counter);
  }

 private:
  template <class, bool, unsigned>
  friend class QuickWords;

  static inline __attribute__((always_inline)) bool use_again(std::size_t index, Cell mine, LaunchChecker* checker,
                                                              Notes notes) {
    return kWrite ? overwrite(checker->running(), index, mine, notes)
                  : add_read(checker->running(), index, mine, site_of(notes, 0));
  }

  __attribute__((noinline)) static void flush(std::size_t index, const void* instruction, LaunchChecker* checker,
                                              std::ptrdiff_t counter) {
    if (!End::begin()) [[unlikely]]
      return End::template access<kWrite>(shadow.address_of(index), instruction);
    checker->counted().flush();
    End::leave_hook();
    step(index, instruction, checker, counter);
  }

  /// The access has been reported.
  __attribute__((noinline)) static void may_count(std::size_t index, const void* instruction, LaunchChecker* checker,
                                                  std::ptrdiff_t counter) {
    if (End::begin()) count(index, instruction, checker, counter);
  }
  __attribute__((noinline)) static void count(std::size_t index, const void* instruction, LaunchChecker* checker,
                                              std::ptrdiff_t counter) {
    if (const SiteLine* line = checker->sites().lines().known(instruction)) {
      const std::size_t known = is_remembered(index, *line) ? line->first_word + line->words - index : 0;
      checker->counted().begin(index, known, line->notes, kWrite, counter);
    }
    End::leave_hook();
  }

  /// The running thread is one of the lanes.
  __attribute__((noinline)) static void go_on(std::size_t index, const void* instruction, LaunchChecker* checker,
                                              std::ptrdiff_t counter) {
    if (!End::begin()) [[unlikely]]
      return End::template access<kWrite>(shadow.address_of(index), instruction);
    if (!checker->running().is_current() && !checker->running().step_segment()) return leave(index, instruction);
    report(index, instruction, checker, counter);
  }

  static inline __attribute__((always_inline)) void report_change(std::size_t index, const void* instruction,
                                                                  LaunchChecker* checker, std::ptrdiff_t counter) {
    if (checker->running().changes_nothing(index, kWrite, checker->running().segment().cell)) return End::leave_hook();
    report(index, instruction, checker, counter);
  }

  /// The access changes something.
  static inline __attribute__((always_inline)) void report(std::size_t index, const void* instruction,
                                                           LaunchChecker* checker, std::ptrdiff_t counter) {
    const SiteLine& line = checker->sites().lines().line(instruction);
    if (line.instruction != instruction || !checker->running().is_plain()) [[unlikely]]
      return leave(index, instruction);
    const Cell first = shadow.plane(0)[index];
    const bool read_last = kWrite && first == checker->running().segment().cell;
    if (!read_last) {
      if (!is_new_word(first, checker->running().segment().cell)) return again(index, instruction, checker, line.notes);
      if (!is_remembered(index, line)) [[unlikely]]
        return open(index, instruction, checker, counter);
    }
    begin_word(index, checker->running().segment().cell, kWrite, line.notes);
    finish(index, instruction, checker, counter);
  }

  /// The launch's first access to the word is reported.
  static inline __attribute__((always_inline)) void finish(std::size_t index, const void* instruction,
                                                           LaunchChecker* checker, std::ptrdiff_t counter) {
    if (counter != 0 && LaneRow::number_of(threadIdx) == 0) [[unlikely]]
      return count(index, instruction, checker, counter);
    End::leave_hook();
  }

  /// The launch has used the word before. One function (flatten), so that no register is saved for a call.
  __attribute__((noinline, flatten)) static void again(std::size_t index, const void* instruction,
                                                       LaunchChecker* checker, Notes notes) {
    if (!use_again(index, checker->running().segment().cell, checker, notes)) return leave(index, instruction);
    End::leave_hook();
  }

  /// The running thread's segment does not follow from the last one's.
  __attribute__((noinline)) static void begin(std::size_t index, const void* instruction, LaunchChecker* checker,
                                              std::ptrdiff_t counter) {
    if (!checker->running().begin_plainly()) return leave(index, instruction);
    report_change(index, instruction, checker, counter);
  }

  /// Nobody remembers what object the word is of.
  __attribute__((noinline)) static void open(std::size_t index, const void* instruction, LaunchChecker* checker,
                                             std::ptrdiff_t counter) {
    const KnownObject* known = known_object_of(*checker, index, shadow.plane(0)[index], kWrite);
    if (known == nullptr) return leave(index, instruction);
    SiteLine& line = checker->sites().lines().find(instruction);
    begin_word(index, checker->running().segment().cell, kWrite, line.notes);
    checker->remember(line, shadow.address_of(index), *known, kWrite);
    finish(index, instruction, checker, counter);
  }

  static inline __attribute__((always_inline)) void leave(std::size_t index, const void* instruction) {
    End::leave_hook();
    End::template access<kWrite>(shadow.address_of(index), instruction);
  }
};

}  // namespace warpfiber::check

// SPDX-License-Identifier: Apache-2.0
// The commonest accesses to several whole words at once, as of a double or a float4, put into the shadow in a few
// instructions by the rules for one word (quick.hpp). Apart from tests only hooks.cpp includes this. As there,
// functions go on by jumps.
#pragma once

#include "check/quick/quick.hpp"

namespace warpfiber::check {

/// A plain access to `kWords` words that follow each other, of which the first is at `index`. `End` is that of Quick.
template <class End, bool kWrite, unsigned kWords>
class QuickWords {
 public:
  /// Between its look at the words and what it leaves there nobody may take the running thread's place (Quick::access).
  static inline __attribute__((always_inline)) void access(std::size_t index, const void* instruction,
                                                           LaunchChecker* checker) {
    const std::uint64_t lane = LaneRow::number_of(threadIdx) - checker->running().row().first;
    if (lane < checker->running().row().count && checker->counted().none()) [[likely]] {
      const Cell mine = checker->running().row().cell + (lane << kThreadShift);
      if (change_nothing(index, mine, checker)) return;
      const SiteLine& line = checker->sites().lines().line(instruction);
      if (line.instruction == instruction && are_new(index, mine, line)) {
        begin_words(index, mine, line.notes);
        return;
      }
    }
    step(index, instruction, checker);
  }

  /// The same where ticks come at any time.
  __attribute__((noinline)) static void step(std::size_t index, const void* instruction, LaunchChecker* checker) {
    if (!End::begin()) [[unlikely]]
      return End::template access<kWrite>(shadow.address_of(index), instruction, kWords * kWordBytes);
    if (checker->counted().ends_at(index, kWords)) [[unlikely]]
      checker->counted().flush();
    const bool is_here =
        checker->running().is_current() || checker->running().step_segment() || checker->running().begin_plainly();
    if (!is_here) [[unlikely]]
      return leave(index, instruction);
    if (change_nothing(index, checker->running().segment().cell, checker)) return End::leave_hook();
    SiteLine* line = checker->sites().lines().known(instruction);
    if (line == nullptr || !checker->running().is_plain()) [[unlikely]]
      return leave(index, instruction);
    for (unsigned i = 0; i < kWords; ++i) {
      if (!report(index + i, *line, checker)) [[unlikely]]
        return leave(index, instruction);
    }
    End::leave_hook();
  }

 private:
  static inline __attribute__((always_inline)) bool change_nothing(std::size_t index, Cell mine,
                                                                   const LaunchChecker* checker) {
    for (unsigned i = 0; i < kWords; ++i) {
      if (!checker->running().changes_nothing(index + i, kWrite, mine)) return false;
    }
    return true;
  }

  static inline __attribute__((always_inline)) bool are_new(std::size_t index, Cell mine, const SiteLine& line) {
    for (unsigned i = 0; i < kWords; ++i) {
      if (!is_new_word(shadow.plane(0)[index + i], mine)) return false;
    }
    return is_remembered(index, line) && is_remembered(index + kWords - 1, line);
  }

  static inline __attribute__((always_inline)) void begin_words(std::size_t index, Cell mine, Notes notes) {
    for (unsigned i = 0; i < kWords; ++i) begin_word(index + i, mine, kWrite, notes);
  }

  /// False where more is to be reported of the word than can be here. Nothing of it has been reported then.
  static bool report(std::size_t index, SiteLine& line, LaunchChecker* checker) {
    const Cell mine = checker->running().segment().cell;
    if (checker->running().changes_nothing(index, kWrite, mine)) return true;
    const Cell first = shadow.plane(0)[index];
    const bool read_last = kWrite && first == mine;
    if (!read_last && !is_new_word(first, mine)) {
      return Quick<End, kWrite>::use_again(index, mine, checker, line.notes);
    }
    if (!read_last && !is_remembered(index, line)) {
      const KnownObject* known = known_object_of(*checker, index, first, kWrite);
      if (known == nullptr) return false;
      checker->remember(line, shadow.address_of(index), *known, kWrite);
    }
    begin_word(index, mine, kWrite, line.notes);
    return true;
  }

  /// What has been reported of some of the words is the same as is reported of them now.
  static void leave(std::size_t index, const void* instruction) {
    End::leave_hook();
    End::template access<kWrite>(shadow.address_of(index), instruction, kWords * kWordBytes);
  }
};

}  // namespace warpfiber::check

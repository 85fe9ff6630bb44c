// SPDX-License-Identifier: Apache-2.0
// The commonest accesses to several whole words at once, as of a double or a float4, told in a few instructions by the
// rules for one word (quick.hpp). Beside tests only hooks.cpp includes this. As there, functions go on by jumps.
#pragma once

#include "check/quick/quick.hpp"

namespace warpfiber::check {

/// A plain access to `kWords` words that follow each other, of which the first is at `index`. `End` is that of Quick.
template <class End, bool kWrite, unsigned kWords>
class QuickWords {
 public:
  /// Between its look at the words and what it leaves there nobody may take the running thread's place (Quick::access).
  static inline __attribute__((always_inline)) void access(std::size_t index, const void* instruction, Watch* watch) {
    const std::uint64_t lane = Lanes::number_of(threadIdx) - watch->lanes_.first;
    if (lane < watch->lanes_.count && watch->series_.none()) [[likely]] {
      const Cell mine = watch->lanes_.cell + (lane << kThreadShift);
      if (change_nothing(index, mine, watch)) return;
      const SiteLine& line = watch->sites_.line(instruction);
      if (line.instruction == instruction && are_new(index, mine, line)) {
        begin_words(index, mine, line.notes);
        return;
      }
    }
    step(index, instruction, watch);
  }

  /// The same where ticks come at any time.
  __attribute__((noinline)) static void step(std::size_t index, const void* instruction, Watch* watch) {
    if (!End::begin()) [[unlikely]]
      return End::template access<kWrite>(shadow.address_of(index), instruction, kWords * kWordBytes);
    if (watch->ends_series(index, kWords)) [[unlikely]]
      watch->put_down_series();
    const bool is_here = watch->is_current() || watch->step_segment() || watch->begin_plainly();
    if (!is_here) [[unlikely]]
      return leave(index, instruction);
    if (change_nothing(index, watch->segment_.cell, watch)) return End::leave_hook();
    SiteLine* line = watch->sites_.known(instruction);
    if (line == nullptr || !watch->plain_) [[unlikely]]
      return leave(index, instruction);
    for (unsigned i = 0; i < kWords; ++i) {
      if (!tell(index + i, *line, watch)) [[unlikely]]
        return leave(index, instruction);
    }
    End::leave_hook();
  }

 private:
  static inline __attribute__((always_inline)) bool change_nothing(std::size_t index, Cell mine, const Watch* watch) {
    for (unsigned i = 0; i < kWords; ++i) {
      if (!watch->changes_nothing(index + i, kWrite, mine)) return false;
    }
    return true;
  }

  static inline __attribute__((always_inline)) bool are_new(std::size_t index, Cell mine, const SiteLine& line) {
    for (unsigned i = 0; i < kWords; ++i) {
      if (!Watch::is_new(shadow.plane(0)[index + i], mine)) return false;
    }
    return Watch::is_remembered(index, line) && Watch::is_remembered(index + kWords - 1, line);
  }

  static inline __attribute__((always_inline)) void begin_words(std::size_t index, Cell mine, Notes notes) {
    for (unsigned i = 0; i < kWords; ++i) Watch::begin_word(index + i, mine, kWrite, notes);
  }

  /// False where more is to be told of the word than can be here. Nothing of it has been told then.
  static bool tell(std::size_t index, SiteLine& line, Watch* watch) {
    const Cell mine = watch->segment_.cell;
    if (watch->changes_nothing(index, kWrite, mine)) return true;
    const Cell first = shadow.plane(0)[index];
    const bool read_last = kWrite && first == mine;
    if (!read_last && !Watch::is_new(first, mine)) {
      return Quick<End, kWrite>::use_again(index, mine, watch, line.notes);
    }
    if (!read_last && !Watch::is_remembered(index, line)) {
      const Watch::KnownObject* known = watch->known_object_of(index, first, kWrite);
      if (known == nullptr) return false;
      watch->remember(line, shadow.address_of(index), *known, kWrite);
    }
    Watch::begin_word(index, mine, kWrite, line.notes);
    return true;
  }

  /// What has been told of some of the words is the same as is told of them now.
  static void leave(std::size_t index, const void* instruction) {
    End::leave_hook();
    End::template access<kWrite>(shadow.address_of(index), instruction, kWords * kWordBytes);
  }
};

}  // namespace warpfiber::check

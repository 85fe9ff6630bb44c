// SPDX-License-Identifier: Apache-2.0
// The commonest accesses, told in a few instructions: whole words that the launch uses for the first time, or that the
// block has used before in ways that its barriers order. Everything else is for access.cpp, which comes to the same
// cells. Beside tests only hooks.cpp includes this: what is here is inlined into the hooks of words.
#pragma once

#include "check/watch.hpp"
#include "memory/objects.hpp"

namespace warpfiber::check {

/// The segment of the next thread of a row and a warp, from that of one before it.
inline bool Watch::step_segment() {
  Segment& now = segment_;
  const unsigned step = threadIdx.x - now.index.x;
  const bool same_row = now.index.y == threadIdx.y && now.index.z == threadIdx.z;
  if (now.generation != generation_ || !same_row || !now.alike || step > now.lanes_left) return false;
  now.index.x += step;
  now.lanes_left -= step;
  now.rank += step;
  now.thread += step;
  now.cell += Cell{step} << kThreadShift;
  return true;
}

/// Whether that was all there is to do.
inline bool Watch::tell_quickly(std::size_t index, bool write, const void* instruction) {
  if (!is_current() && !step_segment()) return false;
  if (clusters_ || same_value_.has_value()) return false;
  refused_ = false;
  const Cell first = shadow.plane(0)[index];
  constexpr Cell kLaunch = Cell{kLaunches - 1} << kLaunchShift;
  if (((first ^ segment_.cell) & kLaunch) != 0) {
    return nobody_beside() && begin_word(index, first, write, instruction);
  }
  return write ? overwrite(index, first, instruction) : add_read(index, first, instruction);
}

/// The first access of the launch to a word of an object that was looked up last, which holds something or is written.
inline bool Watch::begin_word(std::size_t index, Cell first, bool write, const void* instruction) {
  if (objects_generation_ != memory::objects_generation()) return false;
  const KnownObject* known = known_object(shadow.address_of(index), kWordBytes);
  if (known == nullptr) return false;
  constexpr Notes kAll = initialised((1U << kWordBytes) - 1);
  if (!write && !known->initialised && (first == 0 || (shadow.plane(1)[index] & kAll) != kAll)) return false;
  shadow.touch(index);
  shadow.plane(0)[index] = segment_.cell | (write ? kWrite : 0);
  shadow.plane(1)[index] = notes_for(sites_.number(instruction), Scope::device) | kAll;
  return true;
}

/// Whether the access is of the running thread, or of its block and before a barrier that the thread has passed.
inline bool Watch::is_settled(Cell cell) const {
  const std::uint64_t thread = thread_of(cell);
  if (thread == segment_.thread) return clock_of(cell) != kPendingClock;
  return (thread ^ segment_.thread) >> thread_bits_ == 0 && clock_of(cell) <= segment_.known;
}

/// A write after which nothing of what was there before matters any more.
inline bool Watch::overwrite(std::size_t index, Cell first, const void* instruction) {
  if (!is_settled(first)) return false;
  if ((first & kMore) != 0) {
    const Cell third = shadow.plane(3)[index];
    if (!is_settled(shadow.plane(2)[index]) || (third != 0 && !is_settled(third))) return false;
  }
  shadow.plane(0)[index] = segment_.cell | kWrite;
  shadow.plane(1)[index] = notes_for(sites_.number(instruction), Scope::device) | initialised((1U << kWordBytes) - 1);
  return true;
}

/// A read of what a thread of the block has written before a barrier: it is kept beside the write, if it is needed.
inline bool Watch::add_read(std::size_t index, Cell first, const void* instruction) {
  if ((first & (kStrong | kWrite | kAllBytes)) != (kWrite | kAllBytes) || !is_settled(first)) return false;
  constexpr Cell kKind = kStrong | kWrite | kAllBytes;
  Cell& second = shadow.plane(2)[index];
  Cell& third = shadow.plane(3)[index];
  if ((first & kMore) == 0) {
    second = segment_.cell;
    third = 0;
    shadow.plane(0)[index] = first | kMore;
    return note_read(index, 1, instruction);
  }
  if (((second ^ segment_.cell) & kKind) != 0) return false;
  if (is_settled(second)) {
    second = segment_.cell;
    return note_read(index, 1, instruction);
  }
  if (third == 0 || (((third ^ segment_.cell) & kKind) == 0 && is_settled(third))) {
    third = segment_.cell;
    return note_read(index, 2, instruction);
  }
  return add_third_read(index, second ^ segment_.cell, third ^ segment_.cell, instruction);
}

/// Two reads are kept already, which differ from this one as given: of the block, they are to be of different warps.
inline bool Watch::add_third_read(std::size_t index, Cell second, Cell third, const void* instruction) {
  if (of_warp_ == 0 || ((second | third) & of_block_) != 0) return false;
  if (((second ^ third) & of_warp_) != 0 || (second & of_warp_) == 0) return true;
  shadow.plane(3)[index] = segment_.cell;
  return note_read(index, 2, instruction);
}

inline bool Watch::note_read(std::size_t index, unsigned cell, const void* instruction) {
  std::uint64_t& notes = shadow.plane(1)[index];
  notes = (notes & ~mask_of_notes(cell)) | put_notes(cell, sites_.number(instruction), Scope::device);
  return true;
}

}  // namespace warpfiber::check

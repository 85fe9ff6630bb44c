// SPDX-License-Identifier: Apache-2.0
// The commonest accesses, told in a few instructions: whole words that the block has used before in ways that its
// barriers order. Everything else is for access.cpp, which comes to the same cells.
#include "check/launches.hpp"
#include "check/watch.hpp"
#include "memory/objects.hpp"

namespace warpfiber::check {

void Watch::access_word(std::size_t index, bool write, const void* instruction) {
  next_access();
  if (!clusters_ && !same_value_.has_value()) {
    refused_ = false;
    const Cell first = shadow.plane(0)[index];
    constexpr Cell kLaunch = Cell{kLaunches - 1} << kLaunchShift;
    if (((first ^ segment_.cell) & kLaunch) == 0) {
      if (write ? overwrite(index, first, instruction) : add_read(index, first, instruction)) return;
    } else if (unordered_.empty() && !others_run() && begin_word(index, write, instruction)) {
      return;
    }
  }
  access_now(shadow.address_of(index), kWordBytes, Use{.read = !write, .write = write}, sites_.number(instruction));
}

/// The first access of the launch to a word of an object that was looked up last and is all initialised.
inline bool Watch::begin_word(std::size_t index, bool write, const void* instruction) {
  if (objects_generation_ != memory::objects_generation()) return false;
  const KnownObject* known = known_object(shadow.address_of(index), kWordBytes);
  if (known == nullptr || !known->initialised) return false;
  shadow.touch(index);
  shadow.plane(0)[index] = segment_.cell | (write ? kWrite : 0);
  shadow.plane(1)[index] = notes_for(sites_.number(instruction), Scope::device) | initialised((1U << kWordBytes) - 1);
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
  return false;
}

inline bool Watch::note_read(std::size_t index, unsigned cell, const void* instruction) {
  std::uint64_t& notes = shadow.plane(1)[index];
  notes = (notes & ~mask_of_notes(cell)) | put_notes(cell, sites_.number(instruction), Scope::device);
  return true;
}

}  // namespace warpfiber::check

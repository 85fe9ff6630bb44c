// SPDX-License-Identifier: Apache-2.0
// A shadow cell: one access to a word of four bytes, in 64 bits. A word has three cells and a word of notes about them
// (memory/shadow.hpp); the first cell says whether the others hold anything.
#pragma once

#include <cstdint>

#include "record/memory_access.hpp"

namespace warpfiber::check {

using Cell = std::uint64_t;

inline constexpr unsigned kCellsOfWord = 3;
inline constexpr unsigned kWordBytes = 4;

// From the lowest bit: logical time, thread, launch, whether further cells hold something, bytes, write, strong.
inline constexpr unsigned kClockBits = 20;
inline constexpr unsigned kThreadBits = 28;
inline constexpr unsigned kLaunchBits = 9;
inline constexpr unsigned kThreadShift = kClockBits;
inline constexpr unsigned kLaunchShift = kThreadShift + kThreadBits;
inline constexpr unsigned kMoreShift = kLaunchShift + kLaunchBits;
inline constexpr unsigned kBytesShift = kMoreShift + 1;
inline constexpr unsigned kWriteShift = kBytesShift + kWordBytes;
inline constexpr unsigned kStrongShift = kWriteShift + 1;
static_assert(kStrongShift == 63);

/// The time of an asynchronous copy that nobody has waited for; no thread ever gets as far.
inline constexpr std::uint32_t kPendingClock = (1U << kClockBits) - 1;
inline constexpr std::uint64_t kThreadMask = (std::uint64_t{1} << kThreadBits) - 1;
inline constexpr unsigned kLaunches = 1U << kLaunchBits;  // number 0: everything before what is still distinguished
inline constexpr Cell kMore = Cell{1} << kMoreShift;
inline constexpr Cell kWrite = Cell{1} << kWriteShift;
inline constexpr Cell kStrong = Cell{1} << kStrongShift;
inline constexpr Cell kAllBytes = Cell{(1U << kWordBytes) - 1} << kBytesShift;

/// The second and the third cell need no bit for further ones. There it says that some reads need not be kept any more.
/// In the second: those by its warp at its time. The first cell is then a write that all of the block know, or a read,
/// and the second and the third are reads by the block at one time. In both: those by the block at that time, because
/// the second and the third are of different warps. In the third only: all by threads that know neither, because they
/// are reads by different blocks and the first cell is a read as well; whoever writes is in conflict with one of them.
/// All this holds while threads meet whole warps, blocks and grids only. Where they may meet or wait for others, every
/// access is kept (races/further_accesses.hpp), and the third cell says that there are more of its word.
inline constexpr Cell kEnough = kMore;

constexpr std::uint32_t clock_of(Cell cell) {
  return static_cast<std::uint32_t>(cell) & kPendingClock;
}
/// The thread's number in its launch: its block's rank shifted by Shape::thread_bits, and its rank in the block.
constexpr std::uint64_t thread_of(Cell cell) {
  return cell >> kThreadShift & kThreadMask;
}
constexpr unsigned launch_of(Cell cell) {
  return static_cast<unsigned>(cell >> kLaunchShift) & (kLaunches - 1);
}
constexpr unsigned bytes_of(Cell cell) {
  return static_cast<unsigned>(cell >> kBytesShift) & ((1U << kWordBytes) - 1);
}
constexpr bool is_write(Cell cell) {
  return (cell & kWrite) != 0;
}
/// Atomic or volatile.
constexpr bool is_strong(Cell cell) {
  return (cell & kStrong) != 0;
}
constexpr Cell of_bytes(unsigned bytes) {
  return Cell{bytes} << kBytesShift;
}

/// How far an atomic reaches (CUDA C++ Programming Guide, "Thread Scopes"). Volatile accesses reach the whole device.
using Scope = record::AccessScope;

// The word of notes, from the lowest bit: the site of each cell, the scope of each cell, and which bytes hold something
// that was written or has been complained about.
using Notes = std::uint64_t;

inline constexpr unsigned kSiteBits = 16;
inline constexpr unsigned kScopesShift = kCellsOfWord * kSiteBits;
inline constexpr unsigned kScopeBits = 2;
inline constexpr unsigned kInitialisedShift = kScopesShift + kCellsOfWord * kScopeBits;

constexpr unsigned site_of(Notes notes, unsigned cell) {
  return static_cast<unsigned>(notes >> (cell * kSiteBits)) & ((1U << kSiteBits) - 1);
}
constexpr Scope scope_of(Notes notes, unsigned cell) {
  return static_cast<Scope>(notes >> (kScopesShift + cell * kScopeBits) & ((1U << kScopeBits) - 1));
}
constexpr unsigned initialised_of(Notes notes) {
  return static_cast<unsigned>(notes >> kInitialisedShift) & ((1U << kWordBytes) - 1);
}
constexpr Notes initialised(unsigned bytes) {
  return Notes{bytes} << kInitialisedShift;
}
/// What the notes say of one cell, in the place of the first.
constexpr Notes notes_for(unsigned site, Scope scope) {
  return Notes{site} | Notes{static_cast<unsigned>(scope)} << kScopesShift;
}
/// The same, in the place of another.
constexpr Notes put_notes(unsigned cell, unsigned site, Scope scope) {
  return Notes{site} << (cell * kSiteBits) | Notes{static_cast<unsigned>(scope)} << (kScopesShift + cell * kScopeBits);
}
constexpr Notes mask_of_notes(unsigned cell) {
  return put_notes(cell, (1U << kSiteBits) - 1, Scope::system);
}

}  // namespace warpfiber::check

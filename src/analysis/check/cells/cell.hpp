// SPDX-License-Identifier: Apache-2.0
// A shadow cell: one access to a word of four bytes, in 64 bits, of which one is free for the state of the word that
// has the cell (cells/word.hpp).
#pragma once

#include <cstdint>

#include "record/memory_access.hpp"

namespace warpfiber::check {

using Cell = std::uint64_t;

inline constexpr unsigned kCellsOfWord = 3;
inline constexpr unsigned kWordBytes = 4;

// From the lowest bit: logical time, thread, launch, the tag, bytes, write, strong.
inline constexpr unsigned kClockBits = 20;
inline constexpr unsigned kThreadBits = 28;
inline constexpr unsigned kLaunchBits = 9;
inline constexpr unsigned kThreadShift = kClockBits;
inline constexpr unsigned kLaunchShift = kThreadShift + kThreadBits;
inline constexpr unsigned kTagShift = kLaunchShift + kLaunchBits;
inline constexpr unsigned kBytesShift = kTagShift + 1;
inline constexpr unsigned kWriteShift = kBytesShift + kWordBytes;
inline constexpr unsigned kStrongShift = kWriteShift + 1;
static_assert(kStrongShift == 63);

/// The time of an asynchronous copy that no thread has waited for; no thread reaches it.
inline constexpr std::uint32_t kPendingClock = (1U << kClockBits) - 1;
inline constexpr std::uint64_t kThreadMask = (std::uint64_t{1} << kThreadBits) - 1;
inline constexpr unsigned kLaunches = 1U << kLaunchBits;  // number 0: everything before what is still distinguished
inline constexpr Cell kTag = Cell{1} << kTagShift;
inline constexpr Cell kWrite = Cell{1} << kWriteShift;
inline constexpr Cell kStrong = Cell{1} << kStrongShift;
inline constexpr Cell kAllBytes = Cell{(1U << kWordBytes) - 1} << kBytesShift;

constexpr std::uint32_t clock_of(Cell cell) {
  return static_cast<std::uint32_t>(cell) & kPendingClock;
}
constexpr bool is_pending(Cell cell) {
  return clock_of(cell) == kPendingClock;
}
/// The thread's number in its launch: its block's rank shifted by ThreadNumbering::thread_bits(), and its rank in the
/// block.
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

}  // namespace warpfiber::check

// SPDX-License-Identifier: Apache-2.0
// Atomic and volatile accesses as StrongWords keeps them.
#pragma once

#include <cstdint>

#include "check/cells/cell.hpp"
#include "check/order/vector_clock.hpp"

namespace warpfiber::check {

/// A lock that a thread holds: a word that it has changed by a compare-and-swap or an exchange.
struct HeldLock {
  std::uint64_t thread = 0;
  const void* word = nullptr;
  std::uint64_t number = 0;  // of the change
  unsigned site = 0;
  bool acquires = false;  // by its own order
  bool compares = false;  // a compare-and-swap: an exchange may be something else
};

/// How far the fence between taking a lock and the access reaches.
enum class Entered : unsigned char { unfenced, block, device };

/// An access to a word.
struct StrongUse {
  Cell cell = 0;             // thread and time; 0: none
  std::uint64_t number = 0;  // in the order of the run, as HandOvers counts
  unsigned site = 0;
  bool is_volatile = false;
  bool changes = false;  // by one atomic operation
  bool waits = false;    // a loop repeats it until it finds what it waits for
  Entered entered = Entered::unfenced;
  HeldLock lock{};

  std::uint64_t thread() const { return thread_of(cell); }
  bool is_of_another(std::uint64_t than) const { return cell != 0 && thread() != than; }
};

/// What its thread has released by it, and knew then.
struct StrongWrite : StrongUse {
  StrongUse first{};         // of its thread since it has read the word
  std::uint64_t value = 0;   // that the word has then, once known
  std::uint64_t before = 0;  // that it had
  std::uint64_t took = 0;    // that its thread read before
  bool has_taken = false;
  std::uint32_t released = 0;  // as in HandOvers
  std::uint32_t released_block = 0;
  std::uint32_t known = 0;
  std::uint32_t known_of_warp = 0;
  VectorClockRef personal{};
};

struct StrongRead : StrongUse {
  StrongUse earlier{};  // of the same thread, at another place or time
  StrongUse seen{};     // the write whose value it is, unless that is ordered
  std::uint64_t value = 0;
};

/// A thread has read what another one has written, and goes on because of it.
struct Observation {
  StrongUse by{};
  bool acquires = false;
  bool is_lock = false;
  const void* word = nullptr;
  StrongWrite write{};
};

}  // namespace warpfiber::check

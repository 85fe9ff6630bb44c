// SPDX-License-Identifier: Apache-2.0
// Words through which threads synchronise: atomics and volatile accesses, with the memory
// orders and fences around them (PTX ISA, "Memory Consistency Model": release and acquire patterns). An atomic that
// reads what another one has written learns what the writer released, if the scope of both reaches the other thread. A
// change by an atomic hands on what the word said before; a store does not. A word that counts the arrivals of phases
// says what was released by the end of its last phase: whoever waited for that phase and comes late may see arrivals
// of the next one, which it did not wait for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>

#include "check/cells/cell.hpp"
#include "check/order/clocks.hpp"

namespace warpfiber::check {

/// What an operation on a word does; order is that of C++ (__ATOMIC_…).
struct AtomicUse {
  bool reads = false;
  bool writes = false;
  Scope scope = Scope::device;
  int order = __ATOMIC_RELAXED;
  bool blind = false;  // what is read does not matter for what is written: an exchange, which may be a store
  bool is_volatile = false;
  bool compares = false;     // a compare-and-swap
  bool idle = false;         // writes what was there before: a sum with 0
  std::uint64_t before = 0;  // of an exchange: what was there
  bool use_follows = false;  // as in Use
};

constexpr bool acquires(int order) {
  return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE;
}
constexpr bool releases(int order) {
  return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

class SyncWords {
 public:
  /// `thread` of the block uses the word at `address`. Whether its time or what it knows is another one then.
  bool use(const void* address, const AtomicUse& use, BlockClocks& block, unsigned thread);
  /// `thread` executes a fence.
  static void fence(Scope scope, BlockClocks& block, unsigned thread);
  /// All that was released through the word at `address` up to here belongs to a phase that is over.
  void end_phase(const void* address);
  /// What was said through words in `bytes` from `from` is forgotten.
  void forget(const void* from, std::size_t bytes);
  void forget_all() { words_.clear(); }

 private:
  struct Released {
    VectorClockRef device;  // to everybody
    // By threads of one block to others of it: only to them, or also of other blocks, which an atomic or a
    // fence that reaches no further than the block is enough to learn.
    std::unordered_map<std::uint64_t, VectorClockRef> blocks{};
  };
  struct Word {
    Released all{};
    std::optional<Released> over{};  // in phases that have ended; none: the word has no phases
  };

  static bool acquire(const Word& word, const AtomicUse& use, BlockClocks& block, unsigned thread);
  static bool acquire(const Released& released, const AtomicUse& use, BlockClocks& block, unsigned thread);
  bool release(const void* address, const AtomicUse& use, BlockClocks& block, unsigned thread);

  std::map<const void*, Word> words_;  // by address: blocks that begin forget those of their shared memory
};

}  // namespace warpfiber::check

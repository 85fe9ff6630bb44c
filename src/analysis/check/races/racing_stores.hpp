// SPDX-License-Identifier: Apache-2.0
// Stores that come without order after another store to the same bytes. Such a race is benign where both store the same
// value, which memory shows once the second store is done. Hooks come before their access, and g++ calls the hook of a
// structure's store, then that of the load that it copies from, and only then copies: what a store is of is known at
// the second next hook of its thread, or when another thread runs because this one waits or has ended.
#pragma once

#include <cstdint>
#include <vector>

#include "check/violations/violations.hpp"

namespace warpfiber::check {

/// Up to eight bytes of memory as a number.
std::uint64_t value_at(const void* address, unsigned bytes);

/// The second of two stores that nothing orders, to the bytes of one word that they have in common.
struct RacingStore {
  const void* address = nullptr;
  unsigned bytes = 0;
  std::uint64_t before = 0;  // what the first has stored
  Side earlier{};
  Side now{};
  ViolationKind kind = ViolationKind::race;

  bool kept_value() const { return value_at(address, bytes) == before; }
};

class RacingStores {
 public:
  bool none() const { return stores_.empty(); }
  void add(const RacingStore& store) { stores_.push_back({store}); }

  /// A thread comes to a hook. `judge` is called for every store that is now in memory.
  template <class Judge>
  void come(std::uint64_t thread, bool writes, Judge&& judge) {
    end([&](Pending& one) { return one.store.now.thread == thread ? one.ends_at(writes) : !one.interrupted; }, judge);
  }

  /// The running thread is made to wait somewhere on its way to the next hook, perhaps before its store.
  void interrupt() {
    for (Pending& one : stores_) one.interrupted = true;
  }

  /// The threads `first` to `last` have ended.
  template <class Judge>
  void finish(std::uint64_t first, std::uint64_t last, Judge&& judge) {
    end([&](const Pending& one) { return one.store.now.thread >= first && one.store.now.thread <= last; }, judge);
  }

 private:
  struct Pending {
    RacingStore store;
    bool interrupted = false;
    bool loads = false;  // there has been one hook, of a load

    bool ends_at(bool writes) {
      interrupted = false;
      const bool is_same_statement = !writes && !loads;
      loads = true;
      return !is_same_statement;
    }
  };

  /// Of stores by one access that race with one earlier access, one is judged: the first that changes a value, if any.
  template <class Ends, class Judge>
  void end(Ends&& ends, Judge& judge) {
    ended_.clear();
    std::erase_if(stores_, [&](Pending& one) {
      if (!ends(one)) return false;
      add_ended(one.store);
      return true;
    });
    for (const RacingStore& store : ended_) judge(store);
  }

  void add_ended(const RacingStore& store);

  std::vector<Pending> stores_;
  std::vector<RacingStore> ended_;
};

}  // namespace warpfiber::check

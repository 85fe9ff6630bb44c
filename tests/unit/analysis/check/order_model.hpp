// SPDX-License-Identifier: Apache-2.0
// What happened before what, by brute force: every thread has a whole vector of how many accesses of each actor it
// knows of. There are two of them. `Reading::strict` knows what CUDA promises, and a checker that knows less invents
// races; `Reading::generous` adds what check/clocks.hpp and check/sync_words.hpp say counts as known besides, and a
// checker that knows more misses races for no reason.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "check/cells/cell.hpp"
#include "check/order/sync_words.hpp"

namespace warpfiber::test {

/// Accesses of each actor.
using Counts = std::vector<std::uint32_t>;

inline void add(Counts& to, const Counts& more) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = std::max(to[i], more[i]);
}

enum class Reading { strict, generous };

class OrderModel {
 public:
  OrderModel(Reading reading, unsigned blocks, unsigned threads, std::size_t actors)
      : generous_(reading == Reading::generous), threads_(threads), all_(std::size_t{blocks} * threads) {
    const Counts none(actors, 0);
    for (Thread& thread : all_) thread = Thread{none, none, none, none, none};
  }

  const Counts& known_to(unsigned block, unsigned thread) { return at(block, thread).knows; }

  void access(unsigned block, unsigned thread, std::size_t actor) { ++at(block, thread).knows[actor]; }

  /// These have met, in whichever way; ranks of threads in the grid. `gone` are members that have returned.
  void meet(const std::vector<std::size_t>& members, const std::vector<std::size_t>& gone) {
    Thread all = all_[members.front()];
    const auto tell = [&](const Thread& one) {
      add(all.knows, one.knows);
      if (!generous_) return;
      add(all.knows, one.read_near);
      add(all.knows, one.read_far);
      add(all.fenced, one.fenced);
      add(all.fenced_block, one.fenced_block);
    };
    for (const std::size_t member : members) tell(all_[member]);
    for (const std::size_t member : gone) {
      if (generous_) tell(all_[member]);
    }
    for (const std::size_t member : members) {
      add(all_[member].knows, all.knows);
      if (!generous_) continue;
      add(all_[member].fenced, all.fenced);
      add(all_[member].fenced_block, all.fenced_block);
    }
  }

  void fence(check::Scope scope, unsigned block, unsigned thread) {
    Thread& me = at(block, thread);
    add(me.knows, me.read_near);
    if (scope != check::Scope::block || generous_) add(me.knows, me.read_far);
    me.fenced_block = me.knows;
    if (scope != check::Scope::block) me.fenced = me.knows;
  }

  void use(int word, const check::AtomicUse& use, unsigned block, unsigned thread) {
    Thread& me = at(block, thread);
    Word& at_word = words_[word];
    std::vector<Message>& told = at_word.told;
    const bool near_only = use.scope == check::Scope::block;
    if (use.reads) {
      for (const Message& one : at_word.has_phases ? at_word.over : told) {
        const bool near = one.block == block;
        if (!near && (one.near_only || (near_only && !generous_))) continue;
        const bool acquires = use.order == __ATOMIC_ACQUIRE || use.order == __ATOMIC_ACQ_REL ||
                              use.order == __ATOMIC_SEQ_CST || use.order == __ATOMIC_CONSUME;
        if (!acquires && at_word.has_phases) continue;
        add(acquires ? me.knows : near ? me.read_near : me.read_far, one.knows);
      }
    }
    if (!use.writes) return;
    if (!use.reads) at_word = {};
    const bool releases =
        use.order == __ATOMIC_RELEASE || use.order == __ATOMIC_ACQ_REL || use.order == __ATOMIC_SEQ_CST;
    if (releases) {
      told.push_back({me.knows, block, near_only});
    } else {
      if (!near_only) told.push_back({me.fenced, block, false});
      told.push_back({me.fenced_block, block, true});
    }
  }

  /// What the word tells is what it has been told up to here, until the next phase ends.
  void end_phase(int word) {
    Word& at_word = words_[word];
    at_word.has_phases = true;
    at_word.over = at_word.told;
  }

 private:
  struct Thread {
    Counts knows;
    Counts fenced;        // known at the last fence that reaches the device
    Counts fenced_block;  // at the last fence
    Counts read_near;     // told by threads of its block, for the next fence
    Counts read_far;      // by others
  };
  /// Somebody has told whoever reads the word.
  struct Message {
    Counts knows;
    unsigned block;
    bool near_only;
  };

  struct Word {
    std::vector<Message> told{};
    std::vector<Message> over{};  // in phases that have ended
    bool has_phases = false;
  };

  Thread& at(unsigned block, unsigned thread) { return all_[std::size_t{block} * threads_ + thread]; }

  bool generous_;
  unsigned threads_;
  std::vector<Thread> all_;
  std::map<int, Word> words_;
};

}  // namespace warpfiber::test

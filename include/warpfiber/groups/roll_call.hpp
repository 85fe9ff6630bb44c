// SPDX-License-Identifier: Apache-2.0
// Roll calls: all threads of a group meet, one of them does work for all and leaves each its result, and all go on.
// What the extensions of this folder (sort, partitions, values of labelled groups) are made of, for any group up to the
// grid. Within a block that is one rendezvous where the work runs no code of the user's (the last to come does it),
// else two; blocks publish where their callers stand. Nothing is allocated: a caller lies on its thread's
// stack. Threads that have returned are left out, and the ranks of the others close up.
#pragma once

#include <warpfiber/detail/thread_set.hpp>
#include <warpfiber/groups/collective_result.hpp>
#include <warpfiber/intrinsics/phase.hpp>

#include <type_traits>

namespace warpfiber::detail {

namespace cgd = ::cooperative_groups::details;

/// A thread at a roll call. Work derives its own from it, with operands and result.
struct Caller {
  Caller* next = nullptr;        // the one of the next higher rank
  Caller* next_block = nullptr;  // who called for another block
  std::uint64_t block = 0;       // of the thread, in the order of ranks
  bool leads = false;            // the lowest rank of those in its block
};

// Work is a type with
//   kName    the call, for reports
//   kAtOnce  whether run() calls no code of the user's
//   run(c)   given the caller of the lowest rank, does the work for all from it on

struct LaneCall : GroupArgument {
  Caller* caller;
};
struct BlockCall : GroupPart {
  Caller* caller;
};

/// Links callers in the order in which they are added.
class CallerChain {
 public:
  void add(Caller* caller) {
    *end_ = caller;
    end_ = &caller->next;
  }
  Caller* close() {
    *end_ = nullptr;
    if (first_ != nullptr) first_->leads = true;
    return first_;
  }

 private:
  Caller* first_ = nullptr;
  Caller** end_ = &first_;
};

template <class Work, bool kRuns>
inline void call_lanes(const Meeting& meeting) {
  CallerChain chain;
  for (std::uint64_t rest = meeting.lanes; rest != 0; rest &= rest - 1) {
    LaneArgument* argument = meeting.arguments[__builtin_ctzll(rest)];
    chain.add(static_cast<LaneCall*>(static_cast<GroupArgument*>(argument))->caller);
  }
  Caller* first = chain.close();
  if constexpr (kRuns) Work::run(*first);
}

template <class Work, bool kRuns>
inline void call_threads(const GroupMeeting& meeting) {
  CallerChain chain;
  for (unsigned rank = 0; rank < meeting.size; ++rank) {
    if (meeting.parts[rank] != nullptr) chain.add(static_cast<BlockCall*>(meeting.parts[rank])->caller);
  }
  Caller* first = chain.close();
  if constexpr (kRuns) Work::run(*first);
}

// One lane does here what each does on a device, so its accesses are to be ordered with those of the others.
template <class Work>
inline constexpr Collective kLaneCall{
    .name = Work::kName, .complete = call_lanes<Work, Work::kAtOnce>, .group = true, .orders = true};
template <class Work>
inline constexpr Collective kLaneRelease{
    .name = Work::kName, .complete = [](const Meeting&) {}, .group = true, .orders = true};
template <class Work, bool kRuns>
inline constexpr GroupCollective kBlockCall{Work::kName, call_threads<Work, kRuns>};
template <class Work>
inline constexpr GroupCollective kBlockRelease{Work::kName, [](const GroupMeeting&) {}};

/// What a group that labels or ranks have made knows of itself, for one of its threads.
struct Membership {
  unsigned long long size = 0;
  unsigned long long rank = 0;
  unsigned long long meta_rank = 0;
  unsigned long long meta_size = 0;
  std::uint64_t block = 0;           // of the thread, in its grid
  ThreadSet here;                    // the members in that block
  WideMeeting* elsewhere = nullptr;  // null: there are no others
  Site origin{};
};

inline GroupPart part_of(const Membership& group, const char* call, Site site) {
  if (WARPFIBER_UNLIKELY(group.block != cgd::grid::block_rank())) {
    misuse(site, call, GroupMisuse::group_of_other_block);
  }
  return {site, group.here.count_below(cgd::block::thread_rank()), nullptr, nullptr, &group.origin};
}

/// One thread of each block of a group arrives and waits for the others. `call` distinguishes calls.
inline void meet_blocks(WideMeeting& meeting, const void* call, const char* name, Site site) {
  using Fields = WideFields;
  const std::uint64_t before = Phase<Fields>::load(&meeting.word);
  const unsigned parity = (before & Fields::kParity) != 0 ? 1 : 0;
  // All have left the phase before, and nobody comes to the next one until all are here.
  __atomic_store_n(&meeting.calls[1 - parity], nullptr, __ATOMIC_RELAXED);
  const void* open = nullptr;
  if (!__atomic_compare_exchange_n(&meeting.calls[parity], &open, call, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) &&
      open != call) {
    misuse(site, name, GroupMisuse::collectives_of_threads_differ);
  }
  Phase<Fields>::change(&meeting.word, 1, 0, 0, true, name, site);
  for (;;) {
    const std::uint64_t now = Phase<Fields>::load(&meeting.word);
    if (((now ^ before) & Fields::kParity) != 0) return;
    wait_for_phase(&meeting.word, now, {name, Fields::expected(now), Fields::pending(now), 0, true}, site);
  }
}

/// Stable: those that `before` does not distinguish keep their order. `kLink` is the link of the chains given and
/// returned.
template <auto kLink, class Node, class Before>
Node* merged_chain(Node* lower, Node* upper, Before& before) {
  Node* first = nullptr;
  Node** end = &first;
  while (lower != nullptr && upper != nullptr) {
    Node*& taken = before(*upper, *lower) ? upper : lower;
    *end = taken;
    end = &(taken->*kLink);
    taken = *end;
  }
  *end = lower != nullptr ? lower : upper;
  return first;
}

template <auto kLink, class Node, class Before>
Node* sorted_chain(Node* rest, Before before) {
  constexpr unsigned kRuns = 64;  // run i has 2^i nodes
  Node* runs[kRuns] = {};
  while (rest != nullptr) {
    Node* run = rest;
    rest = run->*kLink;
    run->*kLink = nullptr;
    unsigned i = 0;
    for (; runs[i] != nullptr; ++i) {
      run = merged_chain<kLink>(runs[i], run, before);
      runs[i] = nullptr;
    }
    runs[i] = run;
  }
  Node* all = nullptr;
  for (Node* run : runs) {
    if (run != nullptr) all = merged_chain<kLink>(run, all, before);
  }
  return all;
}

/// Appends the callers of block after block, from the lowest; returns the first of all.
inline Caller& joined(Caller& lowest) {
  Caller* last = &lowest;
  for (Caller* block = lowest.next_block; block != nullptr; block = block->next_block) {
    while (last->next != nullptr) last = last->next;
    last->next = block;
  }
  return lowest;
}

/// A group that lies in one block: meet_all(collective, part) is its rendezvous.
template <class Work, class Meet>
inline void call_in_block(const GroupPart& part, Caller& mine, Meet meet_all) {
  BlockCall call{part, &mine};
  meet_all(kBlockCall<Work, Work::kAtOnce>, &call);
  if constexpr (!Work::kAtOnce) {
    if (mine.leads) Work::run(mine);
    BlockCall again{part, &mine};
    meet_all(kBlockRelease<Work>, &again);
  }
}

/// The caller speaks for its block in a group of several.
template <class Work>
inline void call_for_block(WideMeeting& meeting, Caller& mine, Site site) {
  void* others = __atomic_load_n(&meeting.callers, __ATOMIC_RELAXED);
  do {
    mine.next_block = static_cast<Caller*>(others);
  } while (!__atomic_compare_exchange_n(&meeting.callers, &others, static_cast<void*>(&mine), false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED));
  const bool does_it = others == nullptr;
  meet_blocks(meeting, &kBlockRelease<Work>, Work::kName, site);
  if (does_it) {
    auto* all = static_cast<Caller*>(__atomic_exchange_n(&meeting.callers, nullptr, __ATOMIC_ACQUIRE));
    const auto is_lower = [](const Caller& a, const Caller& b) { return a.block < b.block; };
    Work::run(joined(*sorted_chain<&Caller::next_block>(all, is_lower)));
  }
  meet_blocks(meeting, &kBlockRelease<Work>, Work::kName, site);
}

template <class Work>
inline void call_members(const Membership& group, Caller& mine, Site site) {
  const GroupPart part = part_of(group, Work::kName, site);
  const auto meet_all = [&](const GroupCollective& collective, GroupPart* with) { meet(group.here, collective, with); };
  if (group.elsewhere == nullptr) return call_in_block<Work>(part, mine, meet_all);
  mine.block = group.block;
  BlockCall call{part, &mine};
  meet_all(kBlockCall<Work, false>, &call);
  if (mine.leads) call_for_block<Work>(*group.elsewhere, mine, site);
  BlockCall again{part, &mine};
  meet_all(kBlockRelease<Work>, &again);
}

/// What a block of a cluster or grid publishes.
struct RollNotice {
  Caller* first;
  const void* call;
};

/// The lowest of the callers of all blocks, linked; null if another block's thread has that.
template <class Work, class Blocks>
inline Caller* lowest_of_all(const cgd::Exchange<Blocks, RollNotice>& exchanged, Caller& mine, Site site) {
  Caller* last = nullptr;
  for (std::uint64_t rank = 0; rank < Blocks::count(); ++rank) {
    const bool came = exchanged.came(rank);
    if ((!came && std::is_same_v<Blocks, cgd::BlocksOfGrid>) ||
        (came && exchanged.word(rank).call != &kBlockRelease<Work>)) {
      misuse(site, Work::kName, GroupMisuse::collectives_of_blocks_differ);
    }
    if (!came) continue;
    Caller* first = exchanged.word(rank).first;
    if (last == nullptr && first != &mine) return nullptr;
    if (last != nullptr) last->next = first;
    for (last = first; last->next != nullptr;) last = last->next;
  }
  return &mine;
}

template <class Work, class Blocks>
inline void call_blocks(Caller& mine, Site site) {
  const cgd::BlockOfSeveral block;
  BlockCall call{cgd::part_in(block, site), &mine};
  cgd::meet_in(block, kBlockCall<Work, false>, &call);
  const RollNotice notice{&mine, &kBlockRelease<Work>};
  const cgd::Exchange<Blocks, RollNotice> exchanged(mine.leads, notice, site);
  if (mine.leads && lowest_of_all<Work, Blocks>(exchanged, mine, site) != nullptr) Work::run(mine);
  Blocks::sync(site);
}

template <class Work, class Group>
inline void call_lane(const Group& group, Caller& mine, Site site) {
  LaneCall call{{{site}, nullptr}, &mine};
  cgd::warp_collective(kLaneCall<Work>, group, &call);
  if constexpr (!Work::kAtOnce) {
    if (mine.leads) Work::run(mine);
    LaneCall again{{{site}, nullptr}, &mine};
    cgd::warp_collective(kLaneRelease<Work>, group, &again);
  }
}

/// Meets all threads of `group`; on return Work::run has left `mine` its result. A grid has to be launched
/// cooperatively, or the launch ends with `cg-misuse`.
template <class Work, class Group>
inline void call_roll(const Group& group, Caller& mine, Site site) {
  cgd::with_group(group, [&]<class Known>(const Known& known) {
    if constexpr (requires { known.membership(); }) {
      call_members<Work>(known.membership(), mine, site);
    } else if constexpr (cgd::kIsBlocks<Known>) {
      call_blocks<Work, Known>(mine, site);
    } else if constexpr (cgd::kLiesInBlock<Known>) {
      call_in_block<Work>(cgd::part_in(known, site), mine, [&](const GroupCollective& collective, GroupPart* with) {
        cgd::meet_in(known, collective, with);
      });
    } else if constexpr (cgd::kTileSize<Known> == 1) {
      Work::run(mine);
    } else {
      if constexpr (std::is_same_v<Known, ::cooperative_groups::thread_group>) {
        if (known.get_type() != cgd::coalesced_group_id) {
          misuse(site, Work::kName, GroupMisuse::function_not_of_multi_grid);
        }
      }
      call_lane<Work>(known, mine, site);
    }
  });
}

}  // namespace warpfiber::detail

// SPDX-License-Identifier: Apache-2.0
// Places where threads wait for one another, as counts: who has to come, who has, and what is known once all have. Each
// kind of rendezvous is a row of kRendezvous. Nothing here waits: whoever counts an arrival acts on what it returns.
// The barriers that kernels inline (detail::Barrier, detail::WideBarrier) have counts of their own, in the layout that
// compiled programs know; arrive() counts for them as well.
#pragma once

#include <warpfiber/detail/operations.hpp>
#include <warpfiber/detail/site.hpp>

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace warpfiber::machine {

enum class RendezvousKind : unsigned char {
  block_barrier,
  split_barrier,  // the block's, in two parts: threads wait for a phase that they have arrived in before
  named_barrier,
  cluster_barrier,
  grid_barrier,
  multi_grid_barrier,
  lanes,  // of a warp, at a collective
  group,  // of threads of a block, at a collective
};

/// Whether all members of a phase have to come from one place in the source.
enum class SiteRule : unsigned char { any, same };

/// The threads whose accesses before and after a completed phase are ordered.
enum class MemoryScope : unsigned char { lanes, block, cluster, device, system };

/// Whether those who have met run before others that are ready, for the sake of the caches.
enum class Turn : unsigned char { behind, before };

/// Whether a completed phase is one of the barriers that a launch counts. A grid's phases have a count of their own.
enum class Statistics : unsigned char { counted, left_out };

struct RendezvousTraits {
  RendezvousKind kind;
  RendezvousKind phase;  // whose phase its threads wait for
  const char* name;      // for reports; null: the collective has a name
  SiteRule sites;
  MemoryScope scope;
  Turn turn;
  Statistics statistics;
};

inline constexpr std::array kRendezvous = [] {
  using enum RendezvousKind;
  using enum Turn;
  using enum Statistics;
  using Row = RendezvousTraits;
  using Sites = SiteRule;
  using Scope = MemoryScope;
  using detail::Operation;
  using detail::row_of;
  return std::array{
      Row{block_barrier, block_barrier, row_of(Operation::block_barrier).name, Sites::same, Scope::block, behind,
          counted},
      Row{split_barrier, block_barrier, row_of(Operation::split_barrier).name, Sites::any, Scope::block, behind,
          left_out},
      Row{named_barrier, named_barrier, nullptr, Sites::any, Scope::block, behind, left_out},
      Row{cluster_barrier, cluster_barrier, "cluster barrier", Sites::any, Scope::cluster, behind, counted},
      Row{grid_barrier, grid_barrier, "grid barrier", Sites::same, Scope::device, behind, left_out},
      Row{multi_grid_barrier, multi_grid_barrier, "multi-grid barrier", Sites::same, Scope::system, behind, left_out},
      Row{lanes, lanes, nullptr, Sites::any, Scope::lanes, before, left_out},
      Row{group, group, nullptr, Sites::any, Scope::lanes, behind, left_out}};
}();

constexpr const RendezvousTraits& traits_of(RendezvousKind kind) {
  return kRendezvous[static_cast<std::size_t>(kind)];
}

/// Whether threads at such a rendezvous wait for a phase of its own.
constexpr bool has_phase(RendezvousKind kind) {
  return traits_of(kind).phase == kind;
}

/// Whether all members have come, as numbers or as sets of bits. A rendezvous without arrivals is not complete, even
/// when all members have left.
template <class Count>
constexpr bool is_complete(Count arrived, Count members) {
  return arrived != 0 && arrived == members;
}

/// What an arrival means for the thread that has come.
enum class Arrival : unsigned char {
  waits,
  completes,  // all are there
  elsewhere   // not counted: the others of the phase came from another place
};

/// One more has come to `at`, of `members`. Counts has `arrived`, and `site`: where the first of the phase came from.
template <class Counts>
constexpr Arrival arrive(Counts& at, unsigned members, SiteRule rule, const Site& site) {
  if (at.arrived == 0) {
    at.site = site;
  } else if (rule == SiteRule::same && !(at.site == site)) {
    return Arrival::elsewhere;
  }
  return ++at.arrived == members ? Arrival::completes : Arrival::waits;
}

/// A rendezvous of threads that one worker runs.
struct Rendezvous {
  unsigned members = 0;  // that have to come
  unsigned arrived = 0;  // of them, in this phase
  std::uint64_t phase = 0;

  bool is_open() const { return arrived != 0; }
  unsigned missing() const { return members - arrived; }
  bool is_complete() const { return machine::is_complete(arrived, members); }

  /// For other members, in its first phase.
  void start(unsigned all) { *this = {all, 0, 0}; }
  /// True: the phase is complete, and complete() is to follow.
  bool arrive(unsigned count = 1) {
    arrived += count;
    return arrived == members;
  }
  /// Members are not waited for any more. The phase may be complete by that.
  void leave(unsigned count = 1) { members -= count; }
  /// The next phase begins. Returns how many were in the last.
  unsigned complete() {
    const unsigned all = arrived;
    arrived = 0;
    ++phase;
    return all;
  }
};

/// A rendezvous of what several OS threads run: blocks of a grid, or grids.
class SharedRendezvous {
 public:
  std::uint64_t phase() const { return phase_.load(); }

  /// One more of `members` has come. True for the last of them: the next phase may be counted from here on, and begins
  /// with complete().
  bool arrive(std::uint64_t members) {
    if (arrived_.fetch_add(1) + 1 < members) return false;
    arrived_.store(0);
    return true;
  }
  void complete() { phase_.fetch_add(1); }

 private:
  std::atomic<std::uint64_t> arrived_{0};
  std::atomic<std::uint64_t> phase_{0};
};

// What the warp collectives return where the device promises nothing.

/// What a shuffle returns from a lane that takes no part (docs/semantics.md, "Shuffles").
inline constexpr std::uint64_t kAbsentLaneValue = 0;

/// What these lanes have offered is gone.
inline void withdraw(std::uint64_t* offered, std::uint64_t lanes) {
  for (; lanes != 0; lanes &= lanes - 1) offered[std::countr_zero(lanes)] = kAbsentLaneValue;
}

}  // namespace warpfiber::machine

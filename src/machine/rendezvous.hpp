// SPDX-License-Identifier: Apache-2.0
// Places where threads wait for one another, as counts: who has to come, who has, and what is known once all have. Each
// kind of rendezvous is a row of kRendezvous. Nothing here waits: whoever counts an arrival acts on what it returns.
// The barriers that kernels inline (detail::Barrier, detail::WideBarrier) have counts of their own, in the layout that
// compiled programs know; arrive() counts for them as well.
#pragma once

#include <warpfiber/detail/site.hpp>

#include <array>
#include <atomic>
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

struct RendezvousTraits {
  RendezvousKind kind;
  const char* name;  // for reports; null: the collective has a name
  SiteRule sites;
  MemoryScope scope;
};

inline constexpr std::array kRendezvous{
    RendezvousTraits{RendezvousKind::block_barrier, "__syncthreads()", SiteRule::same, MemoryScope::block},
    RendezvousTraits{RendezvousKind::split_barrier, "block.barrier_wait()", SiteRule::any, MemoryScope::block},
    RendezvousTraits{RendezvousKind::named_barrier, nullptr, SiteRule::any, MemoryScope::block},
    RendezvousTraits{RendezvousKind::cluster_barrier, "cluster barrier", SiteRule::any, MemoryScope::cluster},
    RendezvousTraits{RendezvousKind::grid_barrier, "grid barrier", SiteRule::same, MemoryScope::device},
    RendezvousTraits{RendezvousKind::multi_grid_barrier, "multi-grid barrier", SiteRule::same, MemoryScope::system},
    RendezvousTraits{RendezvousKind::lanes, nullptr, SiteRule::any, MemoryScope::lanes},
    RendezvousTraits{RendezvousKind::group, nullptr, SiteRule::any, MemoryScope::lanes}};

constexpr const RendezvousTraits& traits_of(RendezvousKind kind) {
  return kRendezvous[static_cast<std::size_t>(kind)];
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
  bool is_complete() const { return arrived != 0 && arrived == members; }

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

}  // namespace warpfiber::machine

// SPDX-License-Identifier: Apache-2.0
// The sixteen barriers that a block has besides __syncthreads(), by number: warps that wait, or only arrive, at one of
// them, until as many threads have arrived as each of them passes (PTX ISA, "bar, barrier"). Kernels use them to give
// warps different roles. Called by whole warps: the lanes of a warp that have not returned synchronise first, and then
// all of the warp counts, whether it is full or not. Number 0 for the whole block is the barrier of __syncthreads().
#pragma once

#include <warpfiber/detail/lanes/lanes.hpp>
#include <warpfiber/intrinsics/builtins.hpp>

#include <bit>
#include <cstdint>

namespace warpfiber::detail {

inline constexpr unsigned kNamedBarriers = 16;

/// All threads of the block, in the place of a number of them.
inline constexpr unsigned kWholeBlock = 0;

/// How many threads a barrier of the block counts: `threads`, or all, which warps make up. An invalid number
/// ends the launch with the finding `cg-misuse`.
unsigned check_named(unsigned barrier, unsigned threads, const char* call, Site site);

/// How many threads have arrived, and for how many of them the predicate of bar.red holds.
struct NamedVotes {
  unsigned threads = 0;
  unsigned hold = 0;
};

/// The warp of the calling thread, which does so for all of it, arrives; where it reduces, with these votes. Returns
/// the phase to wait for. A number of threads other than that of the phase's first arrival ends the launch with
/// `barrier-divergence`, and so does a reduction at a phase without one.
std::uint64_t arrive_at_named(unsigned barrier, unsigned threads, NamedVotes votes, const char* call, Site site);

/// Waits for the end of the phase.
void wait_at_named(unsigned barrier, std::uint64_t phase, const char* call, Site site);

/// The votes of a phase of reductions that is over; each thread that has brought one takes them once.
NamedVotes take_votes(unsigned barrier, std::uint64_t phase);

/// Ends the launch: lanes of one warp name different barriers or numbers of threads.
[[noreturn]] void unequal_in_warp(const char* call, Site site);

/// All lanes of the caller's warp synchronise and arrive; where they reduce, with a predicate. Returns the phase.
template <Operation kOperation>
inline std::uint64_t meet_at_named(unsigned barrier, unsigned threads, Site site, bool predicate = false) {
  constexpr const char* kName = row_of(kOperation).name;
  checked_meets_some();
  const std::uint64_t lanes = collect<kOperation>(kEveryLane, true, LaneArgument{site});
  NamedVotes votes;
  if constexpr (kOperation == Operation::named_reduce) {
    const std::uint64_t hold = collect<kOperation>(kEveryLane, predicate, LaneArgument{site});
    votes = {static_cast<unsigned>(std::popcount(lanes)), static_cast<unsigned>(std::popcount(hold))};
  }
  const int first = std::countr_zero(lanes);
  const std::uint64_t mine = std::uint64_t{threads} << 4 | barrier;
  std::uint64_t said = mine;
  if (lane_id() == static_cast<unsigned>(first)) said |= arrive_at_named(barrier, threads, votes, kName, site) << 16;
  said = shuffle<Formula::index>(kEveryLane, said, first, kWholeWarp, LaneArgument{site});
  if ((said & 0xffff) != mine) unequal_in_warp(kName, site);
  return said >> 16;
}

/// Whether these threads are all of the block, which is then at the barrier of __syncthreads().
inline bool is_barrier_of_block(unsigned barrier, unsigned counted) {
  return barrier == 0 && counted >= blockDim.x * blockDim.y * blockDim.z;
}

/// bar.sync: waits until `threads` threads of the block have reached the barrier.
inline void sync_named(unsigned barrier, unsigned threads, Site site) {
  const unsigned counted = check_named(barrier, threads, row_of(Operation::named_sync).name, site);
  if (is_barrier_of_block(barrier, counted)) return ::__syncthreads(site);
  wait_at_named(barrier, meet_at_named<Operation::named_sync>(barrier, counted, site),
                row_of(Operation::named_sync).name, site);
}

/// bar.arrive: counts the caller's warp and continues.
inline void arrive_named(unsigned barrier, unsigned threads, Site site) {
  meet_at_named<Operation::named_arrive>(
      barrier, check_named(barrier, threads, row_of(Operation::named_arrive).name, site), site);
}

/// How bar.red combines the predicates of all threads that reach the barrier.
enum class NamedReduction { popc, all, any };

/// bar.red: waits as bar.sync does, for threads that all do this. Returns the number of predicates that hold, or
/// whether all do, or any.
inline unsigned reduce_named(NamedReduction how, unsigned barrier, unsigned threads, bool predicate, Site site) {
  const unsigned counted = check_named(barrier, threads, row_of(Operation::named_reduce).name, site);
  if (is_barrier_of_block(barrier, counted)) {
    if (how == NamedReduction::all) return ::__syncthreads_and(predicate, site) != 0;
    if (how == NamedReduction::any) return ::__syncthreads_or(predicate, site) != 0;
    return static_cast<unsigned>(::__syncthreads_count(predicate, site));
  }
  const std::uint64_t phase = meet_at_named<Operation::named_reduce>(barrier, counted, site, predicate);
  wait_at_named(barrier, phase, row_of(Operation::named_reduce).name, site);
  const NamedVotes votes = take_votes(barrier, phase);
  if (how == NamedReduction::all) return votes.hold == votes.threads;
  return how == NamedReduction::any ? votes.hold != 0 : votes.hold;
}

}  // namespace warpfiber::detail

/// Barrier `id` of the block, 0 to 15, for all of its threads.
inline void __barrier_sync(unsigned id, warpfiber::Site site = warpfiber::Site::here()) {
  warpfiber::detail::sync_named(id, warpfiber::detail::kWholeBlock, site);
}

/// The same for `count` threads of the block, a multiple of the warp size.
inline void __barrier_sync_count(unsigned id, unsigned count, warpfiber::Site site = warpfiber::Site::here()) {
  warpfiber::detail::sync_named(id, count, site);
}

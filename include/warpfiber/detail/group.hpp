// SPDX-License-Identifier: Apache-2.0
// Rendezvous of cooperative groups that the warp's collectives and the plain barriers cannot express: groups larger
// than a warp, barriers split into an arrival and a wait, and what is said about misuse. Called by threads inside a
// kernel; the engine's half is in src/execution/engine/arrivals.
#pragma once

#include <warpfiber/detail/checked.hpp>
#include <warpfiber/detail/wait.hpp>

#include <cstdint>

namespace warpfiber::detail {

/// What one thread hands to a collective of a group that may be larger than a warp; it lies on the thread's stack, and
/// derived types add the operands and the result.
struct GroupPart {
  Site site;
  unsigned rank;  // in the group
  GroupPart* next = nullptr;
  const Fiber* fiber = nullptr;
  const Site* origin = nullptr;  // where the group was made, if its object says so
  bool whole_block = false;      // the group is the block itself
};

/// Threads of a group that have met.
struct GroupMeeting {
  GroupPart* const* parts;  // by rank; null: that thread has returned
  unsigned size;
};

/// What kind of collective they meet at: its name for reports, and the function that computes the results once the last
/// one has come. Lists are being changed while it runs: no code of the user's may be called there.
struct GroupCollective {
  const char* name;
  void (*complete)(const GroupMeeting& meeting);
};

Switch arrive_at_group(unsigned first, unsigned size, const GroupCollective& collective, GroupPart* part);

/// The threads first … first+size-1 of the block, by linear rank, meet; those beyond the block's last do not exist. On
/// return `collective.complete` has run. `size` is at most 1024, and `first` a multiple of the power of two that is not
/// below it. Threads of one group that come to different collectives end the launch with `cg-misuse`.
inline WARPFIBER_INLINED void meet(unsigned first, unsigned size, const GroupCollective& collective, GroupPart* part) {
  checked_meets_some();
  leave(arrive_at_group(first, size, collective, part));
  clear_busy();
}

/// Calls that all threads of a group have to make uniformly, but that do not wait for each other.
enum class UniformCall : unsigned char { copy, wait_for_copies, cut, update };

/// What a thread calls, and what the others have to bring as well.
struct UniformNote {
  UniformCall call;
  Site site;
  const void* to = nullptr;  // also what a reduction or scan updates
  const void* from = nullptr;
  std::uint64_t count = 0;  // bytes of a copy, threads of a piece
};

/// A group whose calls are compared: these lanes of the caller's warp; if there are none, a static tile of `tile`
/// threads; if that is 0 too, the block.
struct UniformGroup {
  unsigned tile = 0;
  std::uint64_t lanes = 0;
};

/// The calling thread makes a call of `group`. If another thread of the group differs in its call of the same number,
/// the launch ends with `cg-misuse`. Orders nothing.
void note_uniform_call(const UniformGroup& group, const UniformNote& note);

/// The calling thread has made a static tile of 2^`size` threads in a block that makes such tiles at several places.
void note_tile(unsigned size, Site site);

/// The groups whose barrier can be split.
enum class SplitBarrier : unsigned char { block, cluster, grid };

/// Arrives at the group's barrier without waiting. Returns the phase to wait for. A thread that arrives again, returns
/// or takes part in another barrier of the group before it has waited ends the launch with `cg-misuse`.
std::uint64_t arrive_split(SplitBarrier barrier, Site site);

/// Waits until all threads of the group have arrived in `phase`, which arrive_split() of this thread has returned.
/// Anything else ends the launch with `cg-misuse`.
void wait_split(SplitBarrier barrier, std::uint64_t phase, Site site);

/// The phase that the calling thread has arrived in and not yet waited for; for barriers whose tokens carry nothing.
/// Without one the launch ends with `cg-misuse`.
std::uint64_t open_phase(SplitBarrier barrier, Site site);

/// What is wrong with a call of a group's function.
enum class GroupMisuse : unsigned char {
  tile_not_within_warp,
  tile_not_within_cluster,
  tile_size_not_supported,
  piece_sizes_differ,
  grid_partitioned,
  stride_zero,
  strides_differ,
  group_of_other_block,
  collectives_of_threads_differ,
  collectives_of_blocks_differ,
  function_not_of_multi_grid,
  block_tile_memory_too_small,
  destinations_of_result_differ,
  source_not_in_group,
  source_not_in_tile,
  sources_differ,
  producers_exceed_group,
};

/// Ends the launch with the finding `cg-misuse` about the calling thread and what it called.
[[noreturn]] void misuse(Site site, const char* call, GroupMisuse what);

}  // namespace warpfiber::detail

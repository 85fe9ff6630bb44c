// SPDX-License-Identifier: Apache-2.0
// A resident block and the cluster it belongs to, as the engine keeps them. Both belong to one worker.
#pragma once

#include <warpfiber/detail/collective.hpp>
#include <warpfiber/detail/group.hpp>
#include <warpfiber/detail/machine.hpp>
#include <warpfiber/detail/notice_board.hpp>
#include <warpfiber/detail/thread_set.hpp>
#include <warpfiber/intrinsics/named_barrier.hpp>
#include <warpfiber/intrinsics/phase.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/lane_mask.hpp"
#include "base/thread_modes.hpp"
#include "engine/state/converging.hpp"
#include "machine/rendezvous.hpp"
#include "memory/shared_arena.hpp"
#include "record/observer.hpp"

namespace warpfiber::engine {

struct Cluster;

/// Where a thread that lets others run stands; lies on its own stack. FiberDetails::note points here.
struct SpinNote {
  Site site;
  const void* address = nullptr;             // of the word it polls, if an atomic said so
  const void* instruction = nullptr;         // where it was preempted, if it did not call anything
  const detail::PhaseWait* phase = nullptr;  // what it waits for, if it has said so
  const void* const* stack = nullptr;        // the top of its stack where it was preempted
  std::uint64_t state = 0;                   // a number for its registers and stack there; 0: not known
  bool writes = false;                       // it has just changed memory
  bool works = false;                        // it may do other work between its looks
  bool idle = false;                         // it has said that its last pass through the loop changed nothing
};

/// A warp with room for rendezvous of lanes that have diverged. Only the first wait of this kind takes memory.
struct ResidentWarp : detail::Warp {
  /// Masks with convoys of their own; the others' lanes never form one.
  static constexpr unsigned kConvoys = 8;

  std::unique_ptr<detail::Convoy> convoys[kConvoys];
  unsigned convoys_used = 0;
  std::unique_ptr<detail::PendingCollective[]> others;
  unsigned others_used = 0;            // those at higher places are not open
  unsigned turns_converging = 0;       // that have ended while the same lanes asked who is with them and others met
  bool met = false;                    // lanes have met since the last turn ended
  unsigned overtaken = 0;              // how often the lane that has asked for longest was left waiting for others
  bool converge_uniformly = false;     // all lanes that wait for others have come to one call, by one path
  std::unique_ptr<Converging[]> said;  // by lanes that wait for a step, or to meet those with them
  std::unique_ptr<MasklessConvoy> maskless;
  std::uint64_t maskless_taking = 0;  // lanes that came in it, and take their results from what it offers

  template <class Visit>
  void each_open(Visit&& visit) {
    if (pending.arrived != 0) visit(pending);
    for (unsigned i = 0; i < others_used; ++i) {
      if (others[i].arrived != 0) visit(others[i]);
    }
  }

  detail::PendingCollective& free_other() {
    if (others == nullptr) others = std::make_unique<detail::PendingCollective[]>(detail::kMaxWarpSize);
    for (unsigned i = 0; i < others_used; ++i) {
      if (others[i].arrived == 0) return others[i];
    }
    return others[others_used++];
  }

  /// The convoy that lanes of `mask` may form; null if too many other masks have one.
  detail::Convoy* convoy_for(std::uint64_t mask) {
    for (unsigned i = 0; i < convoys_used; ++i) {
      if (convoys[i]->mask == mask) return convoys[i].get();
    }
    if (convoys_used == kConvoys) return nullptr;
    auto& fresh = convoys[convoys_used++];
    if (fresh == nullptr) fresh = std::make_unique<detail::Convoy>();
    fresh->mask = mask;
    for (auto& row : fresh->rows) std::fill(std::begin(row), std::end(row), machine::kAbsentLaneValue);
    return fresh.get();
  }

  Converging& what_said(unsigned lane) {
    if (said == nullptr) said = std::make_unique<Converging[]>(detail::kMaxWarpSize);
    return said[lane];
  }

  void reset() {
    convoys_used = 0;
    maskless_taking = 0;
    pending.taking = 0;
    pending.arrived = 0;
    pending.waiting.clear();
    for (unsigned i = 0; i < others_used; ++i) {
      others[i].arrived = others[i].taking = 0;
      others[i].waiting.clear();
    }
    others_used = 0;
    converging.clear();
    converging_mask = 0;
    turns_converging = overtaken = 0;
    met = false;
  }
};

/// A thread that came to another barrier call than the others of its phase. It stays there until whole warps pair.
struct MismatchedArrival {
  detail::Fiber* fiber;
  Site site;
  detail::Operation kind;
  bool predicate;
};

/// A rendezvous of a group that is larger than a warp.
struct GroupRendezvous {
  unsigned first = 0;  // of its threads, by linear rank in the block
  unsigned size = 0;
  machine::Rendezvous rendezvous;  // of its threads that have not returned
  const detail::GroupCollective* collective = nullptr;
  detail::GroupPart* parts = nullptr;
  detail::WaitList waiting;

  /// Calls visit(thread) for every member that the block has, by linear rank.
  template <class Visit>
  void each_member(const detail::Block& block, Visit&& visit) const {
    for (unsigned thread = first; thread < std::min(first + size, block.threads); ++thread) visit(thread);
  }
};

/// The same of a group of any threads. `first` is the lowest of them.
struct SetRendezvous : GroupRendezvous {
  detail::ThreadSet members;
  SetRendezvous* next = nullptr;  // open, of the same row

  template <class Visit>
  void each_member(const detail::Block&, Visit&& visit) const {
    members.each(visit);
  }
};

/// Open rendezvous of sets of threads, in rows by their lowest threads.
struct OpenSets {
  static constexpr unsigned kRows = 64;

  SetRendezvous* rows[kRows] = {};
  SetRendezvous* unused = nullptr;
  std::vector<std::unique_ptr<SetRendezvous>> storage;

  /// The open rendezvous of `members`; if there is none, a new one, which the caller opens.
  SetRendezvous& open(const detail::ThreadSet& members);
  void close(SetRendezvous& set);
  void close_all();
  static unsigned row_of(unsigned first) { return first % kRows; }
};

/// Groups that differ have rendezvous of their own: those of 2^k threads at 1024 / 2^k and behind.
inline constexpr unsigned kGroupPlaces = 64;
inline unsigned group_place(unsigned first, unsigned size) {
  return (1024 + first) / std::max(std::bit_ceil(size), 1024 * 2 / kGroupPlaces);
}

/// Calls that are numbered together: copies and waits for them, cuts, updates.
enum class UniformSequence : unsigned char { copies, cuts, updates };

/// A call as the first of a group's threads has made it.
struct UniformCallMade {
  static constexpr unsigned kKept = 8;  // of a group: copies are waited for in a few stages

  std::uint64_t number = 0;  // from 1; 0: none has
  unsigned thread = 0;
  detail::UniformNote note{};
};

/// The latest calls of one kind of group. Who comes later than the last few of its group is not compared.
struct UniformCalls {
  UniformSequence sequence;
  unsigned tile;                          // threads of a group; 0: the block
  std::uint32_t serial = 0;               // of the block that this is about
  std::vector<std::uint64_t> made{};      // how many calls, by thread
  std::vector<UniformCallMade> latest{};  // UniformCallMade::kKept a group
};

/// The same of groups that are the same lanes of one warp, kept while some of them have made more calls than others.
struct UniformLaneCalls {
  UniformSequence sequence;
  unsigned warp;
  base::LaneMask lanes;
  std::array<std::uint64_t, detail::kMaxWarpSize> made{};  // by lane
  std::array<UniformCallMade, UniformCallMade::kKept> latest{};
};

inline constexpr unsigned kSplitBarriers = 3;

/// That a thread has arrived at a split barrier and has yet to wait.
struct OpenArrival {
  bool open = false;
  std::uint64_t phase = 0;
  Site site{};     // of the arrival
  Site between{};  // of another call for the same barrier since
};

/// Where a thread has last made a static tile of one size.
struct TilePlace {
  Site site{};             // line 0: nowhere
  bool elsewhere = false;  // and at other places before
};

/// Threads first … last of a block that have returned at one place.
struct Return {
  Site site{};
  unsigned first = 0;
  unsigned last = 0;
};

/// An arrival at a barrier that has a number.
struct NamedArrival {
  const char* call = nullptr;
  Site site{};
  unsigned thread = 0;
};

/// A barrier that has a number (named_barriers.cpp). Fewer threads have arrived than its phase expects.
struct NamedBarrier {
  machine::Rendezvous rendezvous;
  NamedArrival first{};  // in the phase, if any
  // What arrivals of a phase pass to those who wait for it. Others may be some phases ahead of a thread that waits: as
  // many as there are tokens before it learns more than it waited for.
  static constexpr std::size_t kTokens = 8;
  std::array<char, kTokens> tokens{};
  const void* token_of(std::uint64_t phase) const { return &tokens[phase % kTokens]; }
  const void* token() const { return token_of(rendezvous.phase); }
  detail::NamedVotes votes{};  // of the phase
  struct EndedVotes {
    detail::NamedVotes votes{};
    unsigned readers = 0;  // threads that have yet to take them
  };
  std::map<std::uint64_t, EndedVotes>
      ended{};  // phases of reductions; others may go on to later ones before all have read
};

class NamedBarriers {
 public:
  NamedBarrier& operator[](unsigned barrier) { return all_[barrier]; }
  /// Another block begins.
  void reset();

 private:
  std::array<NamedBarrier, detail::kNamedBarriers> all_{};
};

struct ResidentBlock : detail::Block {
  Cluster* cluster = nullptr;
  unsigned claimed = 0;        // threads started, in claiming order
  unsigned exited = 0;         // threads that returned
  bool engaged = false;        // some thread has waited, so warps are set up
  bool first_exited = false;   // thread (0,0,0) has returned: it is the one that arrives at a grid barrier
  bool queued = false;         // among those that the worker's loop enters
  unsigned shared_used = 0;    // bytes of static shared memory touched
  base::FloatMode float_mode;  // what its threads have made of the device's, while none of them runs
  detail::WideBarrier cluster_barrier;
  detail::Notice notice;         // to the other blocks of its cluster
  std::uint64_t grid_phase = 0;  // of the grid barrier that this block has arrived at
  bool at_grid_barrier = false;
  bool multi_grid = false;  // its grid barrier is, or was last, that of the grids of several devices
  // Rendezvous of cooperative groups; memory is taken when the first thread needs it.
  std::unique_ptr<GroupRendezvous[]> groups;
  std::unique_ptr<OpenSets> sets;
  unsigned open_groups = 0;                                // of them that some thread waits at
  std::vector<TilePlace> tile_places[detail::kTileSizes];  // a thread, of sizes that are made at several places
  std::vector<UniformCalls> uniform_calls;                 // of the groups that have made such calls, one a kind
  std::vector<UniformLaneCalls> uniform_lane_calls;        // in the block that has the number below
  std::uint32_t uniform_lane_calls_serial = 0;
  std::vector<OpenArrival> arrivals;     // kSplitBarriers a thread
  unsigned open_arrivals = 0;            // of them that are open
  detail::WideBarrier split_waits;       // threads that have arrived at the block's barrier and wait for its phase
  machine::Rendezvous alone;             // at the split barrier of a cluster of one block, in a plain launch
  std::unique_ptr<NamedBarriers> named;  // made when the first thread needs one
  std::vector<Return> returns;           // of threads that say where, which those of checked programs do
  unsigned noted_returns = 0;            // threads in them
  detail::WaitList yielded;
  std::vector<MismatchedArrival> mismatched_arrivals;
  std::vector<unsigned> order;  // claiming order, where a policy is asked
  std::vector<ResidentWarp> warp_storage;
  memory::SharedArena arena;
  // Of blocks that had this place before, where pointers to it are to be found out.
  static constexpr std::size_t kRested = 6;
  std::array<memory::SharedArena, kRested> rested;
  std::size_t next_rested = 0;
  std::uint64_t rested_in = 0;  // the launch in which memory was put among them last
  unsigned slot = 0;            // of the worker's, where it is kept
};

inline record::BlockId block_id(const ResidentBlock& block) {
  return {block.rank, block.slot};
}

/// The running thread, one of the block's, has made a static tile of 2^`size` threads at `site`, which is not, or no
/// longer, the only place.
void note_tile(ResidentBlock& block, unsigned size, Site site);

/// Where thread `rank` has last made a static tile of 2^`size` threads; line 0: nowhere.
TilePlace place_of_tile(const ResidentBlock& block, unsigned size, unsigned rank);

/// The running thread, one of the block's, returns at `site`.
void note_return(ResidentBlock& block, Site site);

/// Where thread `rank` has returned; line 0: it has not said.
Site place_of_return(const ResidentBlock& block, unsigned rank);

/// The one place at which all threads of the block have returned; line 0: there is none, or they have not said.
Site place_of_all_returns(const ResidentBlock& block);

/// The block of a thread that has waited.
inline ResidentBlock& block_of(const detail::Fiber& fiber) {
  return static_cast<ResidentBlock&>(*fiber.warp->block);
}

/// The rank in its block of a thread that has waited. `warp_size`: lanes of a warp in its launch.
inline unsigned rank_in_block(const detail::Fiber& fiber, unsigned warp_size) {
  return fiber.warp->index * warp_size + fiber.lane;
}

struct Cluster {
  std::vector<ResidentBlock*> blocks;  // by rank
  bool split = false;                  // some thread has come to this phase of the barrier and goes on before it ends
  machine::Rendezvous barrier;         // of its threads that have not returned
  unsigned blocks_left = 0;
};

}  // namespace warpfiber::engine

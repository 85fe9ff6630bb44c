// SPDX-License-Identifier: Apache-2.0
// The part of a block's state that kernels touch without a call: who is ready, who waits at the block's barrier, and
// which lanes of a warp have come to a collective.
// Invariants: everything here belongs to the worker that runs the block, so nothing is atomic. A thread stands in one
// list at most. `live` counts threads that have not returned, unclaimed ones included; it is exact whenever a thread
// that has already waited once is running (DESIGN: docs/architecture.md, "Claiming").
#pragma once

#include <warpfiber/detail/fiber.hpp>
#include <warpfiber/detail/operations.hpp>
#include <warpfiber/detail/site.hpp>

#include <cstddef>
#include <cstdint>

namespace warpfiber::detail {

/// Fibers in order of arrival, linked through Fiber::next. Appending needs no test for emptiness. Its address is part
/// of its state: it is neither copied nor moved.
struct WaitList {
  Fiber* head = nullptr;
  Fiber** tail = &head;

  WaitList() = default;
  WaitList(const WaitList&) = delete;
  WaitList& operator=(const WaitList&) = delete;

  bool empty() const { return tail == &head; }

  void append(Fiber* fiber) {
    *tail = fiber;
    tail = &fiber->next;
  }

  Fiber* pop() {
    Fiber* first = head;
    if (tail == &first->next) {
      tail = &head;
    } else {
      head = first->next;
    }
    return first;
  }

  void clear() { tail = &head; }

  /// Moves every fiber of `other` behind those already here.
  void append_all(WaitList& other) {
    if (other.empty()) return;
    *tail = other.head;
    tail = other.tail;
    other.clear();
  }

  /// Moves every fiber of `other` before those already here.
  void prepend_all(WaitList& other) {
    if (other.empty()) return;
    if (empty()) {
      tail = other.tail;
    } else {
      *other.tail = head;
    }
    head = other.head;
    other.clear();
  }

  template <class Visit>
  void each(Visit&& visit) const {
    if (empty()) return;
    for (Fiber* fiber = head;; fiber = fiber->next) {
      visit(fiber);
      if (tail == &fiber->next) return;
    }
  }
};

/// What one lane hands to a collective, on its own stack: where it was called, and in the derived types its operands.
struct LaneArgument {
  Site site;
};

/// The same for collectives of cooperative groups.
struct GroupArgument : LaneArgument {
  const Site* origin = nullptr;  // where the group was made; null or line 0: the engine knows
};

/// Of the device that a launch runs on.
struct ComputeCapability {
  unsigned major = 0;
  unsigned minor = 0;
};

/// Lanes that have met at a collective.
struct Meeting {
  LaneArgument** arguments;  // by lane
  std::uint64_t lanes;       // that take part
  std::uint64_t handed;      // those of them whose operands are in their argument, where they find their result
  std::uint64_t* offered;    // shuffles: by lane, the values of the others, with room for all
  unsigned warp_size;
  ComputeCapability capability{};
};

/// What kind of collective lanes meet at: its name for reports, and the function that computes the results once the
/// last lane has come.
struct Collective {
  const char* name;
  void (*complete)(const Meeting& meeting);
  bool shuffles = false;
  bool group = false;  // of cooperative groups: arguments are GroupArguments, and what goes wrong is `cg-misuse`
  const Collective* meets = nullptr;  // calls of this kind as well, whose arguments do not say where the group was made
  bool orders = false;                // memory: what lanes do before they meet happens before what they do afterwards
};

/// What the row says of an operation, with the function that completes it.
constexpr Collective collective_of(Operation operation, void (*complete)(const Meeting&),
                                   const Collective* meets = nullptr) {
  const OperationRow& row = row_of(operation);
  return {row.name,
          complete,
          is_shuffle(row.formula),
          row.called_by != CalledBy::mask,
          meets,
          row.orders == Orders::memory};
}

/// Those whose results the library computes, by Operation.
extern const Collective kCollectives[kOperationCount];

template <Operation kOperation>
inline constexpr const Collective& kCollectiveOf = kCollectives[static_cast<unsigned>(kOperation)];

/// Where a block has first made static tiles of one size.
struct TilesMade {
  Site site;
  std::uint32_t serial = 0;          // of the block; another's is of no use
  bool elsewhere = false;            // and at other places since: the engine knows which thread where
  std::uint64_t threads[1024 / 64];  // that have made some, by rank, as long as there is one place
};
inline constexpr unsigned kTileSizes = 6;  // 1 … 32

/// Convoys are formed in warps of this size only, so that kernels need not ask for it.
inline constexpr int kConvoyLanes = 32;

/// Lanes that have met at a shuffle and are likely to meet at another: they run one after the other, linked through
/// Fiber::next, and as long as each does nothing else that concerns the engine, nothing is counted and no list changes.
/// Each takes its own result from what the others have offered. While they run (CurrentThread::convoy), the lanes
/// before the running one have come to the next shuffle, and those behind it are ready; whoever does anything else ends
/// the convoy first, which puts both into their lists (src/execution/engine/rendezvous). All lanes have the same
/// threadIdx.z.
struct Convoy {
  const Collective* kind = nullptr;
  std::uint64_t mask = 0;            // 0: of calls that have none
  GroupArgument place{{}, &origin};  // of the shuffle that lanes come to now; the first of them may choose another
  Site origin;                       // of the group whose member it is
  // Two rows take turns: nobody offers for the next shuffle but one before all have come to the next, and so have taken
  // from this one. Other masks have convoys, and rows, of their own.
  std::uint64_t* offered = rows[0];
  std::uint64_t* offered_next = rows[1];
  Fiber* first = nullptr;
  Fiber** tail = nullptr;  // the link behind the last, which is null
  unsigned rounds = 0;     // that may be completed before others have to be asked whether it is their turn
  std::uint64_t rows[2][kMaxWarpSize] = {};
};

/// A collective at which lanes of a warp wait for others.
struct PendingCollective {
  std::uint64_t mask = 0;
  std::uint64_t arrived = 0;
  const Collective* collective = nullptr;
  std::uint64_t taking = 0;  // lanes that came in a convoy, and take their results from what it offers
  Convoy* convoy = nullptr;
  WaitList waiting;
};

/// A warp, as far as kernels see it; engine::ResidentWarp is the whole of it.
struct Warp {
  std::uint64_t live = 0;
  PendingCollective pending;  // the one that full-warp code uses; its mask and kind predict the next
  WaitList converging;        // lanes that ask which lanes are with them
  std::uint64_t converging_mask = 0;
  Block* block = nullptr;
  unsigned index = 0;
  LaneArgument* arguments[kMaxWarpSize] = {};
};

/// The rendezvous of all threads of a block that have not returned.
struct Barrier {
  unsigned arrived = 0;
  unsigned count = 0;   // predicates that were true, for __syncthreads_count and its kin
  unsigned result = 0;  // of the last phase
  std::uint64_t phase = 0;
  Operation kind = Operation::block_barrier;
  Site site{};  // of the current phase; after it, of the last, which predicts the next
  WaitList waiting;
};

/// The part that one block takes in a rendezvous wider than itself.
struct WideBarrier {
  unsigned arrived = 0;
  bool split = false;  // whoever has arrived in this phase waits later
  Site site{};
  WaitList waiting;
};

/// A resident block, as far as kernels see it; engine::ResidentBlock is the whole of it.
struct Block {
  // Read or written by every barrier.
  WaitList ready;
  unsigned live = 0;
  Barrier barrier;
  WideBarrier grid_barrier;

  std::uint64_t rank = 0;  // linear index in its grid
  uint3 index{};
  unsigned threads = 0;
  // Shared memory: an array per variable of the serial number of the block that touched it last, and the bytes.
  std::uint32_t* shared_touched = nullptr;
  char* shared = nullptr;
  std::uint32_t serial = 0;            // differs between any two blocks that use the same shared memory
  TilesMade tiles_made[kTileSizes]{};  // by the binary logarithm of their size
};

}  // namespace warpfiber::detail

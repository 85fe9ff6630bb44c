// SPDX-License-Identifier: Apache-2.0
// The functions of lanes.hpp for threads that run on fibers each. A shuffle of lanes that have met before is a convoy
// (machine.hpp): each lane offers its value and switches to the next.
#pragma once

#include <warpfiber/detail/collective.hpp>
#include <warpfiber/detail/shared_variable.hpp>

namespace warpfiber::detail::fiber_lanes {

/// The caller's lane. Where the thread has waited before, the engine knows it; else it follows from the rank, and every
/// warp that groups can be made in has a power of two of lanes.
inline WARPFIBER_INLINED unsigned lane() {
  const Fiber* self = here().waitable;
  if (WARPFIBER_LIKELY(self != nullptr)) return self->lane;
  return thread_rank() & (static_cast<unsigned>(warpSize) - 1);
}

inline WARPFIBER_INLINED void block_barrier(Site site) {
#ifdef WARPFIBER_INLINE_WAITS
  CurrentThread& current = here();
  Fiber* self = current.waitable;
  if (WARPFIBER_LIKELY(self != nullptr)) {
    current.busy = true;  // before anything is looked at that a preemption could change
    Block& block = *current.block;
    Barrier& barrier = block.barrier;
    const bool same_site = barrier.site.line == site.line && barrier.site.column == site.column &&
                           barrier.site.file == site.file && barrier.kind == Operation::block_barrier;
    if (WARPFIBER_LIKELY(same_site && barrier.arrived + 1 != block.live && !block.ready.empty())) {
      ++barrier.arrived;
      barrier.waiting.append(self);
      switch_to_ready(current, block, self);
      return;
    }
  }
#endif
  leave(arrive_at_barrier(Operation::block_barrier, false, site));
  clear_busy();
}

/// Meets all threads of the block in a vote.
template <Operation kOperation>
inline WARPFIBER_INLINED unsigned block_vote(bool predicate, Site site) {
  return wait_at_barrier(kOperation, predicate, site);
}

/// Meets the other live lanes of those `named` at `collective`; on return `*argument` holds this lane's result.
template <class Named>
inline WARPFIBER_INLINED void warp_collective(const Collective& collective, const Named& named,
                                              LaneArgument* argument) {
#ifdef WARPFIBER_INLINE_WAITS
  CurrentThread& current = here();
  Fiber* self = current.waitable;
  if (WARPFIBER_LIKELY(self != nullptr)) {
    current.busy = true;
    Block& block = *current.block;
    Warp& warp = *self->warp;
    PendingCollective& pending = warp.pending;
    const std::uint64_t mask = lanes_at(named, self->lane);
    const std::uint64_t bit = std::uint64_t{1} << self->lane;
    const bool same = pending.mask == mask && pending.collective == &collective;
    const bool last = ((pending.arrived | bit) == (mask & warp.live));
    if (WARPFIBER_LIKELY(same && !last && (mask & bit) != 0 && !block.ready.empty())) {
      pending.arrived |= bit;
      warp.arguments[self->lane] = argument;
      pending.waiting.append(self);
      switch_to_ready(current, block, self);
      return;
    }
  }
#endif
  leave(arrive_at_collective(collective, lanes_here(named), argument));
  clear_busy();
}

/// Meets them at a barrier.
template <Operation kOperation, class Named>
inline WARPFIBER_INLINED void lane_barrier(const Named& named, Site site) {
  LaneArgument argument{site};
  fiber_lanes::warp_collective(kCollectiveOf<kOperation>, named, &argument);
}

/// Meets all lanes of the warp in an operation that reads and writes each lane's argument. Whether the caller is to
/// check what has met.
template <Operation kOperation, std::derived_from<LaneArgument> Argument>
inline WARPFIBER_INLINED bool meet_with_argument(Argument* argument) {
  fiber_lanes::warp_collective(kCollectiveOf<kOperation>, kEveryLane, argument);
  return true;
}

/// Meets them in a vote, a match or a reduction.
template <Operation kOperation, class Word, class Named, std::derived_from<LaneArgument> Base>
inline WARPFIBER_INLINED std::uint64_t collect(const Named& named, Word operand, const Base& at) {
  WordOperand<Base> argument{at, operand};
  fiber_lanes::warp_collective(kCollectiveOf<kOperation>, named, &argument);
  return argument.value;
}

/// Meets them in a shuffle. `at` says where the call is, and for a group's member (Base is GroupArgument) where the
/// group was made.
template <Formula kFormula, class Named, class T, std::derived_from<LaneArgument> Base>
inline WARPFIBER_INLINED T shuffle(const Named& named, T value, int operand, int width, const Base& at) {
  constexpr const Collective& kKind = kCollectiveOf<kShuffleOf<kFormula, Base>>;
#ifdef WARPFIBER_INLINE_WAITS
  CurrentThread& current = here();
  current.busy = true;  // a preemption would end the convoy
  if (Convoy* convoy = current.convoy; WARPFIBER_LIKELY(convoy != nullptr)) {
    Fiber* self = current.fiber;
    if (WARPFIBER_LIKELY(is_expected(*convoy, self, kKind, lanes_at(named, self->lane), at))) {
      std::uint64_t* offered = convoy->offered;
      if (Fiber* next = next_in_convoy(current, *convoy, self); WARPFIBER_LIKELY(next != nullptr)) {
        const unsigned lane = self->lane;
        offered[lane] = to_bits(value);
        unsigned source = shuffle_source<kFormula>(lane, operand, width, kConvoyLanes, kConvoyLanes - 1);
        asm("" : "+r"(source));  // chosen without a branch, which the lanes at the edge would take otherwise
        const std::uint64_t* taken = &offered[source];
        asm("" : "+r"(taken));  // one word to keep
        current.fiber = next;
        __builtin_memcpy(&threadIdx, &next->thread_index, __builtin_offsetof(uint3, z));
        switch_stack(self, next);
        clear_busy();
        return from_bits<T>(*taken);
      }
    }
  }
#endif
  ShuffleOperands<Base> argument{at, to_bits(value), operand, width};
  fiber_lanes::warp_collective(kKind, named, &argument);
  return from_bits<T>(argument.value);
}

/// Bytes of a value that a shuffle takes.
template <class Named>
inline constexpr std::size_t kMostShuffled = sizeof(std::uint64_t);

/// A shuffle of the lanes that stand at the call together.
template <Formula kFormula, class T>
inline WARPFIBER_INLINED T shuffle_maskless(T value, int operand, int width, Site site) {
  ShuffleArgument argument{{site}, to_bits(value), operand, width};
  MasklessCall call;
  call.taken = &argument.value;
  const Fiber* self = current_thread.fiber;
  const unsigned lane = self != nullptr ? self->lane : 0;  // null outside a kernel, which the engine reports
  call.source = shuffle_source<kFormula>(lane, operand, width, kConvoyLanes, kConvoyLanes - 1);
  meet_maskless(kCollectiveOf<kShuffleOf<kFormula, LaneArgument>>, &argument, &call);
  return from_bits<T>(*call.taken);
}

/// A vote of theirs.
template <Operation kOperation>
inline WARPFIBER_INLINED std::uint64_t vote_maskless(bool predicate, Site site) {
  WordOperand<LaneArgument> argument{{site}, predicate};
  MasklessCall call;
  meet_maskless(kCollectiveOf<kOperation>, &argument, &call);
  return argument.value;
}

/// Notes one operation that found nothing changed; after a few of them in a row the thread lets the others run.
inline WARPFIBER_UNCHECKED void poll(const void* address, Site site) {
  if (WARPFIBER_UNLIKELY(current_thread.notes_polls) && address != nullptr) note_polled(address, site);
  if (WARPFIBER_UNLIKELY(--current_thread.polls_left <= 0)) polled_often(address, site);
}

/// An atomic has changed memory: whoever spins may now be free, and the writer itself is no spinner.
inline WARPFIBER_UNCHECKED void note_write(const void* address, Site site) {
  CurrentThread& current = current_thread;
  if (current.written == nullptr) return;
  current.polls_left = kPollsBeforeYield;
  current.has_written = true;
  WrittenWord& word = current.written[(reinterpret_cast<std::uintptr_t>(address) >> 2) % kWrittenWords];
  word.address = address;
  word.site = site;
  word.block = current.block->rank;
  word.thread = thread_rank();
  // Last, so that no register keeps the number meanwhile: by its stack, a thread in a loop would never look the same.
  if (WARPFIBER_UNLIKELY(++current.progress >= current.ask_from)) wrote_often(address, site);
}

/// Where the running block has the variable, which is poisoned when it is first touched.
inline __attribute__((always_inline)) void* shared_address(const SharedVariable& variable) {
  const Block* block = current_thread.block;
  if (WARPFIBER_UNLIKELY(block == nullptr)) shared_outside_kernel(variable);
  if (WARPFIBER_UNLIKELY(block->shared_touched[variable.index] != block->serial)) first_touch(variable);
  return block->shared + variable.offset;
}

}  // namespace warpfiber::detail::fiber_lanes

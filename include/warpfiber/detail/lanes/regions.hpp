// SPDX-License-Identifier: Apache-2.0
// The functions of lanes.hpp for kernels that a pass of the compiler makes loops over the threads of a block: calls of
// what regions.hpp declares, which the pass replaces. Warps have 32 lanes there. Groups whose lanes are known only when
// the kernel runs meet as on fibers do; the pass leaves such kernels to fibers, and so it does with what has no mask.
#pragma once

#include <warpfiber/detail/lanes/fiber_rows.hpp>
#include <warpfiber/detail/lanes/fibers.hpp>
#include <warpfiber/detail/regions.hpp>

#include <utility>

namespace warpfiber::detail::region_lanes {

using fiber_lanes::claim_and_run;
using fiber_lanes::shuffle_maskless;
using fiber_lanes::vote_maskless;
using fiber_lanes::warp_collective;

inline constexpr unsigned kRegionWarp = 32;
inline constexpr unsigned kEveryRegionLane = ~0U;

inline WARPFIBER_INLINED unsigned lane() {
  return thread_rank() % kRegionWarp;
}

inline WARPFIBER_INLINED void block_barrier(Site) {
  warpfiber_regions_block_barrier();
}

template <Operation kOperation>
inline WARPFIBER_INLINED unsigned block_vote(bool predicate, Site) {
  return warpfiber_regions_block_vote(static_cast<unsigned>(kOperation), predicate);
}

/// Whether a call of lanes that are named so is one of an intrinsic or of a static tile.
template <class Named, class Base>
inline constexpr bool kLowered = !std::is_integral_v<Named> || std::is_same_v<Base, LaneArgument>;

template <class Named>
inline WARPFIBER_INLINED unsigned region_mask([[maybe_unused]] const Named& named) {
  if constexpr (std::is_integral_v<Named>) {
    return static_cast<unsigned>(named);
  } else {
    return kEveryRegionLane;
  }
}
template <class Named>
constexpr unsigned region_threads() {
  if constexpr (std::is_integral_v<Named>) {
    return kRegionWarp;
  } else {
    return Named::kThreads;
  }
}

template <Operation kOperation, class Named>
inline WARPFIBER_INLINED void lane_barrier(const Named& named, Site) {
  warpfiber_regions_lane_barrier(region_mask(named), region_threads<Named>());
}

template <Operation kOperation, class Word, class Named, std::derived_from<LaneArgument> Base>
inline WARPFIBER_INLINED std::uint64_t collect(const Named& named, Word operand, const Base& at) {
  constexpr auto kId = static_cast<unsigned>(kOperation);
  if constexpr (!kLowered<Named, Base>) {
    return fiber_lanes::collect<kOperation>(named, operand, at);
  } else if constexpr (sizeof(Word) <= sizeof(unsigned)) {
    return warpfiber_regions_collect32(region_mask(named), region_threads<Named>(), kId, operand);
  } else {
    return warpfiber_regions_collect64(region_mask(named), region_threads<Named>(), kId, operand);
  }
}

/// Each lane brings the address of its argument. A region cannot end the launch: where the meeting violates a rule,
/// fibers run the block again (src/models/machine/region_meetings.hpp).
template <Operation kOperation, std::derived_from<LaneArgument> Argument>
inline WARPFIBER_INLINED bool meet_with_argument(Argument* argument) {
  warpfiber_regions_collect64(kEveryRegionLane, kRegionWarp, static_cast<unsigned>(kOperation),
                              reinterpret_cast<std::uintptr_t>(argument));
  return false;
}

/// Values of any size that groups shuffle.
template <class Named>
inline constexpr std::size_t kMostShuffled = kLowered<Named, GroupArgument> ? 32 : sizeof(std::uint64_t);

template <std::size_t kBytes>
struct Words {
  std::uint64_t words[(kBytes + 7) / 8] = {};

  template <class T>
  T as() const {
    struct Bytes {
      unsigned char bytes[sizeof(T)];
    } value;
    __builtin_memcpy(&value, words, sizeof(T));
    return std::bit_cast<T>(value);
  }
};

template <std::size_t kBytes, std::size_t... kAt>
inline WARPFIBER_INLINED void exchange(Words<kBytes>& words, unsigned mask, unsigned threads, unsigned source,
                                       std::index_sequence<kAt...>) {
  ((words.words[kAt] = warpfiber_regions_shuffle64(mask, threads, words.words[kAt], source)), ...);
}

template <Formula kFormula, class Named, class T, std::derived_from<LaneArgument> Base>
inline WARPFIBER_INLINED T shuffle(const Named& named, T value, int operand, int width, const Base& at) {
  if constexpr (!kLowered<Named, Base>) {
    return fiber_lanes::shuffle<kFormula>(named, value, operand, width, at);
  } else {
    const unsigned source = shuffle_source<kFormula>(lane(), operand, width, kRegionWarp, kRegionWarp - 1);
    const unsigned mask = region_mask(named);
    constexpr unsigned kThreads = region_threads<Named>();
    if constexpr (sizeof(T) <= sizeof(unsigned)) {
      const auto word = static_cast<unsigned>(to_bits(value));
      return from_bits<T>(warpfiber_regions_shuffle32(mask, kThreads, word, source));
    } else if constexpr (sizeof(T) <= sizeof(std::uint64_t)) {
      return from_bits<T>(warpfiber_regions_shuffle64(mask, kThreads, to_bits(value), source));
    } else {
      Words<sizeof(T)> words;  // a meeting for each
      __builtin_memcpy(&words, &value, sizeof(T));
      exchange(words, mask, kThreads, source, std::make_index_sequence<sizeof words / sizeof(std::uint64_t)>());
      return words.template as<T>();
    }
  }
}

/// No region has a loop that waits, so no thread has to yield.
inline void poll(const void*, Site) {}

/// What a region writes the engine takes note of when its block has run.
inline void note_write(const void*, Site) {}

inline __attribute__((always_inline)) void* shared_address(const SharedVariable& variable) {
  return warpfiber_regions_shared(&variable);
}

}  // namespace warpfiber::detail::region_lanes

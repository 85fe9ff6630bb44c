// SPDX-License-Identifier: Apache-2.0
// Meetings of threads that run as loops: called by the functions that the compiler's plugin makes
// (src/compiler/regions) between two loops over the threads of a block. Threads are numbered from 0, and lanes of a
// warp are 32 of them; the code that a thread runs next, up to its next meeting, is a region with a number.
#pragma once

#include <warpfiber/detail/machine.hpp>
#include <warpfiber/detail/region_meetings.hpp>
#include <warpfiber/detail/regions.hpp>

#include <cstdint>

extern "C" {

/// For whom a region runs: threads from `first` to before `end`, all of them or those that `active` says.
struct WarpfiberRegionThreads {
  std::uint32_t first;
  std::uint32_t end;
  std::uint32_t all;
};

/// Which region runs next, for which threads. `next` says by thread which it has come to; `active` (by thread) and
/// `threads_of` are set; `lanes` is by region how many lanes meet in front of it, 0 for the whole block. Where those
/// are lanes of a mask (kLanesOfMask), `masks` is by region the masks that threads have named. Regions behind meetings
/// of lanes run first, for the groups whose live lanes have all come; one behind a block's barrier runs once all live
/// threads have.
unsigned warpfiber_regions_next(const std::uint8_t* next, std::uint8_t* active, WarpfiberRegionThreads* threads_of,
                                unsigned threads, const std::uint8_t* lanes, const std::uint32_t* const* masks);

/// Makes zeros of what threads that have returned have left in `exchange`, an array of elements of `bytes` bytes each.
void warpfiber_regions_forget_returned(void* exchange, unsigned bytes, const std::uint8_t* next, unsigned threads);

/// What a vote of the block gives, by the row of `operation` (detail::Operation): one result. `next` as above, or null
/// where no thread has returned.
void warpfiber_regions_block_collective(unsigned operation, const std::uint32_t* brought, std::uint32_t* result,
                                        const std::uint8_t* next, unsigned threads);

/// What the lanes of each group of `lanes` get by the row of `operation` that have brought an element each of
/// `brought`. Operands and results have `words` words of 32 bits, 1 or 2.
void warpfiber_regions_collective(unsigned operation, unsigned words, unsigned lanes, const void* brought,
                                  void* results, const std::uint8_t* next, unsigned threads);

/// The same for the lanes that run the region behind the meeting, each with those of its mask.
void warpfiber_regions_masked_collective(unsigned operation, unsigned words, const void* brought, void* results,
                                         const std::uint8_t* next, const std::uint8_t* active,
                                         const WarpfiberRegionThreads* threads_of, const std::uint32_t* masks);

}  // extern "C"

namespace warpfiber::machine {

/// What meetings need to know of the device whose blocks the calling OS thread runs. The engine sets it.
struct RegionDevice {
  detail::ComputeCapability capability;
  bool has_misuse = false;  // a meeting has violated a rule; fibers are to run the block again, which report it

  static RegionDevice& of_thread() { return of_thread_; }

 private:
  static constinit thread_local RegionDevice of_thread_;
};

}  // namespace warpfiber::machine

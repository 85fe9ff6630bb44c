// SPDX-License-Identifier: Apache-2.0
// Regions: a kernel as loops over the threads of a block between its barriers, the second way to run it. The sidecar
// compilation of a translated file (kRunsAsRegions) calls the functions below where threads meet; a pass of the
// compiler replaces each of them and makes one function of a kernel that runs a whole block. The program registers
// those, and the engine calls them in launches that fit. Functions of meetings have no definition: a call
// that the pass has overlooked does not link.
#pragma once

#include <cstdint>

/// A number that differs between translation units of which regions are made; 0: none are.
#ifndef WARPFIBER_UNIT
#define WARPFIBER_UNIT 0
#define WARPFIBER_NEEDED_BY_REGIONS
#else
/// Of a variable that regions refer to: it stays as it is, whatever the compiler sees of its uses.
#define WARPFIBER_NEEDED_BY_REGIONS [[gnu::used]]
#endif

/// A kernel that a pass has made a function for blocks of. Constant, and there for ever.
struct WarpfiberRegions {
  const char* name;    // std::type_info's of the class that stands for the kernel, as KernelRecord::type_name says it
  std::uint64_t unit;  // of the translation unit, as KernelRecord::unit
  // Run a block on the caller's stack, and return one of the numbers of region_meetings.hpp. For processors of
  // x86-64-v2, -v3 and -v4; null: none.
  unsigned (*run[3])(const void* closure);
  std::uint64_t stack_bytes;       // that a call takes
  std::uint64_t needs_whole_rows;  // 1: blocks have one row of threads, or rows of whole warps
};

/// Makes them known, as long as the program or library that calls it is loaded. Called while that is initialised,
/// before or after its kernels are made known.
extern "C" void warpfiber_register_regions(const WarpfiberRegions* regions);

namespace warpfiber::detail {

struct SharedVariable;

}  // namespace warpfiber::detail

extern "C" {

/// Adds as the device does and returns what stood there; the atomics that take a loop here. They neither wait nor read
/// built-in variables (src/execution/intrinsics/region_atomics.cpp).
float warpfiber_regions_plain_add_float(float* address, float value);
unsigned warpfiber_regions_plain_increment(unsigned* address, unsigned last);
unsigned warpfiber_regions_plain_decrement(unsigned* address, unsigned last);
/// Of the bits of numbers.
unsigned short warpfiber_regions_plain_add_half(unsigned short* address, unsigned short value);
unsigned short warpfiber_regions_plain_add_bfloat16(unsigned short* address, unsigned short value);

#ifdef __clang__
#define WARPFIBER_MEETING __attribute__((convergent, nomerge, nothrow))
/// Of the function that a pass makes one of that runs a block.
#define WARPFIBER_BLOCK_FUNCTION [[gnu::used, clang::annotate("warpfiber_block")]]
#else
#define WARPFIBER_MEETING __attribute__((nothrow))
#define WARPFIBER_BLOCK_FUNCTION
#endif

/// Names the kernel that the calling function is of.
void warpfiber_regions_kernel(const char* name, unsigned long long unit);

/// All threads of the block meet. `operation` is the number of a row of the operations' table, a constant: a vote.
WARPFIBER_MEETING void warpfiber_regions_block_barrier();
WARPFIBER_MEETING unsigned warpfiber_regions_block_vote(unsigned operation, bool predicate);

// Lanes of a warp or of a static tile meet: `lanes` is the number of threads, a constant, and `mask` what the call
// names, ~0 for a tile.
WARPFIBER_MEETING void warpfiber_regions_lane_barrier(unsigned mask, unsigned lanes);
/// `source`: lane of the warp that the value comes from; a lane that is not there gives 0.
WARPFIBER_MEETING unsigned warpfiber_regions_shuffle32(unsigned mask, unsigned lanes, unsigned value, unsigned source);
WARPFIBER_MEETING unsigned long long warpfiber_regions_shuffle64(unsigned mask, unsigned lanes,
                                                                 unsigned long long value, unsigned source);
/// A vote, a match or a reduction; sets of lanes are those of the warp.
WARPFIBER_MEETING unsigned warpfiber_regions_collect32(unsigned mask, unsigned lanes, unsigned operation,
                                                       unsigned operand);
WARPFIBER_MEETING unsigned long long warpfiber_regions_collect64(unsigned mask, unsigned lanes, unsigned operation,
                                                                 unsigned long long operand);

/// Where the block has the variable, which is poisoned when it is first touched.
__attribute__((const, nothrow)) void* warpfiber_regions_shared(const warpfiber::detail::SharedVariable* variable);

}  // extern "C"

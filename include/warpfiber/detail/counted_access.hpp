// SPDX-License-Identifier: Apache-2.0
// Accesses that checked programs count instead of reporting. Where threads with neighbouring indices access
// neighbouring words of four bytes by one instruction, only the first of them calls the hook: it may have the
// instruction's counter (thread-local, 8 bytes) hold which access comes next. A thread that makes exactly that
// one advances the counter by counted_step and calls no hook; any other access calls it. Counted accesses are flushed
// before anything that could make a difference (src/analysis/check/counted/counted_accesses.cpp). The calls are
// replaced in the text that g++ hands to the assembler (src/compiler/instrument/checked_assembly.cpp). A thread is not
// preempted between its look at the counter and the instruction that advances it, which
// src/compiler/instrument/marked_instructions.cpp has the bytes of. Code for shared libraries, other processors and
// other compilers calls the hooks throughout.
#pragma once

#include <warpfiber/detail/assembly_request.hpp>
#include <warpfiber/detail/config.hpp>

#include <cstdint>

namespace warpfiber::detail {

/// What a counter holds while it counts: the address of the next access and the x of the thread that makes it.
constexpr std::uint64_t counted_state(std::uint64_t address, unsigned x) {
  return (address << 16) + x;
}
inline constexpr std::uint64_t counted_step = 0x40001;
static_assert(counted_state(4, 1) == counted_step);
/// What it holds otherwise: no block has a thread with that x.
inline constexpr std::uint64_t counted_nothing = ~std::uint64_t{0};

/// What the shadow of a row's accesses will need from memory: it is loaded while the row runs, a little at a time.
struct WordsToCome {
  static constexpr unsigned kAtOnce = 8;  // of threads, each with a word of 8 bytes in every row of words
  static constexpr unsigned kMost = 4;

  __attribute__((always_inline, no_sanitize("thread"))) void load(unsigned x) const {
    if (count == 0) return;
#pragma GCC unroll 4
    for (unsigned i = 0; i < kMost; ++i) __builtin_prefetch(rows[i] + x);
  }

  const std::uint64_t* rows[kMost];  // any of them again where there are fewer
  unsigned count;
};
extern constinit thread_local WordsToCome words_to_come WARPFIBER_OF_THREAD("warpfiber_words_to_come");

}  // namespace warpfiber::detail

#if defined(WARPFIBER_CHECKED) && defined(WARPFIBER_ARCH_EDITS_TEXT)
#ifdef WARPFIBER_WHOLE_PROGRAM
WARPFIBER_ASSEMBLY_REQUEST(warpfiber_option_B_is_missing_for_program_counts);
#else
WARPFIBER_ASSEMBLY_REQUEST(warpfiber_option_B_is_missing_for_counts);
#endif
#endif

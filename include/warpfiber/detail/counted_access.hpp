// SPDX-License-Identifier: Apache-2.0
// Accesses that checked programs count instead of reporting. Where threads with neighbouring indices access
// neighbouring words of four bytes by one instruction, only the first of them calls the hook: it may have the
// instruction's counter (thread-local, 8 bytes) hold which access comes next. A thread that makes exactly that
// one advances the counter by counted_step and calls no hook; any other access calls it. Counted accesses are flushed
// before anything that could make a difference (src/check/counted/counted_accesses.cpp). g++ asks its assembler for the
// calls, so that is where they are replaced. A thread is not preempted between its look at the counter and the
// instruction that advances it, which src/instrument/marked_instructions.cpp has the bytes of. Code for shared
// libraries, other processors and other compilers calls the hooks throughout.
#pragma once

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
extern constinit thread_local WordsToCome words_to_come WARPFIBER_TLS_MODEL;

}  // namespace warpfiber::detail

#if defined(WARPFIBER_CHECKED) && defined(__x86_64__) && defined(__LP64__) && defined(__linux__) && \
    !defined(__clang__) && (!defined(__PIC__) || defined(__PIE__))
// Adds threadIdx.x and .y in one load. Only in blocks of one row does a counter count, so its y is 0; with any other
// the sum is no counter's, nor is it counted_nothing.
#ifdef WARPFIBER_WHOLE_PROGRAM
#define WARPFIBER_ADD_INDEX "addq %fs:threadIdx@tpoff, %rax"
#else
#define WARPFIBER_ADD_INDEX "movq threadIdx@gottpoff(%rip), %rdx\n\taddq %fs:(%rdx), %rax"
#endif
// Link-time optimisation makes one file of several.
__asm__(R"(
.ifndef .Lwarpfiber_counts
.set .Lwarpfiber_counts, 1
.macro warpfiber_count hook
	.pushsection .tdata,"awT",@progbits
	.balign 8
.Lwarpfiber_counter\@:
	.quad	-1
	.popsection
	imulq	$0x10000, %rdi, %rax
)" WARPFIBER_ADD_INDEX R"(
	cmpq	%rax, %fs:.Lwarpfiber_counter\@@tpoff
	je	.Lwarpfiber_next\@
	movq	$.Lwarpfiber_counter\@@tpoff, %rsi
	callq	\hook
	jmp	.Lwarpfiber_told\@
.Lwarpfiber_next\@:
	.byte	0x64, 0x48, 0x81, 0x04, 0x25	# addq $0x40001, %fs:counter
	.long	.Lwarpfiber_counter\@@tpoff, 0x40001
.Lwarpfiber_told\@:
.endm
.macro call target:vararg
	.ifeqs "\target", "__tsan_read4@PLT"
	warpfiber_count warpfiber_read4
	.else
	.ifeqs "\target", "__tsan_read4"
	warpfiber_count warpfiber_read4
	.else
	.ifeqs "\target", "__tsan_write4@PLT"
	warpfiber_count warpfiber_write4
	.else
	.ifeqs "\target", "__tsan_write4"
	warpfiber_count warpfiber_write4
	.else
	callq	\target
	.endif
	.endif
	.endif
	.endif
.endm
.endif
)");
#undef WARPFIBER_ADD_INDEX
#endif

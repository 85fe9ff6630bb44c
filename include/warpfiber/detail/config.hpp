// SPDX-License-Identifier: Apache-2.0
// What the build decided and what a translation unit may not change on its own: which switch fibers use, and whether
// fast paths may be inlined into kernels.
#pragma once

#include <warpfiber/detail/arch/processor.hpp>

// The hand-written switch knows System V x86-64 only. Everything else, and builds that ask for it, use Boost.Context.
#if !defined(WARPFIBER_PORTABLE_SWITCH) && !defined(WARPFIBER_ARCH_X86_64)
#define WARPFIBER_PORTABLE_SWITCH 1
#endif

// AddressSanitizer must know of every switch, which only the library's own out-of-line switch does.
#if defined(__SANITIZE_ADDRESS__)
#define WARPFIBER_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WARPFIBER_ADDRESS_SANITIZER 1
#endif
#endif

// Built with -G. A debugger steps over calls, so it follows a thread through a wait whose switch is in a called
// function.
#if defined(WARPFIBER_ADDRESS_SANITIZER) || defined(__CUDACC_DEBUG__)
#define WARPFIBER_CALLED_SWITCH 1
#endif

// How the kernels of the translation unit run: each thread on a fiber; the same with hooks at all accesses, which
// report them to the checker; or as loops over the threads of a block, made by a pass of the compiler. The functions
// that differ are in lanes/; elsewhere nothing asks for the macros. The translator looks for what kRunsAsRegions is
// made of (src/compiler/translate/translate.cpp).
#if defined(WARPFIBER_REGIONS)
#define WARPFIBER_EXECUTION regions
#elif defined(WARPFIBER_CHECKED)
#define WARPFIBER_EXECUTION checked
#else
#define WARPFIBER_EXECUTION fibers
#endif
namespace warpfiber::detail {
enum class Execution : unsigned char { fibers, checked, regions };
constexpr bool kRunsAsRegions = Execution::WARPFIBER_EXECUTION == Execution::regions;
constexpr bool kHasHooks = Execution::WARPFIBER_EXECUTION == Execution::checked;
}  // namespace warpfiber::detail

// The checker of a program with access hooks sees what the engine does, not what is inlined into the kernel. Kernels
// that are made loops over threads wait in none of the ways that are inlined.
#if !defined(WARPFIBER_CALLED_SWITCH) && !defined(WARPFIBER_CHECKED) && !defined(WARPFIBER_REGIONS)
#define WARPFIBER_INLINE_WAITS 1
#endif

// For functions in which threads wait, and what they are made of.
#if defined(__CUDACC_DEBUG__) && !defined(WARPFIBER_CHECKED)
#define WARPFIBER_INLINED
#else
#define WARPFIBER_INLINED __attribute__((always_inline))
#endif

// For functions whose accesses are the engine's or are reported to the checker in another way. They are not inlined
// into functions whose accesses are reported.
#ifdef WARPFIBER_CHECKED
#define WARPFIBER_UNCHECKED __attribute__((no_sanitize("thread"), noinline))
// Functions that access the user's memory: the access is reported at the line of the call only where they are inlined.
#define WARPFIBER_AT_CALLER __attribute__((always_inline))
#else
#define WARPFIBER_UNCHECKED
#define WARPFIBER_AT_CALLER
#endif

// Built-in variables. In checked programs they are constant, as in CUDA: compilers do not report accesses to constants,
// so that reading an index costs no call of a hook. The engine changes them between functions that may read them, never
// within one. What has a constructor g++ takes for no constant, so extents have a type there that only converts to
// dim3.
#ifdef WARPFIBER_CHECKED
#define WARPFIBER_BUILT_IN extern constinit thread_local const
#define WARPFIBER_BUILT_IN_EXTENT warpfiber::detail::BuiltInExtent
#else
#define WARPFIBER_BUILT_IN extern constinit thread_local
#define WARPFIBER_BUILT_IN_EXTENT dim3
#endif

#define WARPFIBER_LIKELY(x) __builtin_expect(static_cast<bool>(x), 1)
#define WARPFIBER_UNLIKELY(x) __builtin_expect(static_cast<bool>(x), 0)

// A call that lanes may come to together. clang++ would make one call of two that stand on both sides of a branch.
#ifdef __clang__
#define WARPFIBER_NO_MERGE __attribute__((nomerge))
#else
#define WARPFIBER_NO_MERGE
#endif

// Thread-local data is read on every index and every barrier. A program that has the runtime in it knows the place of
// the data; a program that loads the runtime at its start reads it from a table. A library may be loaded when the space
// for data of that kind is used up, and finds it by a call, which the linker replaces where the code becomes part of a
// program.
// A program has the variables of thread_variables.cpp itself; the others are in the runtime, wherever that is. Each of
// these has two symbols, because GNU ld puts the place into the instruction only where no library of the program names
// the symbol: what the runtime and other libraries name ends in _in_process.
#if defined(WARPFIBER_OF_LOADED_LIBRARY)
#define WARPFIBER_RUNTIMES_TLS_MODEL
#else
#define WARPFIBER_RUNTIMES_TLS_MODEL __attribute__((tls_model("initial-exec")))
#endif
#if defined(WARPFIBER_WHOLE_PROGRAM)
#define WARPFIBER_TLS_MODEL __attribute__((tls_model("local-exec")))
#else
#define WARPFIBER_TLS_MODEL WARPFIBER_RUNTIMES_TLS_MODEL
#endif
#if defined(WARPFIBER_OF_LOADED_LIBRARY)
#define WARPFIBER_OF_THREAD(symbol) asm(symbol "_in_process") WARPFIBER_TLS_MODEL
#else
#define WARPFIBER_OF_THREAD(symbol) asm(symbol) WARPFIBER_TLS_MODEL
#endif

// SPDX-License-Identifier: Apache-2.0
// What the build decided and what a translation unit may not change on its own: which switch fibers use, and whether
// fast paths may be inlined into kernels.
#pragma once

// The hand-written switch knows System V x86-64 only. Everything else, and builds that ask for it, use Boost.Context.
#if !defined(WARPFIBER_PORTABLE_SWITCH) && !(defined(__x86_64__) && defined(__linux__))
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

// The checker of a program with access hooks sees what the engine does, not what is inlined into the kernel. Kernels
// that are made loops over threads (regions.hpp) wait in none of the ways that are inlined.
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

#define WARPFIBER_LIKELY(x) __builtin_expect(static_cast<bool>(x), 1)
#define WARPFIBER_UNLIKELY(x) __builtin_expect(static_cast<bool>(x), 0)

// A call that lanes may come to together. clang++ would make one call of two that stand on both sides of a branch.
#ifdef __clang__
#define WARPFIBER_NO_MERGE __attribute__((nomerge))
#else
#define WARPFIBER_NO_MERGE
#endif

// Thread-local data is read on every index and every barrier: never through a call, also from a shared library. A
// program that one command makes has the runtime in it, so the place of its data is known.
#ifdef WARPFIBER_WHOLE_PROGRAM
#define WARPFIBER_TLS_MODEL __attribute__((tls_model("local-exec")))
#else
#define WARPFIBER_TLS_MODEL __attribute__((tls_model("initial-exec")))
#endif

// SPDX-License-Identifier: Apache-2.0
//
// What is kept for the thread of a kernel that runs on an OS thread: CUDA's built-in variables and their neighbours.
// The engine writes them; rooms below it, checkers, traces and profiles among them, read them. All that code of a
// program names is here: a program that loads the runtime has these variables itself, as this one object
// (libwarpfiber_program.a), so that it knows their places, and the runtime uses the program's.
#include <warpfiber/detail/checked.hpp>
#include <warpfiber/detail/claim.hpp>
#include <warpfiber/detail/counted_access.hpp>
#include <warpfiber/detail/current_thread.hpp>
#include <warpfiber/intrinsics/carry.hpp>

#include <cstdint>

// A definition does not take over the model of the declaration before it.
alignas(sizeof(std::uint64_t)) constinit thread_local uint3 threadIdx WARPFIBER_TLS_MODEL{};  // x and y read at once
constinit thread_local uint3 blockIdx WARPFIBER_TLS_MODEL{};
constinit thread_local dim3 blockDim WARPFIBER_TLS_MODEL{};
constinit thread_local dim3 gridDim WARPFIBER_TLS_MODEL{};
constinit thread_local int warpSize WARPFIBER_TLS_MODEL = 32;

namespace warpfiber::detail {

// Kept under link-time optimisation, which does not see that assembly names it.
[[gnu::used]] constinit thread_local CurrentThread current_thread WARPFIBER_TLS_MODEL;

constinit thread_local HeldBody held_body WARPFIBER_TLS_MODEL{};
constinit thread_local WordsToCome words_to_come WARPFIBER_TLS_MODEL{};
constinit thread_local unsigned checked_scope WARPFIBER_TLS_MODEL = checked_device_scope;
constinit thread_local bool carry_flag WARPFIBER_TLS_MODEL = false;

}  // namespace warpfiber::detail

// The symbols by which a program names them (WARPFIBER_OF_THREAD): this file is compiled as part of a library. In
// libwarpfiber_program.a they are hidden, so that a linker knows that no library names them.
#ifdef WARPFIBER_HIDES_VARIABLES
#define WARPFIBER_IN_PROGRAM(symbol) asm(symbol) __attribute__((alias(symbol "_in_process"), visibility("hidden")))
#else
#define WARPFIBER_IN_PROGRAM(symbol) asm(symbol) __attribute__((alias(symbol "_in_process")))
#endif

namespace warpfiber::detail::in_program {

extern thread_local uint3 thread_index WARPFIBER_IN_PROGRAM("threadIdx");
extern thread_local uint3 block_index WARPFIBER_IN_PROGRAM("blockIdx");
extern thread_local dim3 block_extent WARPFIBER_IN_PROGRAM("blockDim");
extern thread_local dim3 grid_extent WARPFIBER_IN_PROGRAM("gridDim");
extern thread_local int warp_size WARPFIBER_IN_PROGRAM("warpSize");
extern thread_local CurrentThread current_thread WARPFIBER_IN_PROGRAM("warpfiber_current_thread");
extern thread_local HeldBody held_body WARPFIBER_IN_PROGRAM("warpfiber_held_body");
extern thread_local WordsToCome words_to_come WARPFIBER_IN_PROGRAM("warpfiber_words_to_come");
extern thread_local unsigned checked_scope WARPFIBER_IN_PROGRAM("warpfiber_checked_scope");
extern thread_local bool carry_flag WARPFIBER_IN_PROGRAM("warpfiber_carry_flag");

}  // namespace warpfiber::detail::in_program

// SPDX-License-Identifier: Apache-2.0
// The program's own signal handlers. Stacks of kernels' threads have no room for them, and what they do is no kernel's
// doing: while an OS thread runs kernels its signals are held back, and each tick lets those that have come be handled
// on a stack with room. Linux.
#pragma once

#include <signal.h>
#include <ucontext.h>

namespace warpfiber::engine {

/// From now on signals wait for deliver_held(), all but faults, ticks and those that stop or end a process at once.
/// `own`: takes the calling OS thread's mask.
void hold_signals(sigset_t& own);

/// The OS thread ends.
void forget_room();

/// Only unblocks those that are needed to run kernels.
void need_signals(sigset_t& own);

/// Handles what has come, as if the thread had its own mask and its own stack for handlers. Called by a tick, with what
/// it has interrupted: handlers find that, and may change its registers and the thread's own mask.
void deliver_held(sigset_t& own, const stack_t& own_stack, ucontext_t& interrupted);

/// Calls work(data), which does not return, on a stack with room, with the thread's own mask and its own stack for
/// handlers. Within a handler of the program, where all that is so, at once.
[[noreturn]] void go_on_as_host(const sigset_t& own, const stack_t& own_stack, void (*work)(void*), void* data);

/// Calls the handler of a program that this library's has taken the place of; false where it has none.
bool call_handler(const struct sigaction& handler, int signal, siginfo_t* info, void* context);

}  // namespace warpfiber::engine

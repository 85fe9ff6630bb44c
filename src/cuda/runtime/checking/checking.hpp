// SPDX-License-Identifier: Apache-2.0
// Connects the checker with the host program: what copies and fills define and touch, what is allocated and freed, and
// what the program itself does to memory that kernels can reach. For launches the checker is an observer of the
// engine's (record/observer.hpp), with what it has to ask of debug information.
#pragma once

#include <cstddef>

#include "record/observer.hpp"

namespace warpfiber::runtime {

/// Launches of this process are checked from now on, unless the session says otherwise. Called by the hooks of a
/// checked program before main().
void begin_checking(const void* code);

/// The library that `code` is in is unloaded, or the process ends, which makes no difference to what is checked. Called
/// by the hooks of a library.
void end_checking(const void* code);

/// A thread of the host program reads or writes device memory. Called by the hooks, which give the instruction after
/// the access's call. Does nothing inside kernels.
void host_touches(const void* address, std::size_t bytes, bool write, const void* returns_to);

/// The same for an access that is atomic or volatile, which may be how the program and a running kernel wait for each
/// other: what came before it on one side is then known to the other.
void host_signals(bool read, bool write);

/// Makes a checker for each worker of launches that are checked. Any thread may call.
record::ObserverFactory& launch_checkers();

}  // namespace warpfiber::runtime

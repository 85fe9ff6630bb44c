// SPDX-License-Identifier: Apache-2.0
// Whole blocks that one function runs, GridRequest::run_block, in place of a fiber for each thread that waits. Fibers
// run the blocks of a launch that does not fit, and what is left of one in which such a function did not get through.
#pragma once

#include <warpfiber/detail/shared_variable.hpp>

#include <cstddef>
#include <cstdint>

#include "engine/state/worker_state.hpp"

namespace warpfiber::engine {

/// Whether blocks of the launch are run so: threads run in the order of their numbers, no observer gets events of each
/// of them, and none waits for threads of other blocks.
bool runs_by_functions(const GridRequest& request);

/// The life of a fiber that runs blocks so. What is left to fibers it does as they do, from then on.
[[noreturn]] void live_by_block_functions();

}  // namespace warpfiber::engine

/// Whether the running fiber's stack has room for a frame down to `end`. Long functions ask first, and return
/// detail::kBlockNotBegun if not.
extern "C" unsigned warpfiber_regions_frame_fits(std::uintptr_t end);

// The function shows what its block has, where its threads have met and CurrentThread::ask_from says so
// (liveness/loop_looks.hpp).
extern "C" void warpfiber_regions_see(const void* place, std::size_t bytes);
/// That was all, behind meeting `head`; `counts`: nothing, as a count will end all loops that the block is in.
extern "C" void warpfiber_regions_seen(unsigned head, unsigned counts);

/// Where the running block has the variable. Called by functions that run a block, before what depends on threads.
extern "C" __attribute__((nothrow)) void* warpfiber_regions_shared(const warpfiber::detail::SharedVariable* variable);

// SPDX-License-Identifier: Apache-2.0
// What a thread of a kernel does that concerns other threads: a dozen functions, of which there are three forms, for
// kernels on fibers, for checked ones and for those that run as loops (Execution in config.hpp). The translation unit
// has one of them; intrinsics, groups and atomics are written in terms of these and ask for no macro.
#pragma once

#include <warpfiber/detail/config.hpp>

#if defined(WARPFIBER_REGIONS)
#include <warpfiber/detail/lanes/regions.hpp>
namespace warpfiber::detail {
namespace executor = region_lanes;
}
#elif defined(WARPFIBER_CHECKED)
#include <warpfiber/detail/lanes/checked.hpp>
#include <warpfiber/detail/lanes/shared_slots.hpp>
namespace warpfiber::detail {
namespace executor = checked_lanes;
}
#else
#include <warpfiber/detail/lanes/fiber_rows.hpp>
#include <warpfiber/detail/lanes/fibers.hpp>
#include <warpfiber/detail/lanes/shared_slots.hpp>
namespace warpfiber::detail {
namespace executor = fiber_lanes;
}
#endif

namespace warpfiber::detail {

using executor::block_barrier;
using executor::block_vote;
using executor::claim_and_run;
using executor::collect;
using executor::kMostShuffled;
using executor::lane;
using executor::lane_barrier;
using executor::meet_with_argument;
using executor::note_write;
using executor::poll;
using executor::shared_address;
using executor::shuffle;
using executor::shuffle_maskless;
using executor::vote_maskless;
using executor::warp_collective;

/// What a fiber does that runs `Body`, found through CurrentThread::closure. The switches are inlined in
/// what the kernel calls, so no return address is ever mispredicted.
template <class Body>
[[noreturn]] WARPFIBER_UNCHECKED void run_threads() {
  const Body& body = *static_cast<const Body*>(current_thread.closure);
  current_thread.straight_line_body = kStraightLine<Body>;
  claim_and_run(body);
}

}  // namespace warpfiber::detail

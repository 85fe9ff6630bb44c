// SPDX-License-Identifier: Apache-2.0
// Numbers that functions of blocks pass to the library where their threads meet. The compiler's plugin writes them into
// these functions (src/compiler/regions), and the library reads them (src/models/machine/region_meetings.hpp).
#pragma once

namespace warpfiber::detail {

/// Instead of a region's number: the thread has returned, and no thread can go on.
inline constexpr unsigned kThreadReturned = 255;
inline constexpr unsigned kThreadsStuck = 254;

/// Instead of a number of lanes: those of one warp that the threads' masks name.
inline constexpr unsigned kLanesOfMask = 255;

/// Where CurrentThread::progress and ask_from are, in bytes.
inline constexpr unsigned kPlaceOfProgress = 72;
inline constexpr unsigned kPlaceOfAskFrom = 64;

/// What a function that runs a block returns: all threads have returned; the block has to be run again by fibers; it
/// has not begun for want of stack, and fibers run it in its place.
inline constexpr unsigned kBlockDone = 0;
inline constexpr unsigned kBlockToRepeat = 1;
inline constexpr unsigned kBlockNotBegun = 2;

}  // namespace warpfiber::detail

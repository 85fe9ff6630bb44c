// SPDX-License-Identifier: Apache-2.0
// CUDA's built-in functions that concern a whole block or the device: barriers, fences, time, traps.
// All of them are called by threads inside a kernel. Sources: CUDA C++ Programming Guide, "Synchronization Functions",
// "Memory Fence Functions", "Time Function", "Trap Function", "Nanosleep Function".
#pragma once

#include <warpfiber/detail/checked.hpp>
#include <warpfiber/detail/lanes/lanes.hpp>
#include <warpfiber/detail/qualifiers.hpp>

/// Waits until every thread of the block that has not returned reaches this call.
/// Two calls that meet in one phase are `barrier-divergence`, which ends the launch unless each is of whole warps.
inline WARPFIBER_INLINED void __syncthreads(warpfiber::Site site = warpfiber::Site::here()) {
  warpfiber::detail::block_barrier(site);
}

/// __syncthreads() that returns how many threads brought a nonzero predicate.
inline int __syncthreads_count(int predicate, warpfiber::Site site = warpfiber::Site::here()) {
  return static_cast<int>(
      warpfiber::detail::block_vote<warpfiber::detail::Operation::block_count>(predicate != 0, site));
}

/// __syncthreads() that returns nonzero if and only if every thread brought a nonzero predicate.
inline int __syncthreads_and(int predicate, warpfiber::Site site = warpfiber::Site::here()) {
  return static_cast<int>(warpfiber::detail::block_vote<warpfiber::detail::Operation::block_all>(predicate != 0, site));
}

/// __syncthreads() that returns nonzero if and only if some thread brought a nonzero predicate.
inline int __syncthreads_or(int predicate, warpfiber::Site site = warpfiber::Site::here()) {
  return static_cast<int>(warpfiber::detail::block_vote<warpfiber::detail::Operation::block_any>(predicate != 0, site));
}

/// Orders the caller's memory accesses for its block. Threads of a block share a host thread, so the compiler is all
/// that has to be held back; like every fence it counts as a poll of a thread that may be spinning.
inline void __threadfence_block(warpfiber::Site site = warpfiber::Site::here()) {
  warpfiber::detail::checked_meets_some();
  warpfiber::detail::block_fence(__ATOMIC_SEQ_CST);
  warpfiber::detail::poll(nullptr, site);
}

/// Orders the caller's memory accesses for every thread of the device.
inline void __threadfence(warpfiber::Site site = warpfiber::Site::here()) {
  warpfiber::detail::checked_meets_some();
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  warpfiber::detail::poll(nullptr, site);
}

/// Orders the caller's memory accesses for every thread of its cluster.
inline void __threadfence_cluster(warpfiber::Site site = warpfiber::Site::here()) {
  __threadfence(site);
}

/// Orders the caller's memory accesses for every thread of all devices and of the host.
inline void __threadfence_system(warpfiber::Site site = warpfiber::Site::here()) {
  __threadfence(site);
}

/// Lets other threads run before the caller continues. The time is a hint on the device and is not waited for here.
inline void __nanosleep(unsigned /*nanoseconds*/, warpfiber::Site site = warpfiber::Site::here()) {
  warpfiber::detail::sleep(site);
}

/// A monotonic counter, which advances while other threads run. It counts nanoseconds of the host's clock, not
/// cycles of any GPU: differences are no measure of speed on a device.
long long clock64();
// clock() is declared by <ctime>. In a kernel it is clock64(), in the type of that declaration; on the host it is the
// C library's.

/// Ends the launch with the finding `trap` and the error cudaErrorLaunchFailure.
[[noreturn]] void __trap(warpfiber::Site site = warpfiber::Site::here());

/// What translated inline PTX calls in place of an instruction that is not modelled.
[[noreturn]] void warpfiber_unknown_instruction(const char* instruction, warpfiber::Site site);

/// Stops at a breakpoint under a debugger; without one it ends the launch like __trap().
void __brkpt(warpfiber::Site site = warpfiber::Site::here());

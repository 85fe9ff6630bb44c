// SPDX-License-Identifier: Apache-2.0
//
// The asynchronous instructions of PTX: mbarrier, cp.async, cp.async.bulk, st.async, and addresses and barriers of
// clusters. A part of ptx.hpp. Copies are done when they are started; the phase of an mbarrier is what the checker
// orders them by. Scopes and semantics change nothing here: every order is at least as strong.
#pragma once

#include <warpfiber/detail/checked.hpp>
#include <warpfiber/intrinsics/address_spaces.hpp>
#include <warpfiber/intrinsics/async_copy.hpp>
#include <warpfiber/intrinsics/cluster_intrinsics.hpp>
#include <warpfiber/intrinsics/phase.hpp>
#include <warpfiber/intrinsics/ptx_arithmetic.hpp>

#include <cstddef>
#include <cstdint>

namespace warpfiber::ptx {

using detail::Mbarrier;
using mbarrier = std::uint64_t;

inline void mbarrier_init(mbarrier* at, u32 count, Site site = Site::here()) {
  Mbarrier::init(at, count, "mbarrier.init", site);
}
inline void mbarrier_inval(mbarrier* at, Site site = Site::here()) {
  Mbarrier::invalidate(at, "mbarrier.inval", site);
}
/// Arrivals give the state of the phase that they belong to.
inline u64 mbarrier_arrive(mbarrier* at, u32 count, Site site = Site::here()) {
  return Mbarrier::change(at, count, 0, 0, true, "mbarrier.arrive", site);
}
inline u64 mbarrier_arrive(mbarrier* at, Site site = Site::here()) {
  return mbarrier_arrive(at, 1, site);
}
/// An arrival that must not be the phase's last.
inline u64 mbarrier_arrive_noComplete(mbarrier* at, u32 count, Site site = Site::here()) {
  return Mbarrier::change(at, count, 0, 0, true, "mbarrier.arrive.noComplete", site);
}
inline u64 mbarrier_arrive_expect_tx(mbarrier* at, u32 bytes, Site site = Site::here()) {
  return Mbarrier::change(at, 1, 0, bytes, true, "mbarrier.arrive.expect_tx", site);
}
/// Arrivals that later phases do not wait for.
inline u64 mbarrier_arrive_drop(mbarrier* at, u32 count, Site site = Site::here()) {
  return Mbarrier::change(at, count, count, 0, true, "mbarrier.arrive_drop", site);
}
inline u64 mbarrier_arrive_drop(mbarrier* at, Site site = Site::here()) {
  return mbarrier_arrive_drop(at, 1, site);
}
inline u64 mbarrier_arrive_drop_noComplete(mbarrier* at, u32 count, Site site = Site::here()) {
  return Mbarrier::change(at, count, count, 0, true, "mbarrier.arrive_drop.noComplete", site);
}
inline u64 mbarrier_arrive_drop_expect_tx(mbarrier* at, u32 bytes, Site site = Site::here()) {
  return Mbarrier::change(at, 1, 1, bytes, true, "mbarrier.arrive_drop.expect_tx", site);
}
inline void mbarrier_expect_tx(mbarrier* at, u32 bytes, Site site = Site::here()) {
  Mbarrier::change(at, 0, 0, bytes, true, "mbarrier.expect_tx", site);
}
inline void mbarrier_complete_tx(mbarrier* at, u32 bytes, Site site = Site::here()) {
  Mbarrier::change(at, 0, 0, -static_cast<std::int64_t>(bytes), true, "mbarrier.complete_tx", site);
}
/// The arrivals that the phase of a state waited for.
inline u32 mbarrier_pending_count(u64 state) {
  return static_cast<u32>(detail::MbarrierFields::pending(state));
}

inline bool parity_of_state(u64 state) {
  return (state & detail::MbarrierFields::kParity) != 0;
}
inline pred mbarrier_test_wait(mbarrier* at, u64 state, Site site = Site::here()) {
  return Mbarrier::test(at, parity_of_state(state), "mbarrier.test_wait", site);
}
inline pred mbarrier_test_wait_parity(mbarrier* at, u32 parity, Site site = Site::here()) {
  return Mbarrier::test(at, (parity & 1) != 0, "mbarrier.test_wait.parity", site);
}
/// Nanoseconds: what a device takes for its own limit.
inline constexpr u32 kTimeLimitOfTryWait = 1000;
inline pred mbarrier_try_wait(mbarrier* at, u64 state, u32 nanoseconds, Site site = Site::here()) {
  return Mbarrier::wait_for_time(at, parity_of_state(state), nanoseconds, "mbarrier.try_wait", site);
}
inline pred mbarrier_try_wait(mbarrier* at, u64 state, Site site = Site::here()) {
  return mbarrier_try_wait(at, state, kTimeLimitOfTryWait, site);
}
inline pred mbarrier_try_wait_parity(mbarrier* at, u32 parity, u32 nanoseconds, Site site = Site::here()) {
  return Mbarrier::wait_for_time(at, (parity & 1) != 0, nanoseconds, "mbarrier.try_wait.parity", site);
}
inline pred mbarrier_try_wait_parity(mbarrier* at, u32 parity, Site site = Site::here()) {
  return mbarrier_try_wait_parity(at, parity, kTimeLimitOfTryWait, site);
}

/// 4, 8 or 16 bytes, of which `from_memory` are read and the rest becomes zero.
inline void cp_async(b8* to, const b8* from, u32 bytes, u32 from_memory, Site site = Site::here()) {
  using namespace warpfiber::detail;
  if (bytes != 4 && bytes != 8 && bytes != 16) copy_misuse(CopyMisuse::bad_size, "cp.async", bytes, 0, site);
  check_copy(to, from, bytes, bytes, "cp.async", site);
  copy_async(to, from, from_memory < bytes ? from_memory : bytes, bytes, site);
}
inline void cp_async(b8* to, const b8* from, u32 bytes, Site site = Site::here()) {
  cp_async(to, from, bytes, bytes, site);
}
inline void cp_async_commit_group(Site site = Site::here()) {
  detail::commit_copies(site);
}
inline void cp_async_wait_group(u32 but, Site site = Site::here()) {
  detail::wait_for_copies(but, site);
}
inline void cp_async_wait_all(Site site = Site::here()) {
  detail::commit_copies(site);
  detail::wait_for_copies(0, site);
}
/// The phase of the mbarrier waits for the thread's copies so far; in the second form their arrival is one that the
/// phase was made for.
inline void cp_async_mbarrier_arrive(mbarrier* at, Site site = Site::here()) {
  Mbarrier::expect(at, "cp.async.mbarrier.arrive", site);
  detail::bind_all_copies(at);
}
inline void cp_async_mbarrier_arrive_noinc(mbarrier* at, Site site = Site::here()) {
  detail::bind_all_copies(at);
  Mbarrier::change(at, 1, 0, 0, true, "cp.async.mbarrier.arrive", site);
}

/// Into shared memory of the cluster, with an mbarrier that counts the bytes.
inline void cp_async_bulk(b8* to, const b8* from, u32 bytes, mbarrier* at, Site site = Site::here()) {
  detail::copy_bulk(to, from, bytes, at, "cp.async.bulk", site);
}
inline void cp_async_bulk_multicast_cluster(b8* to, const b8* from, u32 bytes, mbarrier* at, u16 blocks,
                                            Site site = Site::here()) {
  detail::copy_bulk_to_blocks(to, from, bytes, at, blocks, "cp.async.bulk", site);
}
/// From shared to global memory, as a part of the thread's bulk group.
inline void cp_async_bulk_global(b8* to, const b8* from, u32 bytes, Site site = Site::here()) {
  detail::check_copy(to, from, bytes, 16, "cp.async.bulk", site);
  detail::copy_async(to, from, bytes, bytes, site);
}
inline void cp_async_bulk_commit_group(Site site = Site::here()) {
  detail::commit_copies(site);
}
inline void cp_async_bulk_wait_group(u32 but, Site site = Site::here()) {
  detail::wait_for_copies(but, site);
}

/// The place in the shared memory of the block with this rank that corresponds to `place` in one's own: for an address
/// of the shared space such an address, for a pointer a pointer.
inline u32 mapa_shared_cluster(u32 place, u32 rank, Site site = Site::here()) {
  const void* const mine = ::__cvta_shared_to_generic(place, site);
  return static_cast<u32>(::__cvta_generic_to_shared(::__cluster_map_shared_rank(mine, rank, site), site));
}
inline u64 mapa(u64 place, u32 rank, Site site = Site::here()) {
  const void* const mine = reinterpret_cast<const void*>(static_cast<std::uintptr_t>(place));
  return static_cast<u64>(reinterpret_cast<std::uintptr_t>(::__cluster_map_shared_rank(mine, rank, site)));
}
inline u32 getctarank_shared_cluster(u32 place, Site site = Site::here()) {
  return ::__cluster_query_shared_rank(::__cvta_shared_to_generic(place, site), site);
}
inline u32 getctarank(u64 place, Site site = Site::here()) {
  return ::__cluster_query_shared_rank(reinterpret_cast<const void*>(static_cast<std::uintptr_t>(place)), site);
}

inline void barrier_cluster_arrive(Site site = Site::here()) {
  ::__cluster_barrier_arrive(site);
}
inline void barrier_cluster_arrive_relaxed(Site site = Site::here()) {
  ::__cluster_barrier_arrive_relaxed(site);
}
inline void barrier_cluster_wait(Site site = Site::here()) {
  ::__cluster_barrier_wait(site);
}

/// A kernel begins when those before it have ended, so only the checker has something to note.
inline void griddepcontrol_wait() {
  if constexpr (warpfiber::detail::kHasHooks) warpfiber::detail::checked_dependencies_met();
}
inline void griddepcontrol_launch_dependents() {}

}  // namespace warpfiber::ptx

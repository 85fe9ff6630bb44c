// SPDX-License-Identifier: Apache-2.0
// libcu++'s <cuda/ptx>, but for tensors: mbarrier, cp.async.bulk and their fences (PTX ISA) are here, what blocks of a
// cluster send each other in ptx_cluster.hpp, registers in ptx_registers.hpp. Called by threads inside a kernel. Copies
// are done at once. Semantics, scopes and spaces are given by tags, which change nothing here: every order is at least
// as strong, every pointer generic.
#pragma once

#include <warpfiber/cuda/atomic_access.hpp>
#include <warpfiber/cuda/barrier.hpp>
#include <warpfiber/cuda/mbarrier.hpp>
#include <warpfiber/cuda/ptx_cluster.hpp>
#include <warpfiber/cuda/ptx_registers.hpp>
#include <warpfiber/cuda/ptx_tags.hpp>
#include <warpfiber/intrinsics/async_copy.hpp>

#include <cstdint>

namespace cuda {
namespace ptx {

#define WARPFIBER_PTX_SITE warpfiber::Site site = warpfiber::Site::here()

inline void mbarrier_init(::std::uint64_t* at, const ::std::uint32_t& count, WARPFIBER_PTX_SITE) {
  warpfiber::cuda::Mbarrier::init(at, count, "cuda::ptx::mbarrier_init()", site);
}

// Arrivals return the state of the phase; at a barrier of another block of the cluster, nothing.
inline ::std::uint64_t mbarrier_arrive(::std::uint64_t* at, const ::std::uint32_t& count, WARPFIBER_PTX_SITE) {
  return warpfiber::cuda::Mbarrier::change(at, count, 0, 0, true, "cuda::ptx::mbarrier_arrive()", site);
}
inline ::std::uint64_t mbarrier_arrive(::std::uint64_t* at, WARPFIBER_PTX_SITE) {
  return mbarrier_arrive(at, 1, site);
}
template <dot_sem kSem, dot_scope kScope>
inline ::std::uint64_t mbarrier_arrive(sem_t<kSem>, scope_t<kScope>, space_shared_t, ::std::uint64_t* at,
                                       WARPFIBER_PTX_SITE) {
  return mbarrier_arrive(at, 1, site);
}
template <dot_sem kSem, dot_scope kScope>
inline ::std::uint64_t mbarrier_arrive(sem_t<kSem>, scope_t<kScope>, space_shared_t, ::std::uint64_t* at,
                                       const ::std::uint32_t& count, WARPFIBER_PTX_SITE) {
  return mbarrier_arrive(at, count, site);
}
template <dot_sem kSem>
inline void mbarrier_arrive(sem_t<kSem>, scope_cluster_t, space_cluster_t, ::std::uint64_t* at, WARPFIBER_PTX_SITE) {
  mbarrier_arrive(at, 1, site);
}
template <dot_sem kSem>
inline void mbarrier_arrive(sem_t<kSem>, scope_cluster_t, space_cluster_t, ::std::uint64_t* at,
                            const ::std::uint32_t& count, WARPFIBER_PTX_SITE) {
  mbarrier_arrive(at, count, site);
}
/// Arrivals that must not be the phase's last.
inline ::std::uint64_t mbarrier_arrive_no_complete(::std::uint64_t* at, const ::std::uint32_t& count,
                                                   WARPFIBER_PTX_SITE) {
  return mbarrier_arrive(at, count, site);
}

template <dot_sem kSem, dot_scope kScope>
inline ::std::uint64_t mbarrier_arrive_expect_tx(sem_t<kSem>, scope_t<kScope>, space_shared_t, ::std::uint64_t* at,
                                                 const ::std::uint32_t& bytes, WARPFIBER_PTX_SITE) {
  return warpfiber::cuda::Mbarrier::change(at, 1, 0, bytes, true, "cuda::ptx::mbarrier_arrive_expect_tx()", site);
}
template <dot_sem kSem>
inline void mbarrier_arrive_expect_tx(sem_t<kSem>, scope_cluster_t, space_cluster_t, ::std::uint64_t* at,
                                      const ::std::uint32_t& bytes, WARPFIBER_PTX_SITE) {
  warpfiber::cuda::Mbarrier::change(at, 1, 0, bytes, true, "cuda::ptx::mbarrier_arrive_expect_tx()", site);
}
template <dot_scope kScope, dot_space kSpace>
inline void mbarrier_expect_tx(sem_relaxed_t, scope_t<kScope>, space_t<kSpace>, ::std::uint64_t* at,
                               ::std::uint32_t bytes, WARPFIBER_PTX_SITE) {
  warpfiber::cuda::Mbarrier::change(at, 0, 0, bytes, true, "cuda::ptx::mbarrier_expect_tx()", site);
}

/// Whether the phase of this parity is over. A thread that asks again and again lets others run.
inline bool mbarrier_test_wait_parity(::std::uint64_t* at, const ::std::uint32_t& parity, WARPFIBER_PTX_SITE) {
  return __mbarrier_test_wait_parity(at, (parity & 1) != 0, site);
}
template <dot_sem kSem, dot_scope kScope>
inline bool mbarrier_test_wait_parity(sem_t<kSem>, scope_t<kScope>, ::std::uint64_t* at, const ::std::uint32_t& parity,
                                      WARPFIBER_PTX_SITE) {
  return mbarrier_test_wait_parity(at, parity, site);
}
inline bool mbarrier_test_wait(::std::uint64_t* at, const ::std::uint64_t& state, WARPFIBER_PTX_SITE) {
  return __mbarrier_test_wait(at, state, site);
}
template <dot_sem kSem, dot_scope kScope>
inline bool mbarrier_test_wait(sem_t<kSem>, scope_t<kScope>, ::std::uint64_t* at, const ::std::uint64_t& state,
                               WARPFIBER_PTX_SITE) {
  return __mbarrier_test_wait(at, state, site);
}

/// The same, waiting for up to `hint` nanoseconds.
inline bool mbarrier_try_wait_parity(::std::uint64_t* at, const ::std::uint32_t& parity, const ::std::uint32_t& hint,
                                     WARPFIBER_PTX_SITE) {
  return __mbarrier_try_wait_parity(at, (parity & 1) != 0, hint, site);
}
/// What a device takes for its own limit.
inline constexpr ::std::uint32_t kSystemTimeLimit = 1000;
inline bool mbarrier_try_wait_parity(::std::uint64_t* at, const ::std::uint32_t& parity, WARPFIBER_PTX_SITE) {
  return mbarrier_try_wait_parity(at, parity, kSystemTimeLimit, site);
}
template <dot_sem kSem, dot_scope kScope>
inline bool mbarrier_try_wait_parity(sem_t<kSem>, scope_t<kScope>, ::std::uint64_t* at, const ::std::uint32_t& parity,
                                     WARPFIBER_PTX_SITE) {
  return mbarrier_try_wait_parity(at, parity, kSystemTimeLimit, site);
}
template <dot_sem kSem, dot_scope kScope>
inline bool mbarrier_try_wait_parity(sem_t<kSem>, scope_t<kScope>, ::std::uint64_t* at, const ::std::uint32_t& parity,
                                     const ::std::uint32_t& hint, WARPFIBER_PTX_SITE) {
  return mbarrier_try_wait_parity(at, parity, hint, site);
}
inline bool mbarrier_try_wait(::std::uint64_t* at, const ::std::uint64_t& state, const ::std::uint32_t& hint,
                              WARPFIBER_PTX_SITE) {
  return __mbarrier_try_wait(at, state, hint, site);
}
inline bool mbarrier_try_wait(::std::uint64_t* at, const ::std::uint64_t& state, WARPFIBER_PTX_SITE) {
  return __mbarrier_try_wait(at, state, kSystemTimeLimit, site);
}
template <dot_sem kSem, dot_scope kScope>
inline bool mbarrier_try_wait(sem_t<kSem>, scope_t<kScope>, ::std::uint64_t* at, const ::std::uint64_t& state,
                              WARPFIBER_PTX_SITE) {
  return __mbarrier_try_wait(at, state, kSystemTimeLimit, site);
}
template <dot_sem kSem, dot_scope kScope>
inline bool mbarrier_try_wait(sem_t<kSem>, scope_t<kScope>, ::std::uint64_t* at, const ::std::uint64_t& state,
                              const ::std::uint32_t& hint, WARPFIBER_PTX_SITE) {
  return __mbarrier_try_wait(at, state, hint, site);
}

/// The phase waits for the calling thread's cp.async copies so far; they arrive for it, once, in the second form.
inline void cp_async_mbarrier_arrive(::std::uint64_t* at, WARPFIBER_PTX_SITE) {
  warpfiber::cuda::Mbarrier::expect(at, "cuda::ptx::cp_async_mbarrier_arrive()", site);
  warpfiber::detail::bind_all_copies(at);
}
inline void cp_async_mbarrier_arrive_noinc(::std::uint64_t* at, WARPFIBER_PTX_SITE) {
  warpfiber::detail::bind_all_copies(at);
  mbarrier_arrive(at, 1, site);
}

/// Copies `size` bytes and takes them from the bytes that the barrier's phase waits for. All three are multiples of 16.
template <dot_space kTo, dot_space kFrom>
requires(kTo != dot_space::global) inline void cp_async_bulk(space_t<kTo>, space_t<kFrom>, void* to, const void* from,
                                                             const ::std::uint32_t& size, ::std::uint64_t* at,
                                                             WARPFIBER_PTX_SITE) {
  warpfiber::detail::copy_bulk(to, from, size, at, "cuda::ptx::cp_async_bulk()", site);
}
/// The same to the place that corresponds to `to`, and with the barrier that corresponds to `at`, in each block of the
/// cluster whose bit is set in `blocks`.
inline void cp_async_bulk(space_cluster_t, space_global_t, void* to, const void* from, const ::std::uint32_t& size,
                          ::std::uint64_t* at, const ::std::uint16_t& blocks, WARPFIBER_PTX_SITE) {
  warpfiber::detail::copy_bulk_to_blocks(to, from, size, at, blocks, "cuda::ptx::cp_async_bulk()", site);
}
/// Copies `size` bytes from shared to global memory.
inline void cp_async_bulk(space_global_t, space_shared_t, void* to, const void* from, const ::std::uint32_t& size,
                          WARPFIBER_PTX_SITE) {
  warpfiber::detail::check_copy(to, from, size, 16, "cuda::ptx::cp_async_bulk()", site);
  warpfiber::detail::copy_async(to, from, size, size, site);
}
inline void cp_async_bulk_commit_group(WARPFIBER_PTX_SITE) {
  warpfiber::detail::commit_copies(site);
}
template <int kBut>
inline void cp_async_bulk_wait_group(n32_t<kBut>, WARPFIBER_PTX_SITE) {
  warpfiber::detail::wait_for_copies(kBut, site);
}
template <int kBut>
inline void cp_async_bulk_wait_group_read(n32_t<kBut>, WARPFIBER_PTX_SITE) {
  warpfiber::detail::wait_for_copies(kBut, site);
}

/// The two ways, generic and asynchronous, or two addresses of one place, to reach memory. Nothing to order here.
inline void fence_proxy_alias(WARPFIBER_PTX_SITE) {
  warpfiber::detail::scoped_fence(::std::memory_order_seq_cst, false, site);
}

// Fences. Copies are made by the thread itself, so those between the ways memory is reached order nothing more.
template <dot_sem kSem, dot_scope kScope>
inline void fence(sem_t<kSem>, scope_t<kScope>, WARPFIBER_PTX_SITE) {
  warpfiber::detail::scoped_fence(::std::memory_order_seq_cst, kScope == dot_scope::cta, site);
}
inline void fence_mbarrier_init(sem_release_t, scope_cluster_t, WARPFIBER_PTX_SITE) {
  warpfiber::detail::scoped_fence(::std::memory_order_release, false, site);
}
inline void fence_proxy_async(WARPFIBER_PTX_SITE) {
  warpfiber::detail::scoped_fence(::std::memory_order_seq_cst, false, site);
}
template <dot_space kSpace>
inline void fence_proxy_async(space_t<kSpace>, WARPFIBER_PTX_SITE) {
  warpfiber::detail::scoped_fence(::std::memory_order_seq_cst, false, site);
}

#undef WARPFIBER_PTX_SITE

}  // namespace ptx

namespace device {
namespace experimental {

// The same under the names that CUDA 12 tried out.
inline void cp_async_bulk_global_to_shared(void* to, const void* from, ::std::uint32_t size,
                                           barrier<thread_scope_block>& end,
                                           warpfiber::Site site = warpfiber::Site::here()) {
  ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, to, from, size, end.native_handle(), site);
}
inline void cp_async_bulk_shared_to_global(void* to, const void* from, ::std::uint32_t size,
                                           warpfiber::Site site = warpfiber::Site::here()) {
  ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, to, from, size, site);
}
inline void fence_proxy_async_shared_cta(warpfiber::Site site = warpfiber::Site::here()) {
  ptx::fence_proxy_async(ptx::space_shared, site);
}
inline void cp_async_bulk_commit_group(warpfiber::Site site = warpfiber::Site::here()) {
  ptx::cp_async_bulk_commit_group(site);
}
template <int kBut>
inline void cp_async_bulk_wait_group_read(warpfiber::Site site = warpfiber::Site::here()) {
  static_assert(kBut <= 63, "cp_async_bulk_wait_group_read waits for up to 63 groups");
  ptx::cp_async_bulk_wait_group_read(ptx::n32_t<kBut>{}, site);
}

}  // namespace experimental
}  // namespace device
}  // namespace cuda

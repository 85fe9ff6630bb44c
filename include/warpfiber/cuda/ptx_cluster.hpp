// SPDX-License-Identifier: Apache-2.0
// What blocks of a cluster do to each other by libcu++'s <cuda/ptx>: the cluster's barrier, stores and reductions in
// another block's shared memory that count on a barrier there, bulk reductions (PTX ISA, barrier.cluster, st.async,
// red.async, cp.reduce.async.bulk, getctarank). Called by threads inside a kernel. All of it is done at once.
#pragma once

#include <warpfiber/cuda/atomic_access.hpp>
#include <warpfiber/cuda/mbarrier.hpp>
#include <warpfiber/cuda/ptx_tags.hpp>
#include <warpfiber/intrinsics/async_copy.hpp>
#include <warpfiber/intrinsics/atomics.hpp>
#include <warpfiber/intrinsics/cluster_intrinsics.hpp>

#include <cstdint>
#include <type_traits>

struct __half;
struct __nv_bfloat16;

namespace cuda {
namespace ptx {

#define WARPFIBER_PTX_SITE warpfiber::Site site = warpfiber::Site::here()

/// Arrives at the cluster's barrier; every thread that has not returned does, and waits before it arrives again.
inline void barrier_cluster_arrive(WARPFIBER_PTX_SITE) {
  ::__cluster_barrier_arrive(site);
}
inline void barrier_cluster_arrive(sem_release_t, WARPFIBER_PTX_SITE) {
  ::__cluster_barrier_arrive(site);
}
inline void barrier_cluster_arrive(sem_relaxed_t, WARPFIBER_PTX_SITE) {
  ::__cluster_barrier_arrive_relaxed(site);
}
inline void barrier_cluster_wait(WARPFIBER_PTX_SITE) {
  ::__cluster_barrier_wait(site);
}
inline void barrier_cluster_wait(sem_acquire_t, WARPFIBER_PTX_SITE) {
  ::__cluster_barrier_wait(site);
}

/// Rank of the block whose shared memory `place` is in.
inline ::std::uint32_t getctarank(space_cluster_t, const void* place, WARPFIBER_PTX_SITE) {
  return ::__cluster_query_shared_rank(place, site);
}

namespace detail {

/// Takes bytes that have come from those that the phase of the barrier waits for.
inline void complete_bytes(::std::uint64_t* at, ::std::size_t bytes, const char* call, warpfiber::Site site) {
  warpfiber::cuda::Mbarrier::change(at, 0, 0, -static_cast<::std::int64_t>(bytes), true, call, site);
}

template <class T>
inline void store_with_bytes(T* to, const T* from, ::std::size_t bytes, ::std::size_t alignment, ::std::uint64_t* at,
                             warpfiber::Site site) {
  constexpr const char* kCall = "cuda::ptx::st_async()";
  warpfiber::detail::check_copy(to, nullptr, bytes, alignment, kCall, site);
  warpfiber::detail::copy_with_bytes(to, from, bytes, at, site);
  complete_bytes(at, bytes, kCall, site);
}

template <class T, class... Others>
inline constexpr bool kIsOneOf = (::std::is_same_v<T, Others> || ...);

/// Whether the instruction has this operation on this type. `kToGlobal`: on more types.
template <dot_op kOp, class T, bool kToGlobal>
constexpr bool has_reduction() {
  using ::std::int32_t, ::std::uint32_t, ::std::int64_t, ::std::uint64_t;
  constexpr bool kWords = kIsOneOf<T, int32_t, uint32_t>;
  constexpr bool kWide = kIsOneOf<T, int64_t, uint64_t>;
  constexpr bool kHalves = kIsOneOf<T, ::__half, ::__nv_bfloat16>;
  if (kOp == dot_op::and_op || kOp == dot_op::or_op || kOp == dot_op::xor_op) {
    return sizeof(T) == 4 || (kToGlobal && sizeof(T) == 8);
  }
  if (kOp == dot_op::inc || kOp == dot_op::dec) return ::std::is_same_v<T, uint32_t>;
  if (kOp == dot_op::min || kOp == dot_op::max) return kWords || (kToGlobal && (kWide || kHalves));
  return kOp == dot_op::add && (kWords || kWide || (kToGlobal && (kIsOneOf<T, float, double> || kHalves)));
}

/// *to becomes what the operation makes of it and `value`, as one relaxed atomic operation.
template <dot_op kOp, class T>
inline WARPFIBER_AT_CALLER void reduce_at(T* to, const T& value, warpfiber::Site site) {
  using namespace warpfiber::detail;
  constexpr auto kRelaxed = ::std::memory_order_relaxed;
  if constexpr (kOp == dot_op::add) {
    object_add(to, value, kRelaxed, site);
  } else if constexpr (kOp == dot_op::min) {
    object_smaller(to, value, site);
  } else if constexpr (kOp == dot_op::max) {
    object_larger(to, value, site);
  } else if constexpr (kOp == dot_op::inc) {
    atomic_update<IncrementOrZero>(to, value, site);
  } else if constexpr (kOp == dot_op::dec) {
    atomic_update<DecrementOrLast>(to, value, site);
  } else {
    using Bits = ::std::conditional_t<sizeof(T) == 4, ::std::uint32_t, ::std::uint64_t>;
    auto* bits = reinterpret_cast<Bits*>(to);
    const auto operand = __builtin_bit_cast(Bits, value);
    if constexpr (kOp == dot_op::and_op) {
      object_and(bits, operand, kRelaxed, site);
    } else if constexpr (kOp == dot_op::or_op) {
      object_or(bits, operand, kRelaxed, site);
    } else {
      object_xor(bits, operand, kRelaxed, site);
    }
  }
}

template <dot_op kOp, class T>
inline WARPFIBER_AT_CALLER void reduce_all_at(T* to, const T* from, ::std::uint32_t size, warpfiber::Site site) {
  warpfiber::detail::check_copy(to, from, size, 16, "cuda::ptx::cp_reduce_async_bulk()", site);
  for (::std::size_t i = 0; i < size / sizeof(T); ++i) reduce_at<kOp>(to + i, from[i], site);
}

}  // namespace detail

/// Stores one, two or four values in shared memory of the cluster and takes their bytes from those that the phase of
/// the barrier there waits for.
template <class T>
inline void st_async(T* to, const T& value, ::std::uint64_t* remote_barrier, WARPFIBER_PTX_SITE) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "st_async() stores values of 4 or 8 bytes");
  detail::store_with_bytes(to, &value, sizeof(T), sizeof(T), remote_barrier, site);
}
template <class T>
inline void st_async(T* to, const T (&values)[2], ::std::uint64_t* remote_barrier, WARPFIBER_PTX_SITE) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "st_async() stores values of 4 or 8 bytes");
  detail::store_with_bytes(to, &values[0], sizeof(values), sizeof(values), remote_barrier, site);
}
template <class T>
inline void st_async(T* to, const T (&values)[4], ::std::uint64_t* remote_barrier, WARPFIBER_PTX_SITE) {
  static_assert(sizeof(T) == 4, "st_async() stores four values of 4 bytes");
  detail::store_with_bytes(to, &values[0], sizeof(values), sizeof(values), remote_barrier, site);
}

/// The same with an atomic operation in place of the store.
template <dot_op kOp, class T>
requires(detail::has_reduction<kOp, T, false>()) inline WARPFIBER_AT_CALLER
    void red_async(op_t<kOp>, T* to, const ::std::type_identity_t<T>& value, ::std::uint64_t* remote_barrier,
                   WARPFIBER_PTX_SITE) {
  detail::reduce_at<kOp>(to, value, site);
  detail::complete_bytes(remote_barrier, sizeof(T), "cuda::ptx::red_async()", site);
}

/// `size` bytes of values, each by an atomic operation: from shared memory to another block's of the cluster, whose
/// barrier counts the bytes, or to global memory, as a part of the bulk group. All three are multiples of 16.
template <dot_op kOp, class T>
requires(detail::has_reduction<kOp, T, false>()) inline WARPFIBER_AT_CALLER
    void cp_reduce_async_bulk(space_cluster_t, space_shared_t, op_t<kOp>, T* to, const T* from, ::std::uint32_t size,
                              ::std::uint64_t* remote_barrier, WARPFIBER_PTX_SITE) {
  detail::reduce_all_at<kOp>(to, from, size, site);
  detail::complete_bytes(remote_barrier, size, "cuda::ptx::cp_reduce_async_bulk()", site);
}
template <dot_op kOp, class T>
requires(detail::has_reduction<kOp, T, true>()) inline WARPFIBER_AT_CALLER
    void cp_reduce_async_bulk(space_global_t, space_shared_t, op_t<kOp>, T* to, const T* from, ::std::uint32_t size,
                              WARPFIBER_PTX_SITE) {
  detail::reduce_all_at<kOp>(to, from, size, site);
}

#undef WARPFIBER_PTX_SITE

}  // namespace ptx
}  // namespace cuda

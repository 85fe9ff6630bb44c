// SPDX-License-Identifier: Apache-2.0
//
// What PTX instructions do, one function each, named after the opcode: what the translator makes of inline PTX in
// kernels (PTX ISA 9.0, "Instructions"). T is a PTX type (u32, s64, f32, ...). Nothing here is meant to be written by
// hand; operands are converted by read and write, which keep bits where sizes agree and extend integers where not.
#pragma once

#include <warpfiber/detail/claim.hpp>
#include <warpfiber/detail/lanes/lanes.hpp>
#include <warpfiber/intrinsics/address_spaces.hpp>
#include <warpfiber/intrinsics/atomics.hpp>
#include <warpfiber/intrinsics/builtins.hpp>
#include <warpfiber/intrinsics/named_barrier.hpp>
#include <warpfiber/intrinsics/ptx_arithmetic.hpp>
#include <warpfiber/intrinsics/ptx_async.hpp>
#include <warpfiber/intrinsics/ptx_carry.hpp>
#include <warpfiber/intrinsics/ptx_conversions.hpp>
#include <warpfiber/intrinsics/ptx_matrix.hpp>
#include <warpfiber/intrinsics/ptx_narrow.hpp>
#include <warpfiber/intrinsics/ptx_newer.hpp>
#include <warpfiber/intrinsics/ptx_video.hpp>
#include <warpfiber/intrinsics/warp.hpp>

#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace warpfiber::ptx {

// Special registers.

inline u32 laneid() {
  return detail::lane_id();
}
#define WARPFIBER_PTX_COORDINATE(name, variable) \
  inline u32 name##_x() {                        \
    return ::variable.x;                         \
  }                                              \
  inline u32 name##_y() {                        \
    return ::variable.y;                         \
  }                                              \
  inline u32 name##_z() {                        \
    return ::variable.z;                         \
  }
WARPFIBER_PTX_COORDINATE(tid, threadIdx)
WARPFIBER_PTX_COORDINATE(ntid, blockDim)
WARPFIBER_PTX_COORDINATE(ctaid, blockIdx)
WARPFIBER_PTX_COORDINATE(nctaid, gridDim)
#undef WARPFIBER_PTX_COORDINATE
inline u32 warpid() {
  return (::threadIdx.x + ::blockDim.x * (::threadIdx.y + ::blockDim.y * ::threadIdx.z)) / static_cast<u32>(::warpSize);
}
inline u32 nwarpid() {
  const u32 size = static_cast<u32>(::warpSize);
  return (::blockDim.x * ::blockDim.y * ::blockDim.z + size - 1) / size;
}
/// The SM of the running block, as if blocks were dealt to SMs in turn, and the number of SMs of the device model.
inline u32 smid() {
  return ::warpfiber::detail::multiprocessor_of_block();
}
inline u32 nsmid() {
  return ::warpfiber::detail::multiprocessors();
}
inline u32 lanemask_eq() {
  return static_cast<u32>(::__lanemask_eq());
}
inline u32 lanemask_lt() {
  return static_cast<u32>(::__lanemask_lt());
}
inline u32 lanemask_le() {
  return static_cast<u32>(::__lanemask_le());
}
inline u32 lanemask_gt() {
  return static_cast<u32>(::__lanemask_gt());
}
inline u32 lanemask_ge() {
  return static_cast<u32>(::__lanemask_ge());
}
inline u64 clock64() {
  return static_cast<u64>(::clock64());
}
inline u32 clock() {
  return static_cast<u32>(::clock64());
}
inline u32 clock_hi() {
  return static_cast<u32>(clock64() >> 32);
}
/// Nanoseconds, as clock64 counts them here.
inline u64 globaltimer() {
  return static_cast<u64>(::clock64());
}

// Memory. A generic address is a pointer; an address of shared memory counts from the beginning of the block's.

template <class T, class Operand>
inline T* address(const Operand& base, long long offset) {
  return reinterpret_cast<T*>(static_cast<std::uintptr_t>(read<u64>(base) + static_cast<u64>(offset)));
}
/// The pointer that an address of the shared space stands for; pointers, which are larger, stand for themselves.
template <class T, class Operand>
inline T* shared_address(const Operand& base, long long offset, Site site = Site::here()) {
  const u64 x = read<u64>(base);
  void* const place =
      x >> 32 == 0 ? ::__cvta_shared_to_generic(static_cast<std::size_t>(static_cast<s32>(static_cast<u32>(x))), site)
                   : reinterpret_cast<void*>(static_cast<std::uintptr_t>(x));
  return reinterpret_cast<T*>(static_cast<char*>(place) + offset);
}
template <class T>
inline T cvta_to_shared(T pointer, Site site = Site::here()) {
  const void* const place = reinterpret_cast<const void*>(static_cast<std::uintptr_t>(pointer));
  return static_cast<T>(static_cast<u32>(::__cvta_generic_to_shared(place, site)));
}
template <class T>
inline T cvta_shared(T place, Site site = Site::here()) {
  return static_cast<T>(reinterpret_cast<std::uintptr_t>(shared_address<char>(place, 0, site)));
}
template <class T>
inline T cvta_to_global(T pointer) {
  return pointer;
}
template <class T>
inline T cvta_global(T pointer) {
  return pointer;
}
template <class T>
inline T cvta_to_local(T pointer) {
  return pointer;
}
template <class T>
inline T cvta_local(T pointer) {
  return pointer;
}
template <class T>
inline T cvta_to_const(T pointer) {
  return pointer;
}
template <class T>
inline T cvta_const(T pointer) {
  return pointer;
}

template <class T>
inline T ld(const T* p) {
  return *p;
}
template <class T>
inline T ldu(const T* p) {
  return *p;
}
template <class T>
inline T ld_performed(const T* p) {
  T value;
  __atomic_load(p, &value, __ATOMIC_RELAXED);
  return value;
}
template <class T>
inline T ld_relaxed(const T* p, Site site = Site::here()) {
  const T value = ld_performed(p);
  detail::poll(p, site);
  return value;
}
template <class T>
inline T ld_acquire(const T* p, Site site = Site::here()) {
  T value;
  __atomic_load(p, &value, __ATOMIC_ACQUIRE);
  detail::poll(p, site);
  return value;
}
template <class T>
inline void st(T* p, T value) {
  *p = value;
}
template <class T>
inline void st_relaxed(T* p, T value) {
  __atomic_store(p, &value, __ATOMIC_RELAXED);
}
template <class T>
inline void st_performed(T* p, T value) {
  st_relaxed(p, value);
}
template <class T>
inline void st_release(T* p, T value) {
  __atomic_store(p, &value, __ATOMIC_RELEASE);
}

/// Sets bytes of shared memory to 0, which is the one value that the instruction has.
inline void st_bulk(b8* p, u64 bytes, u32) {
  for (u64 n = 0; n < bytes; ++n) p[n] = 0;
}
inline void st_bulk_shared_cta(b8* p, u64 bytes, u32 value) {
  st_bulk(p, bytes, value);
}
inline void st_bulk_weak_shared_cta(b8* p, u64 bytes, u32 value) {
  st_bulk(p, bytes, value);
}

// Atomics, with one of these orders or relaxed.
inline constexpr int acquire = __ATOMIC_ACQUIRE;
inline constexpr int release = __ATOMIC_RELEASE;
inline constexpr int acq_rel = __ATOMIC_ACQ_REL;

#define WARPFIBER_PTX_ATOMIC(name, ...)                             \
  template <class T, int kOrder = __ATOMIC_RELAXED>                 \
  inline T atom_##name(T* p, T value, Site site = Site::here()) {   \
    __VA_ARGS__;                                                    \
  }                                                                 \
  template <class T, int kOrder = __ATOMIC_RELAXED>                 \
  inline void red_##name(T* p, T value, Site site = Site::here()) { \
    atom_##name<T, kOrder>(p, value, site);                         \
  }
WARPFIBER_PTX_ATOMIC(and, return detail::atomic_and(p, value, site, kOrder))
WARPFIBER_PTX_ATOMIC(or, return detail::atomic_or(p, value, site, kOrder))
WARPFIBER_PTX_ATOMIC(xor, return detail::atomic_xor(p, value, site, kOrder))
WARPFIBER_PTX_ATOMIC(add,
                     if constexpr (std::is_floating_point_v<T>) return detail::atomic_update<detail::Sum>(p, value,
                                                                                                          site, kOrder);
                     else return detail::atomic_add(p, value, site, kOrder))
WARPFIBER_PTX_ATOMIC(min, return detail::atomic_update<detail::Smaller>(p, value, site, kOrder))
WARPFIBER_PTX_ATOMIC(max, return detail::atomic_update<detail::Larger>(p, value, site, kOrder))
WARPFIBER_PTX_ATOMIC(inc, return detail::atomic_update<detail::IncrementOrZero>(p, value, site, kOrder))
WARPFIBER_PTX_ATOMIC(dec, return detail::atomic_update<detail::DecrementOrLast>(p, value, site, kOrder))
#undef WARPFIBER_PTX_ATOMIC
template <class T, int kOrder = __ATOMIC_RELAXED>
inline T atom_exch(T* p, T value, Site site = Site::here()) {
  return detail::atomic_exchange(p, value, site, kOrder);
}
template <class T, int kOrder = __ATOMIC_RELAXED>
inline T atom_cas(T* p, T expected, T value, Site site = Site::here()) {
  return detail::atomic_compare_exchange(p, expected, value, site, kOrder);
}

// Order, rendezvous, control.

inline void membar_cta(Site site = Site::here()) {
  ::__threadfence_block(site);
}
inline void membar_gl(Site site = Site::here()) {
  ::__threadfence(site);
}
/// Not in the manual, but assemblers take it.
inline void membar_gpu(Site site = Site::here()) {
  membar_gl(site);
}
inline void membar_sys(Site site = Site::here()) {
  ::__threadfence_system(site);
}
inline void fence_cta(Site site = Site::here()) {
  ::__threadfence_block(site);
}
inline void fence_cluster(Site site = Site::here()) {
  ::__threadfence(site);
}
inline void fence_gpu(Site site = Site::here()) {
  ::__threadfence(site);
}
inline void fence_sys(Site site = Site::here()) {
  ::__threadfence_system(site);
}
/// bar.red.popc, .and and .or, of the whole block or of `threads`.
inline u32 bar_red_popc(u32 barrier, pred predicate, Site site = Site::here()) {
  return detail::reduce_named(detail::NamedReduction::popc, barrier, detail::kWholeBlock, predicate, site);
}
inline u32 bar_red_popc(u32 barrier, u32 threads, pred predicate, Site site = Site::here()) {
  return detail::reduce_named(detail::NamedReduction::popc, barrier, threads, predicate, site);
}
inline pred bar_red_and(u32 barrier, pred predicate, Site site = Site::here()) {
  return detail::reduce_named(detail::NamedReduction::all, barrier, detail::kWholeBlock, predicate, site) != 0;
}
inline pred bar_red_and(u32 barrier, u32 threads, pred predicate, Site site = Site::here()) {
  return detail::reduce_named(detail::NamedReduction::all, barrier, threads, predicate, site) != 0;
}
inline pred bar_red_or(u32 barrier, pred predicate, Site site = Site::here()) {
  return detail::reduce_named(detail::NamedReduction::any, barrier, detail::kWholeBlock, predicate, site) != 0;
}
inline pred bar_red_or(u32 barrier, u32 threads, pred predicate, Site site = Site::here()) {
  return detail::reduce_named(detail::NamedReduction::any, barrier, threads, predicate, site) != 0;
}

inline void bar_sync(u32 barrier, Site site = Site::here()) {
  detail::sync_named(barrier, detail::kWholeBlock, site);
}
inline void bar_sync(u32 barrier, u32 threads, Site site = Site::here()) {
  detail::sync_named(barrier, threads, site);
}
inline void bar_arrive(u32 barrier, u32 threads, Site site = Site::here()) {
  detail::arrive_named(barrier, threads, site);
}
inline void bar_warp_sync(u32 lanes, Site site = Site::here()) {
  ::__syncwarp(lanes, site);
}
inline u32 activemask(Site site = Site::here()) {
  return static_cast<u32>(::__activemask(site));
}
inline pred vote_sync_any(pred p, u32 lanes, Site site = Site::here()) {
  return ::__any_sync(lanes, p ? 1 : 0, site) != 0;
}
inline pred vote_sync_all(pred p, u32 lanes, Site site = Site::here()) {
  return ::__all_sync(lanes, p ? 1 : 0, site) != 0;
}
inline pred vote_sync_uni(pred p, u32 lanes, Site site = Site::here()) {
  return ::__uni_sync(lanes, p ? 1 : 0, site) != 0;
}
inline u32 vote_sync_ballot(pred p, u32 lanes, Site site = Site::here()) {
  return static_cast<u32>(::__ballot_sync(lanes, p ? 1 : 0, site));
}
inline u32 vote_ballot_sync(pred p, u32 lanes, Site site = Site::here()) {
  return vote_sync_ballot(p, lanes, site);
}
/// The lanes that have the same bits.
template <class T>
inline u32 match_any_sync(T value, u32 lanes, Site site = Site::here()) {
  return static_cast<u32>(::__match_any_sync(lanes, value, site));
}
/// The lanes that take part where all have the same bits, which `all` says; else none.
template <class T>
inline u32 match_all_sync(pred& all, T value, u32 lanes, Site site = Site::here()) {
  int same = 0;
  const auto found = static_cast<u32>(::__match_all_sync(lanes, value, &same, site));
  all = same != 0;
  return found;
}
#define WARPFIBER_PTX_REDUX(name)                                            \
  template <class T>                                                         \
  inline T redux_sync_##name(T value, u32 lanes, Site site = Site::here()) { \
    return ::__reduce_##name##_sync(lanes, value, site);                     \
  }
WARPFIBER_PTX_REDUX(add)
WARPFIBER_PTX_REDUX(min)
WARPFIBER_PTX_REDUX(max)
WARPFIBER_PTX_REDUX(and)
WARPFIBER_PTX_REDUX(or)
WARPFIBER_PTX_REDUX(xor)
#undef WARPFIBER_PTX_REDUX
/// A float as a number of 32 bits that is as large as the float is among others; of a NaN `of_nan`, 0 or all bits,
/// which no other has.
inline u32 rank_of(f32 x, u32 of_nan) {
  const u32 bits = std::bit_cast<u32>(x);
  return x != x ? of_nan : (bits >> 31) != 0 ? ~bits : bits | 0x80000000U;
}
inline f32 with_rank(u32 rank) {
  if (rank == 0 || rank == ~0U) return bits_of_f32(0x7fffffff);
  return std::bit_cast<f32>((rank >> 31) != 0 ? rank & 0x7fffffffU : ~rank);
}
#define WARPFIBER_PTX_REDUX(name, extremum, operand, of_nan)                               \
  template <class T>                                                                       \
  requires std::same_as<T, f32>                                                            \
  inline T redux_sync_##name(T value, u32 lanes, Site site = Site::here()) {               \
    return with_rank(::__reduce_##extremum##_sync(lanes, rank_of(operand, of_nan), site)); \
  }
WARPFIBER_PTX_REDUX(min, min, value, ~0U)
WARPFIBER_PTX_REDUX(max, max, value, 0U)
WARPFIBER_PTX_REDUX(min_abs, min, std::fabs(value), ~0U)
WARPFIBER_PTX_REDUX(max_abs, max, std::fabs(value), 0U)
WARPFIBER_PTX_REDUX(min_NaN, min, value, 0U)
WARPFIBER_PTX_REDUX(max_NaN, max, value, ~0U)
WARPFIBER_PTX_REDUX(min_abs_NaN, min, std::fabs(value), 0U)
WARPFIBER_PTX_REDUX(max_abs_NaN, max, std::fabs(value), ~0U)
#undef WARPFIBER_PTX_REDUX
inline void trap(Site site = Site::here()) {
  ::__trap(site);
}
/// Stands for an instruction of a library's that is not modelled: ends the launch with the finding `trap`, which names
/// it, and the error cudaErrorLaunchFailure.
[[noreturn]] inline void unknown(const char* instruction, Site site = Site::here()) {
  ::warpfiber_unknown_instruction(instruction, site);
}
/// Ends the calling thread from whatever depth of calls; its kernel catches it. Objects between are destroyed.
struct ThreadExit {};
[[noreturn]] inline void exit([[maybe_unused]] Site site = Site::here()) {
  if constexpr (warpfiber::detail::kHasHooks) warpfiber::detail::returning(site);
  throw ThreadExit{};
}
inline void brkpt(Site site = Site::here()) {
  ::__brkpt(site);
}
inline void nanosleep(u32 nanoseconds, Site site = Site::here()) {
  ::__nanosleep(nanoseconds, site);
}

/// The operand c of a shuffle: bits 8 to 12 are those of the lane's number that choose its segment, bits 0 to 4 bound
/// the source within it (PTX ISA, "shfl.sync").
struct ShuffleBounds {
  explicit ShuffleBounds(u32 c) : segment_bits(c >> 8 & 0x1f), bound(c & 0x1f) {}
  u32 first() const { return laneid() & segment_bits; }
  u32 limit() const { return first() | (bound & ~segment_bits); }

  u32 segment_bits;
  u32 bound;
};
/// `in_range` says whether the source lane was within the bounds; where not the lane's own value comes back. All forms
/// are one collective: the lanes of one instruction may have different bounds.
inline u32 shfl_within(pred in_range, u32 value, u32 source, u32 lanes, Site site) {
  return ::__shfl_sync(lanes, value, static_cast<int>(in_range ? source : laneid()), 32, site);
}
inline u32 shfl_sync_idx(pred& in_range, u32 value, u32 lane, u32 c, u32 lanes, Site site = Site::here()) {
  const ShuffleBounds bounds(c);
  const u32 source = bounds.first() | (lane & 0x1f & ~bounds.segment_bits);
  in_range = source <= bounds.limit();
  return shfl_within(in_range, value, source, lanes, site);
}
inline u32 shfl_sync_up(pred& in_range, u32 value, u32 delta, u32 c, u32 lanes, Site site = Site::here()) {
  const u32 distance = delta & 0x1f;
  in_range = laneid() >= ShuffleBounds(c).limit() + distance;
  return shfl_within(in_range, value, laneid() - distance, lanes, site);
}
inline u32 shfl_sync_down(pred& in_range, u32 value, u32 delta, u32 c, u32 lanes, Site site = Site::here()) {
  const u32 source = laneid() + (delta & 0x1f);
  in_range = source <= ShuffleBounds(c).limit();
  return shfl_within(in_range, value, source, lanes, site);
}
inline u32 shfl_sync_bfly(pred& in_range, u32 value, u32 bits_of_lane, u32 c, u32 lanes, Site site = Site::here()) {
  const u32 source = laneid() ^ (bits_of_lane & 0x1f);
  in_range = source <= ShuffleBounds(c).limit();
  return shfl_within(in_range, value, source, lanes, site);
}

}  // namespace warpfiber::ptx

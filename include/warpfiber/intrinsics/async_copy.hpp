// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies: cp.async of PTX and all that CUDA builds on it. A copy is done when it is started, which is one
// of the times at which the device may do it. Every copy of every interface goes through copy_async(), every end of a
// batch through commit_copies(), every wait for batches through wait_for_copies(). Called by threads inside a kernel;
// the interfaces that the host has as well may be called there, too.
#pragma once

#include <warpfiber/detail/checked.hpp>
#include <warpfiber/detail/wait.hpp>
#include <warpfiber/intrinsics/address_spaces.hpp>
#include <warpfiber/intrinsics/grid.hpp>
#include <warpfiber/intrinsics/phase.hpp>

#include <cstddef>
#include <cstdint>

namespace warpfiber::detail {

/// Copies `bytes` for the calling thread; zeroes follow up to `room` bytes.
inline WARPFIBER_UNCHECKED void copy_async(void* to, const void* from, std::size_t bytes, std::size_t room,
                                           [[maybe_unused]] Site site) {
  if constexpr (kHasHooks) return checked_copy(to, from, bytes, room, site);
  __builtin_memcpy(to, from, bytes);
  if (room > bytes) __builtin_memset(static_cast<char*>(to) + bytes, 0, room - bytes);
}

/// The calling thread's copies since its last batch end with the present phase of the barrier that `word` is.
inline void bind_copies([[maybe_unused]] const void* word) {
  if constexpr (kHasHooks) checked_bind(word, false);
}
/// The same for all that it has started and not waited for.
inline void bind_all_copies([[maybe_unused]] const void* word) {
  if constexpr (kHasHooks) checked_bind(word, true);
}

/// A copy whose bytes the phase of the barrier at `word` counts, which the caller adds right afterwards.
inline void copy_with_bytes(void* to, const void* from, std::size_t bytes, const void* word, Site site) {
  copy_async(to, from, bytes, bytes, site);
  bind_copies(word);
}

/// Ends a batch of the calling thread's copies. Nothing is pending, so only the compiler is held back.
inline void commit_copies(Site /*site*/) {
  if constexpr (kHasHooks) checked_commit();
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/// Waits for all batches of the calling thread but the last `but`.
inline void wait_for_copies([[maybe_unused]] std::size_t but, Site /*site*/) {
  if constexpr (kHasHooks) checked_wait(but);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/// Why a copy is refused.
enum class CopyMisuse { misaligned_to, misaligned_from, ragged_size, bad_size, too_many_zeroes, not_to_shared };
/// `given` is the address or size, `wanted` the alignment or limit.
[[noreturn]] void copy_misuse(CopyMisuse what, const char* call, std::uint64_t given, std::uint64_t wanted, Site site);

/// Refuses addresses and sizes that are no multiples of `alignment`, a power of two.
inline void check_copy(const void* to, const void* from, std::size_t bytes, std::size_t alignment, const char* call,
                       Site site) {
  const auto to_address = reinterpret_cast<std::uintptr_t>(to);
  const auto from_address = reinterpret_cast<std::uintptr_t>(from);
  if (WARPFIBER_LIKELY(((to_address | from_address | bytes) & (alignment - 1)) == 0)) return;
  if ((to_address & (alignment - 1)) != 0) copy_misuse(CopyMisuse::misaligned_to, call, to_address, alignment, site);
  if ((from_address & (alignment - 1)) != 0) {
    copy_misuse(CopyMisuse::misaligned_from, call, from_address, alignment, site);
  }
  copy_misuse(CopyMisuse::ragged_size, call, bytes, alignment, site);
}

/// cp.async.bulk: copies `bytes`, a multiple of 16 as both addresses are, and takes them from the bytes that the phase
/// of the mbarrier at `word` waits for.
inline void copy_bulk(void* to, const void* from, std::uint32_t bytes, std::uint64_t* word, const char* call,
                      Site site) {
  check_copy(to, from, bytes, 16, call, site);
  copy_with_bytes(to, from, bytes, word, site);
  Mbarrier::change(word, 0, 0, -static_cast<std::int64_t>(bytes), true, call, site);
}
/// The same into each block of the cluster whose bit is set in `blocks`, at the places there that correspond to `to`
/// and `word`.
inline void copy_bulk_to_blocks(void* to, const void* from, std::uint32_t bytes, std::uint64_t* word,
                                std::uint16_t blocks, const char* call, Site site) {
  for (unsigned rest = blocks; rest != 0; rest &= rest - 1) {
    const auto rank = static_cast<unsigned>(__builtin_ctz(rest));
    copy_bulk(shared_of_rank(to, rank, site), from, bytes,
              static_cast<std::uint64_t*>(shared_of_rank(word, rank, site)), call, site);
  }
}

/// The type of a copy's size promises that both addresses are multiples of `kAlignment`.
template <std::size_t kAlignment>
inline void note_promise([[maybe_unused]] const void* to, [[maybe_unused]] const void* from,
                         [[maybe_unused]] Site site) {
  if constexpr (kHasHooks && kAlignment > 1) {
    checked_promise(to, kAlignment, site);
    checked_promise(from, kAlignment, site);
  }
}

/// Every thread of the group copies units of `kUnit` bytes in turn, as on the device.
template <std::size_t kUnit>
inline void copy_units(std::size_t rank, std::size_t threads, char* to, const char* from, std::size_t bytes,
                       Site site) {
  for (std::size_t at = rank * kUnit; at < bytes; at += threads * kUnit) {
    if (WARPFIBER_LIKELY(at + kUnit <= bytes)) {
      copy_async(to + at, from + at, kUnit, kUnit, site);
    } else {
      copy_async(to + at, from + at, bytes - at, bytes - at, site);
    }
  }
}

/// The share of the calling thread in a copy of a group: units of up to 16 bytes, as large as `alignment` says.
inline void copy_share(std::size_t rank, std::size_t threads, void* to, const void* from, std::size_t bytes,
                       std::size_t alignment, Site site) {
  auto* to_bytes = static_cast<char*>(to);
  const auto* from_bytes = static_cast<const char*>(from);
  if (threads == 1) return copy_async(to, from, bytes, bytes, site);
  if (alignment >= 16) return copy_units<16>(rank, threads, to_bytes, from_bytes, bytes, site);
  if (alignment >= 8) return copy_units<8>(rank, threads, to_bytes, from_bytes, bytes, site);
  if (alignment >= 4) return copy_units<4>(rank, threads, to_bytes, from_bytes, bytes, site);
  if (alignment >= 2) return copy_units<2>(rank, threads, to_bytes, from_bytes, bytes, site);
  copy_units<1>(rank, threads, to_bytes, from_bytes, bytes, site);
}

/// The largest power of two up to 16 that both addresses are multiples of.
inline std::size_t common_alignment(const void* to, const void* from) {
  const std::uintptr_t bits = reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) | 16;
  return static_cast<std::size_t>(bits & (~bits + 1));
}

/// Meets the threads of a group; the call is the user's where the group's sync() takes a place.
template <class Group>
inline void sync_group(const Group& group, Site site) {
  if constexpr (requires { group.sync(site); }) {
    group.sync(site);
  } else {
    group.sync();
  }
}

}  // namespace warpfiber::detail

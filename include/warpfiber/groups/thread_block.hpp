// SPDX-License-Identifier: Apache-2.0
// cooperative_groups::thread_block, all threads of a block, and block_tile_memory.
// Source: CUDA C++ Programming Guide, "Thread Block Group"; CUDA 13.0's headers.
#pragma once

#include <warpfiber/groups/arrival_token.hpp>

namespace cooperative_groups {
inline namespace __v1 {

namespace details {

struct BlockWait {
  static WARPFIBER_INLINED void at(Site site) { warpfiber::detail::block_barrier(site); }
};

}  // namespace details

/// Room that tiles above 32 threads had to be given before sm_80, in shared memory. Nothing is kept in it.
#ifdef WARPFIBER_STRICT_CUDA
template <unsigned MaxBlockSize = 1024>
struct block_tile_memory {
  static constexpr unsigned kMaxBlockSize = MaxBlockSize;
};
#else
/// The last number is the most threads a block has. CUDA 11.0's, in namespace experimental, takes the bytes that
/// tiles exchange before it.
template <unsigned First = 1024, unsigned... Rest>
requires(sizeof...(Rest) < 2) struct block_tile_memory {
  // No tile above 32 fits a block of less than 64 threads: a number alone that is smaller is of bytes.
  static constexpr unsigned kMaxBlockSize = sizeof...(Rest) != 0 ? (Rest + ... + 0) : First < 64 ? 1024 : First;
};
#endif

/// The block of the calling thread. Made by this_thread_block().
class thread_block : public details::thread_group_base<details::thread_block_id> {
 public:
  static constexpr unsigned _group_id = details::thread_block_id;
  static constexpr ::cuda::thread_scope thread_scope = ::cuda::thread_scope_block;

  /// What an arrival hands to the wait that belongs to it. Can be moved, not copied.
  struct arrival_token : details::ArrivalToken {
    using details::ArrivalToken::ArrivalToken;
  };

  thread_block(const thread_block&) = default;

  /// __syncthreads(): every thread of the block that has not returned has to reach the same call.
  static constexpr details::StaticSync<details::BlockWait> sync{};
  /// Arrives at the barrier without waiting. barrier_wait() has to follow, with no other
  /// barrier of the block in between.
  arrival_token barrier_arrive(warpfiber::Site site = warpfiber::Site::here()) const {
    return arrival_token(details::arrive(warpfiber::detail::SplitBarrier::block, site));
  }
  /// Waits until all threads of the block have arrived.
  void barrier_wait(arrival_token&& token, warpfiber::Site site = warpfiber::Site::here()) const {
    details::wait(warpfiber::detail::SplitBarrier::block, token, site);
  }

  // For their addresses (see thread_group.hpp).
  template <std::same_as<arrival_token> Token>
  Token barrier_arrive() const {
    return barrier_arrive(warpfiber::Site{});
  }
  template <std::same_as<void> Result>
  Result barrier_wait(arrival_token&& token) const {
    barrier_wait(std::move(token), warpfiber::Site{});
  }

  static unsigned size() { return details::block::num_threads(); }
  static unsigned num_threads() { return details::block::num_threads(); }
  static unsigned thread_rank() { return details::block::thread_rank(); }
  /// Index of the block in its grid.
  static dim3 group_index() { return blockIdx; }
  /// Index of the calling thread in the block.
  static dim3 thread_index() { return threadIdx; }
  /// Threads of the block in each dimension.
  static dim3 group_dim() { return blockDim; }
  static dim3 dim_threads() { return blockDim; }

#ifndef WARPFIBER_STRICT_CUDA
  static unsigned rank() {
    return thread_rank();
  }
  static bool is_valid() {
    return true;
  }
#endif

 private:
  explicit thread_block(warpfiber::Site origin) : thread_group_base(origin) {}

  friend thread_block this_thread_block(warpfiber::Site site);
};

/// The block of the calling thread.
inline thread_block this_thread_block(warpfiber::Site site = warpfiber::Site::here()) {
  return thread_block(site);
}
template <std::same_as<thread_block> Block>
Block this_thread_block() {
  return this_thread_block(warpfiber::Site{});
}

/// The block of the calling thread. The memory is not used, as on devices from sm_80 on.
template <unsigned... kNumbers>
thread_block this_thread_block([[maybe_unused]] block_tile_memory<kNumbers...>& scratch,
                               warpfiber::Site site = warpfiber::Site::here()) {
#ifdef _CG_DEBUG
  if (thread_block::size() > block_tile_memory<kNumbers...>::kMaxBlockSize) {
    warpfiber::detail::misuse(site, "this_thread_block()", warpfiber::detail::GroupMisuse::block_tile_memory_too_small);
  }
#endif
  return this_thread_block(site);
}

#ifndef WARPFIBER_STRICT_CUDA
/// this_thread_block(), as the guide's table of groups spells it.
inline thread_block this_block(warpfiber::Site site = warpfiber::Site::here()) {
  return this_thread_block(site);
}
#endif

namespace details {

inline unsigned first_thread_of(const thread_block&) {
  return 0;
}

}  // namespace details
}  // namespace __v1
}  // namespace cooperative_groups

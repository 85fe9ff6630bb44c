// SPDX-License-Identifier: Apache-2.0
// cooperative_groups::grid_group, all threads of a launch. Queries work in every launch; the barrier needs a
// cooperative one. Source: CUDA C++ Programming Guide, "Grid Group"; CUDA 13.0's headers.
#pragma once

#include <warpfiber/groups/arrival_token.hpp>

namespace cooperative_groups {
inline namespace __v1 {

/// The grid of the calling thread. Made by this_grid().
class grid_group : public details::thread_group_base<details::grid_group_id> {
 public:
  static constexpr ::cuda::thread_scope thread_scope = ::cuda::thread_scope_device;

  /// What an arrival returns for the wait that belongs to it. CUDA's is an unsigned number, so it converts from and to
  /// one, but it cannot be copied: it belongs to one arrival. The number does not identify a thread, and is taken for
  /// one of the calling thread.
  class arrival_token : public details::ArrivalToken {
   public:
    using details::ArrivalToken::ArrivalToken;
    arrival_token(unsigned number) : details::ArrivalToken(number ^ details::mark_of_thread()) {}
    operator unsigned() const { return static_cast<unsigned>(phase()); }
  };

  grid_group(const grid_group&) = default;

  /// Whether the launch is cooperative, so that its grid has a barrier.
  bool is_valid() const { return warpfiber::is_cooperative(); }

  /// Waits for every block of the grid; all threads have to call it. In a launch that is not cooperative it ends the
  /// launch with `cg-misuse` (cudaErrorLaunchFailure), where a device traps.
  WARPFIBER_INLINED void sync(warpfiber::Site site = warpfiber::Site::here()) const {
    warpfiber::detail::grid_barrier(site);
  }
  /// Arrives at the barrier without waiting. barrier_wait() has to follow, with no other
  /// barrier of the grid in between.
  arrival_token barrier_arrive(warpfiber::Site site = warpfiber::Site::here()) const {
    return arrival_token(details::arrive(warpfiber::detail::SplitBarrier::grid, site));
  }
  /// Waits until all threads of the grid have arrived.
  void barrier_wait(arrival_token&& token, warpfiber::Site site = warpfiber::Site::here()) const {
    details::wait(warpfiber::detail::SplitBarrier::grid, token, site);
  }

  // For their addresses (see thread_group.hpp).
  template <std::same_as<void> Result>
  Result sync() const {
    sync(warpfiber::Site{});
  }
  template <std::same_as<arrival_token> Token>
  Token barrier_arrive() const {
    return barrier_arrive(warpfiber::Site{});
  }
  template <std::same_as<void> Result>
  Result barrier_wait(arrival_token&& token) const {
    barrier_wait(std::move(token), warpfiber::Site{});
  }

  static unsigned long long size() { return details::grid::num_threads(); }
  static unsigned long long num_threads() { return details::grid::num_threads(); }
  /// Rank of the block times threads of a block, plus rank in the block.
  static unsigned long long thread_rank() { return details::grid::thread_rank(); }
  static unsigned long long num_blocks() { return details::grid::num_blocks(); }
  static unsigned long long block_rank() { return details::grid::block_rank(); }
  static unsigned long long num_clusters() { return details::grid::num_clusters(); }
  static unsigned long long cluster_rank() { return details::grid::cluster_rank(); }
  /// Blocks in each dimension.
  static dim3 group_dim() { return gridDim; }
  static dim3 dim_blocks() { return gridDim; }
  static dim3 block_index() { return blockIdx; }
  /// Threads in each dimension.
  static dim3 dim_threads() { return details::grid::dim_threads(); }
  /// Index of the calling thread among those of the whole grid.
  static dim3 thread_index() { return details::grid::thread_index(); }
  /// Without clusters every block is one.
  static dim3 dim_clusters() { return details::grid::dim_clusters(); }
  static dim3 cluster_index() { return details::grid::cluster_index(); }

#ifndef WARPFIBER_STRICT_CUDA
  static unsigned long long rank() {
    return thread_rank();
  }
#endif

 private:
  static constexpr unsigned _group_id = details::grid_group_id;

  explicit grid_group(warpfiber::Site origin) : thread_group_base(origin) {}

  friend grid_group this_grid(warpfiber::Site site);
};

/// The grid of the calling thread.
inline grid_group this_grid(warpfiber::Site site = warpfiber::Site::here()) {
  const grid_group grid(site);
#ifdef _CG_DEBUG
  grid.sync(site);
#endif
  return grid;
}
template <std::same_as<grid_group> Grid>
Grid this_grid() {
  return this_grid(warpfiber::Site{});
}

}  // namespace __v1
}  // namespace cooperative_groups

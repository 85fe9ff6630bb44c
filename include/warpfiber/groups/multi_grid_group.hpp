// SPDX-License-Identifier: Apache-2.0
// cooperative_groups::multi_grid_group, all threads of the grids that cudaLaunchCooperativeKernelMultiDevice launched
// together. CUDA 12 and before had it; with WARPFIBER_STRICT_CUDA there is none, as in CUDA 13. Called by threads
// inside a kernel. Source: CUDA C++ Programming Guide 12, "Multi Grid Group".
#pragma once

#include <warpfiber/groups/thread_group.hpp>

#ifndef WARPFIBER_STRICT_CUDA

namespace cooperative_groups {
inline namespace __v1 {

/// The grids of a launch on several devices. Made by this_multi_grid(); a thread_group made of it has the same barrier
/// and ranks.
class multi_grid_group : public details::thread_group_base<details::multi_grid_group_id> {
 public:
  static constexpr ::cuda::thread_scope thread_scope = ::cuda::thread_scope_system;

  /// Whether the calling thread's grid was launched together with others, so that the group has a barrier.
  bool is_valid() const { return warpfiber::multi_grid_size() != 0; }

  /// Waits for every block of every grid; all threads of all grids have to call it. In another launch it ends the
  /// launch with `cg-misuse` (cudaErrorLaunchFailure), where a device traps.
  WARPFIBER_INLINED void sync(warpfiber::Site site = warpfiber::Site::here()) const {
    warpfiber::sync_multi_grid(site);
  }
  template <std::same_as<void> Result>
  Result sync() const {
    sync(warpfiber::Site{});
  }

  /// Threads of all grids; 0 if the group is not valid.
  static unsigned long long size() { return details::multi_grid::num_threads(); }
  static unsigned long long num_threads() { return size(); }
  /// Rank of the grid times threads of a grid, plus rank in the grid.
  static unsigned long long thread_rank() { return details::multi_grid::thread_rank(); }
  /// Place of the grid in the list of launches, from 0.
  static unsigned grid_rank() { return warpfiber::multi_grid_rank(); }
  /// Grids that were launched together; 0 if the group is not valid.
  static unsigned num_grids() { return warpfiber::multi_grid_size(); }

 private:
  explicit multi_grid_group(warpfiber::Site origin) : thread_group_base(origin) {}

  friend multi_grid_group this_multi_grid(warpfiber::Site site);
};

/// The group of the calling thread; is_valid() says whether there is one.
inline multi_grid_group this_multi_grid(warpfiber::Site site = warpfiber::Site::here()) {
  return multi_grid_group(site);
}

}  // namespace __v1
}  // namespace cooperative_groups

#endif

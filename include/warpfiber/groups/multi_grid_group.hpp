// SPDX-License-Identifier: Apache-2.0
// cooperative_groups::multi_grid_group, all threads of the grids that cudaLaunchCooperativeKernelMultiDevice launched
// together. CUDA 12 and before had it; with WARPFIBER_STRICT_CUDA there is none, as in CUDA 13. Called by threads
// inside a kernel. Source: CUDA C++ Programming Guide 12, "Multi Grid Group".
#pragma once

#include <warpfiber/grid.hpp>

#ifndef WARPFIBER_STRICT_CUDA

namespace cooperative_groups {
inline namespace __v1 {

/// The grids of a launch on several devices. Made by this_multi_grid().
class multi_grid_group {
 public:
  /// Whether the calling thread's grid was launched together with others, so that the group has a barrier.
  bool is_valid() const { return warpfiber::multi_grid_size() != 0; }

  /// Waits for every block of every grid; all threads of all grids have to call it. In another launch it ends the
  /// launch with `cg-misuse` (cudaErrorLaunchFailure), where a device traps.
  __attribute__((always_inline)) void sync(warpfiber::Site site = warpfiber::Site::here()) const {
    warpfiber::sync_multi_grid(site);
  }

  /// Threads of all grids; 0 if the group is not valid.
  unsigned long long size() const { return num_grids() * threads_of_grid(); }
  unsigned long long num_threads() const { return size(); }
  /// Rank of the grid times threads of a grid, plus rank in the grid.
  unsigned long long thread_rank() const {
    const unsigned long long block =
        blockIdx.x + gridDim.x * (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z);
    const unsigned long long in_block =
        threadIdx.x + blockDim.x * (threadIdx.y + static_cast<unsigned long long>(blockDim.y) * threadIdx.z);
    return grid_rank() * threads_of_grid() + block * threads_of_block() + in_block;
  }
  /// Place of the grid in the list of launches, from 0.
  unsigned grid_rank() const { return warpfiber::multi_grid_rank(); }
  /// Grids that were launched together; 0 if the group is not valid.
  unsigned num_grids() const { return warpfiber::multi_grid_size(); }

 private:
  multi_grid_group() = default;

  static unsigned long long threads_of_block() {
    return static_cast<unsigned long long>(blockDim.x) * blockDim.y * blockDim.z;
  }
  static unsigned long long threads_of_grid() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z * threads_of_block();
  }

  friend multi_grid_group this_multi_grid();
};

/// The group of the calling thread; is_valid() says whether there is one.
inline multi_grid_group this_multi_grid() {
  return {};
}

/// CUDA 9's spelling.
__attribute__((always_inline)) inline void sync(const multi_grid_group& group,
                                                warpfiber::Site site = warpfiber::Site::here()) {
  group.sync(site);
}

}  // namespace __v1
}  // namespace cooperative_groups

#endif

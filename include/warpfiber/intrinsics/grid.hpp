// SPDX-License-Identifier: Apache-2.0
// Barriers wider than a block, and the shared memory of a cluster, without cooperative groups. Called by threads inside
// a kernel. Sources: CUDA C++ Programming Guide, "Grid Synchronization", "Distributed Shared Memory".
#pragma once

#include <warpfiber/detail/wait.hpp>

namespace warpfiber {

/// Waits until every block of the grid has arrived. All threads of a block must call it, at the same place. In a launch
/// that is not cooperative it ends the launch with the finding `cg-misuse`.
inline WARPFIBER_INLINED void sync_grid(Site site = Site::here()) {
  detail::grid_barrier(site);
}

/// Waits until every thread of the cluster that has not returned has arrived. Without clusters, of the block.
inline WARPFIBER_INLINED void sync_cluster(Site site = Site::here()) {
  detail::leave(detail::arrive_at_cluster_barrier(site));
  detail::current_thread.busy = false;
}

/// Waits until every block of every grid of a launch on several devices (cudaLaunchCooperativeKernelMultiDevice) has
/// arrived. All threads of a block must call it, at the same place. In another launch it ends the launch with the
/// finding `cg-misuse`.
inline WARPFIBER_INLINED void sync_multi_grid(Site site = Site::here()) {
  detail::leave(detail::arrive_at_multi_grid_barrier(site));
  detail::current_thread.busy = false;
}

/// Rank of the caller's grid among those that were launched together on several devices; 0 in another launch.
unsigned multi_grid_rank();

/// Grids that were launched together on several devices; 0 in another launch.
unsigned multi_grid_size();

/// Rank of the caller's block in its cluster, x fastest; 0 without clusters.
unsigned cluster_block_rank();

/// Blocks of the caller's cluster; 1 without clusters.
unsigned cluster_size();

/// Blocks of the caller's cluster in each dimension; 1 without clusters.
dim3 cluster_dim();

/// Whether the launch that the caller belongs to is cooperative, so that sync_grid() may be called.
bool is_cooperative();

namespace detail {
void* shared_of_rank(const void* mine, unsigned rank, Site site);
unsigned rank_of_shared(const void* place, Site site);
}  // namespace detail

/// The place in the shared memory of block `rank` of the cluster that corresponds to `mine` in the caller's own.
/// That block has to have started and must not end while the place is used: sync_cluster() before and after.
/// A rank outside the cluster, or a pointer that is not into shared memory, ends the launch with `oob-dsmem`.
template <class T>
inline T* map_shared_rank(T* mine, unsigned rank, Site site = Site::here()) {
  return static_cast<T*>(detail::shared_of_rank(mine, rank, site));
}

/// Rank of the block of the cluster whose shared memory `place` is in. A pointer into no shared memory of the cluster
/// ends the launch with `oob-dsmem`.
inline unsigned query_shared_rank(const void* place, Site site = Site::here()) {
  return detail::rank_of_shared(place, site);
}

}  // namespace warpfiber

// SPDX-License-Identifier: Apache-2.0
// Clusters by the functions that CUDA's own headers build cooperative groups on (crt/sm_90_rt.h of CUDA 13.0). Called
// by threads inside a kernel. Clusters lie in the grid side by side, and without them each block is one.
#pragma once

#include <warpfiber/detail/group.hpp>
#include <warpfiber/intrinsics/builtins.hpp>
#include <warpfiber/intrinsics/grid.hpp>

/// Blocks of the caller's cluster in each dimension.
inline dim3 __clusterDim() {
  return warpfiber::cluster_dim();
}
/// Where the caller's cluster is in the grid, in clusters.
inline dim3 __clusterIdx() {
  const dim3 size = warpfiber::cluster_dim();
  return {blockIdx.x / size.x, blockIdx.y / size.y, blockIdx.z / size.z};
}
/// Where the caller's block is in its cluster.
inline dim3 __clusterRelativeBlockIdx() {
  const dim3 size = warpfiber::cluster_dim();
  return {blockIdx.x % size.x, blockIdx.y % size.y, blockIdx.z % size.z};
}
/// Clusters of the grid in each dimension.
inline dim3 __clusterGridDimInClusters() {
  const dim3 size = warpfiber::cluster_dim();
  return {gridDim.x / size.x, gridDim.y / size.y, gridDim.z / size.z};
}
inline unsigned __clusterRelativeBlockRank() {
  return warpfiber::cluster_block_rank();
}
inline unsigned __clusterSizeInBlocks() {
  return warpfiber::cluster_size();
}

inline void* __cluster_map_shared_rank(const void* mine, unsigned rank,
                                       warpfiber::Site site = warpfiber::Site::here()) {
  return warpfiber::detail::shared_of_rank(mine, rank, site);
}
inline unsigned __cluster_query_shared_rank(const void* place, warpfiber::Site site = warpfiber::Site::here()) {
  return warpfiber::detail::rank_of_shared(place, site);
}

/// The cluster's barrier as an arrival, which does not wait, and the wait for that arrival. There is one phase at a
/// time.
inline void __cluster_barrier_arrive(warpfiber::Site site = warpfiber::Site::here()) {
  warpfiber::detail::checked_meets_some();
  warpfiber::detail::arrive_split(warpfiber::detail::SplitBarrier::cluster, site);
}
/// The arrival orders no memory accesses on a device; here every arrival does.
inline void __cluster_barrier_arrive_relaxed(warpfiber::Site site = warpfiber::Site::here()) {
  __cluster_barrier_arrive(site);
}
inline void __cluster_barrier_wait(warpfiber::Site site = warpfiber::Site::here()) {
  constexpr auto kBarrier = warpfiber::detail::SplitBarrier::cluster;
  warpfiber::detail::wait_split(kBarrier, warpfiber::detail::open_phase(kBarrier, site), site);
}

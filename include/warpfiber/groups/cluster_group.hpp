// SPDX-License-Identifier: Apache-2.0
// cooperative_groups::cluster_group, the blocks that are on their device together and reach each other's shared memory.
// Without clusters it is the block alone. Source: CUDA C++ Programming Guide, "Cluster Group"; CUDA 13.0's headers.
#pragma once

#include <warpfiber/groups/arrival_token.hpp>

namespace cooperative_groups {
inline namespace __v1 {

namespace details {

struct ClusterWait {
  static WARPFIBER_INLINED void at(Site site) { warpfiber::sync_cluster(site); }
};

}  // namespace details

/// The cluster of the calling thread. Made by this_cluster().
class cluster_group : public details::thread_group_base<details::cluster_group_id> {
 public:
  /// What an arrival hands to the wait that belongs to it. Can be moved, not copied.
  struct arrival_token : details::ArrivalToken {
    using details::ArrivalToken::ArrivalToken;
  };

  cluster_group(const cluster_group&) = default;

  /// Waits for every thread of the cluster that has not returned.
  static constexpr details::StaticSync<details::ClusterWait> sync{};
  /// Arrives at the barrier without waiting. barrier_wait() has to follow, with no other
  /// barrier of the cluster in between.
  static arrival_token barrier_arrive(warpfiber::Site site = warpfiber::Site::here()) {
    return arrival_token(details::arrive(warpfiber::detail::SplitBarrier::cluster, site));
  }
  /// Waits until all threads of the cluster have arrived.
  static void barrier_wait(arrival_token&& token, warpfiber::Site site = warpfiber::Site::here()) {
    details::wait(warpfiber::detail::SplitBarrier::cluster, token, site);
  }
  /// The same for the calling thread's last arrival.
  static void barrier_wait(warpfiber::Site site = warpfiber::Site::here()) {
    constexpr auto kBarrier = warpfiber::detail::SplitBarrier::cluster;
    warpfiber::detail::wait_split(kBarrier, warpfiber::detail::open_phase(kBarrier, site), site);
  }

  // For their addresses (see thread_group.hpp).
  template <std::same_as<arrival_token> Token>
  static Token barrier_arrive() {
    return barrier_arrive(warpfiber::Site{});
  }
  template <std::same_as<void> Result>
  static Result barrier_wait(arrival_token&& token) {
    barrier_wait(std::move(token), warpfiber::Site{});
  }
  template <std::same_as<void> Result>
  static Result barrier_wait() {
    barrier_wait(warpfiber::Site{});
  }

  /// Rank of the block whose shared memory `address` is in. A pointer into no shared memory of the cluster ends the
  /// launch with `oob-dsmem`.
  static unsigned query_shared_rank(const void* address, warpfiber::Site site = warpfiber::Site::here()) {
    return warpfiber::query_shared_rank(address, site);
  }
  /// The place in the shared memory of block `rank` that corresponds to `address` in the caller's own. Sync the cluster
  /// before its first use, so that the block has started, and after its last, so that it has not ended.
  template <class T>
  static T* map_shared_rank(T* address, int rank, warpfiber::Site site = warpfiber::Site::here()) {
    return warpfiber::map_shared_rank(address, static_cast<unsigned>(rank), site);
  }

  template <std::same_as<unsigned> Rank>
  static Rank query_shared_rank(const void* address) {
    return query_shared_rank(address, warpfiber::Site{});
  }
  template <class T, std::same_as<T*> Place>
  static Place map_shared_rank(T* address, int rank) {
    return map_shared_rank(address, rank, warpfiber::Site{});
  }

  static unsigned size() { return details::cluster::num_threads(); }
  static unsigned num_threads() { return details::cluster::num_threads(); }
  /// Rank of the block in the cluster times threads of a block, plus rank in the block.
  static unsigned thread_rank() { return details::cluster::thread_rank(); }
  static unsigned num_blocks() { return details::cluster::num_blocks(); }
  static unsigned block_rank() { return details::cluster::block_rank(); }
  /// Index of the block in the cluster.
  static dim3 block_index() { return details::cluster::block_index(); }
  /// Index of the calling thread among those of the whole cluster.
  static dim3 thread_index() { return details::cluster::thread_index(); }
  /// Blocks in each dimension.
  static dim3 dim_blocks() { return details::cluster::dim_blocks(); }
  /// Threads in each dimension.
  static dim3 dim_threads() { return details::cluster::dim_threads(); }

#ifndef WARPFIBER_STRICT_CUDA
  static unsigned rank() {
    return thread_rank();
  }
  static bool is_valid() {
    return true;
  }
#endif

 private:
  explicit cluster_group(warpfiber::Site origin) : thread_group_base(origin) {}

  friend cluster_group this_cluster(warpfiber::Site site);
};

/// The cluster of the calling thread.
inline cluster_group this_cluster(warpfiber::Site site = warpfiber::Site::here()) {
  const cluster_group cluster(site);
#ifdef _CG_DEBUG
  cluster.sync(site);
#endif
  return cluster;
}
template <std::same_as<cluster_group> Cluster>
Cluster this_cluster() {
  return this_cluster(warpfiber::Site{});
}

}  // namespace __v1
}  // namespace cooperative_groups

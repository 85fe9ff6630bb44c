// SPDX-License-Identifier: Apache-2.0
// warpfiber::cluster_tile, an extension: tiles of a cluster, which may be larger than a block. Made and used by every
// thread of the cluster, inside a kernel.
#pragma once

#include <warpfiber/groups/wide_partition.hpp>

namespace warpfiber {

/// kSize threads of a cluster with consecutive ranks. Made by tiled_partition<kSize>().
template <unsigned kSize>
class cluster_tile : public detail::MemberGroup {
 public:
  static constexpr unsigned long long size() { return kSize; }
  static constexpr unsigned long long num_threads() { return kSize; }

 private:
  explicit cluster_tile(const detail::Membership& membership) : MemberGroup(membership) {}

  friend struct ClusterTileAccess;
};

struct ClusterTileAccess {
  template <unsigned kSize>
  static cluster_tile<kSize> make(const detail::Membership& membership) {
    return cluster_tile<kSize>(membership);
  }
};

namespace detail {
inline constexpr char kClusterTilesName[] = "warpfiber::tiled_partition()";
}  // namespace detail

/// Tiles of kSize threads of a cluster: a power of two that its number of threads is a multiple of, or the launch ends
/// with `cg-misuse`. All threads of the cluster synchronise once.
template <unsigned kSize>
inline cluster_tile<kSize> tiled_partition(const ::cooperative_groups::cluster_group& cluster,
                                           Site site = Site::here()) {
  static_assert(kSize != 0 && (kSize & (kSize - 1)) == 0, "the size of a tile is a power of two");
  if (cluster.num_threads() % kSize != 0) {
    detail::misuse(site, detail::kClusterTilesName, detail::GroupMisuse::tile_not_within_cluster);
  }
  return ClusterTileAccess::make<kSize>(
      detail::partition<detail::kClusterTilesName, true>(cluster, cluster.thread_rank() / kSize, site));
}

}  // namespace warpfiber

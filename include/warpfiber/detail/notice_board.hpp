// SPDX-License-Identifier: Apache-2.0
// How the blocks of a cluster or a grid exchange a value: each has a notice, which lives as long as the cluster
// or grid does. Between writing and reading there has to be a barrier of both blocks. Called by threads inside a
// kernel.
#pragma once

#include <warpfiber/detail/site.hpp>

#include <cstddef>
#include <cstdint>

namespace warpfiber::detail {

/// What one block publishes. Its own threads write it, one at a time.
struct Notice {
  alignas(16) std::byte words[2][32];
  unsigned turn = 0;  // counts what has been published
};

/// The notice of block `rank` of the caller's cluster. Without clusters it is the block alone.
Notice& notice_in_cluster(unsigned rank, Site site);

/// The notice of block `rank` of the grid. In a launch that is not cooperative it ends the launch with `cg-misuse`.
Notice& notice_in_grid(std::uint64_t rank, Site site);

}  // namespace warpfiber::detail

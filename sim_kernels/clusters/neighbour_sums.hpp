// SPDX-License-Identifier: Apache-2.0
// Each element added to its two neighbours, where the neighbours of a block's first and last element lie in the shared
// memory of the blocks beside it in its cluster; the elements of a cluster form a ring. The first cluster barrier makes
// sure that the neighbours have started and written, the second that none of them leaves while it is still read.
// Source: CUDA C++ Programming Guide, "Distributed Shared Memory".
#pragma once

#include <warpfiber/warpfiber.hpp>

namespace gallery {

static __global__ void neighbour_sums(const int* in, int* sums) {
  WARPFIBER_SHARED(int[1024], cells);
  const unsigned place = threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x + place;
  const unsigned rank = warpfiber::cluster_block_rank();
  const unsigned blocks = warpfiber::cluster_size();
  cells[place] = in[i];
  warpfiber::sync_cluster();
  const int* below = warpfiber::map_shared_rank(&cells[0], (rank + blocks - 1) % blocks);
  const int* above = warpfiber::map_shared_rank(&cells[0], (rank + 1) % blocks);
  const int left = place == 0 ? below[blockDim.x - 1] : cells[place - 1];
  const int right = place == blockDim.x - 1 ? above[0] : cells[place + 1];
  sums[i] = left + cells[place] + right;
  warpfiber::sync_cluster();
}

}  // namespace gallery

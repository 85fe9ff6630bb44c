// SPDX-License-Identifier: Apache-2.0
// Clusters: ranks, the cluster barrier, and shared memory of the other blocks at addresses of its own.
#include <algorithm>
#include <string>
#include <vector>

#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

namespace {

LaunchConfig clustered(const Way& way, dim3 grid, dim3 block, dim3 cluster) {
  return way.apply({.grid = grid, .block = block, .cluster = cluster});
}

/// Every block fills its own memory, then each reads what its right neighbour wrote.
void read_neighbour(int* out, int* ranks) {
  WARPFIBER_SHARED(int[64], mine);
  const unsigned self = threadIdx.x;
  mine[self] = static_cast<int>(blockIdx.x * 1000 + self);
  sync_cluster();
  const unsigned neighbour = (cluster_block_rank() + 1) % cluster_size();
  out[global_rank()] = map_shared_rank(mine, neighbour)[63 - self];
  ranks[global_rank()] = static_cast<int>(cluster_block_rank());
  sync_cluster();
}

/// Thread t of every block adds to the histogram of block t % size.
void count_elsewhere(int* out, int rounds) {
  int* bins = dynamic_shared<int>();
  if (threadIdx.x < cluster_size()) bins[threadIdx.x] = 0;
  sync_cluster();
  for (int i = 0; i < rounds; ++i) {
    const unsigned target = (threadIdx.x + static_cast<unsigned>(i)) % cluster_size();
    atomicAdd(map_shared_rank(&bins[cluster_block_rank()], target), 1);
  }
  sync_cluster();
  if (threadIdx.x < cluster_size()) out[blockIdx.x * cluster_size() + threadIdx.x] = bins[threadIdx.x];
}

struct Placed {
  dim3 dim, index, in_cluster, clusters;
  unsigned rank, size, taken, owner;
};

/// By CUDA's own names; the barrier in halves.
void place_by_intrinsics(Placed* out) {
  WARPFIBER_SHARED(unsigned, mine);
  const unsigned rank = __clusterRelativeBlockRank();
  if (threadIdx.x == 0) mine = 100 + rank;
  __threadfence_cluster();
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
  const unsigned next = (rank + 1) % __clusterSizeInBlocks();
  const auto* const theirs = static_cast<const unsigned*>(__cluster_map_shared_rank(&mine, next));
  const unsigned taken = *theirs;
  const bool own = __isCtaShared(&mine) != 0;
  __cluster_barrier_arrive_relaxed();
  __cluster_barrier_wait();
  if (threadIdx.x != 0) return;
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  out[block] = {__clusterDim(),
                __clusterIdx(),
                __clusterRelativeBlockIdx(),
                __clusterGridDimInClusters(),
                rank,
                __clusterSizeInBlocks(),
                taken,
                own ? __cluster_query_shared_rank(&mine) : 99};
}

}  // namespace

TEST_CASE("a block reads what its neighbour in the cluster wrote") {
  const Way way = every_way();
  const unsigned size = GENERATE(1U, 2U, 4U, 8U);
  const unsigned clusters = GENERATE(1U, 3U);
  CAPTURE(way, size, clusters);
  const unsigned blocks = size * clusters;
  std::vector<int> out(blocks * 64);
  std::vector<int> ranks(blocks * 64);
  good_launch(clustered(way, blocks, 64, size), read_neighbour, out.data(), ranks.data());
  for (unsigned i = 0; i < out.size(); ++i) {
    const unsigned block = i / 64;
    const unsigned neighbour = block / size * size + (block % size + 1) % size;
    CHECK(out[i] == static_cast<int>(neighbour * 1000 + 63 - i % 64));
    CHECK(ranks[i] == static_cast<int>(block % size));
  }
}

TEST_CASE("blocks of a cluster add to each other's shared memory") {
  const Way way = every_way();
  const unsigned size = GENERATE(2U, 4U, 8U);
  CAPTURE(way, size);
  const unsigned blocks = size * 2;
  std::vector<int> out(blocks * size);
  LaunchConfig config = clustered(way, blocks, 32, size);
  config.dynamic_shared = 256;
  good_launch(config, count_elsewhere, out.data(), static_cast<int>(size));
  CHECK(out == std::vector<int>(out.size(), 32));
}

TEST_CASE("the shared memories of a cluster have different addresses, and mapping to one's own rank changes nothing") {
  const Way way = every_way();
  const unsigned size = GENERATE(2U, 4U, 8U);
  CAPTURE(way, size);
  std::vector<char*> places(size * size);
  std::vector<char*> own(size);
  good_launch(clustered(way, size, 1, size), [&places, &own] {
    WARPFIBER_SHARED(char[1000], bytes);
    own[blockIdx.x] = &bytes[7];
    for (unsigned rank = 0; rank < cluster_size(); ++rank) {
      places[blockIdx.x * cluster_size() + rank] = map_shared_rank(&bytes[7], rank);
    }
    sync_cluster();
  });
  for (unsigned block = 0; block < size; ++block) {
    CHECK(std::equal(own.begin(), own.end(), places.begin() + block * size));
    for (unsigned other = 0; other < block; ++other) CHECK(std::abs(own[block] - own[other]) >= 1000);
  }
}

TEST_CASE("ranks in a cluster of several dimensions go along x first") {
  const Way way = every_way();
  CAPTURE(way);
  const dim3 grid(4, 6, 2);
  const dim3 cluster(2, 3, 1);
  std::vector<int> ranks(48, -1);
  good_launch(clustered(way, grid, 3, cluster), [&ranks] {
    if (threadIdx.x == 2) {
      ranks[blockIdx.x + 4 * (blockIdx.y + 6 * blockIdx.z)] =
          static_cast<int>(cluster_block_rank() + 100 * cluster_size());
    }
    sync_cluster();
  });
  for (int i = 0; i < 48; ++i) CHECK(ranks[static_cast<std::size_t>(i)] == 600 + i % 4 % 2 + 2 * (i / 4 % 6 % 3));
}

TEST_CASE("threads that have left are not waited for at the cluster barrier") {
  const Way way = every_way();
  CAPTURE(way);
  std::vector<int> counter(2);
  std::vector<int> wrong(1);
  good_launch(clustered(way, 8, 40, 4), [&counter, &wrong] {
    // All but one block of each cluster lose threads.
    const unsigned rank = cluster_block_rank();
    if (threadIdx.x < 10 * rank) return;
    int& mine = counter[blockIdx.x / 4];
    for (int phase = 1; phase <= 10; ++phase) {
      atomicAdd(&mine, 1);
      sync_cluster();
      if (atomicAdd(&mine, 0) != phase * (40 + 30 + 20 + 10)) atomicAdd(&wrong[0], 1);
      sync_cluster();
    }
  });
  CHECK(wrong[0] == 0);
  CHECK(counter == std::vector<int>(2, 1000));
}

TEST_CASE("a part of a cluster at its barrier, and the rest elsewhere, is told as such") {
  const Way way = every_way();
  CAPTURE(way);
  const LaunchResult result = failed_launch(clustered(way, 4, 40, 2), [] {
    if (threadIdx.x < 16) sync_cluster();
    __syncthreads();
  });
  CHECK(std::string(result.finding()) == "deadlock");
  CHECK_THAT(result.message(), Catch::Matchers::ContainsSubstring("Some threads of the cluster wait"));
}

TEST_CASE("without clusters every block is a cluster of its own") {
  const Way way = every_way();
  CAPTURE(way);
  std::vector<int> wrong(1);
  good_launch(way.apply({.grid = 3, .block = 40}), [&wrong] {
    WARPFIBER_SHARED(int, value);
    if (threadIdx.x == 39) value = 5;
    sync_cluster();
    if (cluster_size() != 1 || cluster_block_rank() != 0 || *map_shared_rank(&value, 0) != 5) atomicAdd(&wrong[0], 1);
  });
  CHECK(wrong[0] == 0);
}

TEST_CASE("clusters are what CUDA's own functions say of them") {
  const Way way = every_way();
  CAPTURE(way);
  std::vector<Placed> out(48);
  good_launch(clustered(way, dim3(4, 6, 2), dim3(40), dim3(2, 3, 1)), place_by_intrinsics, out.data());
  for (unsigned block = 0; block < 48; ++block) {
    CAPTURE(block);
    const dim3 at{block % 4, block / 4 % 6, block / 24};
    const Placed& seen = out[block];
    CHECK((seen.dim.x == 2 && seen.dim.y == 3 && seen.dim.z == 1));
    CHECK((seen.index.x == at.x / 2 && seen.index.y == at.y / 3 && seen.index.z == at.z));
    CHECK((seen.in_cluster.x == at.x % 2 && seen.in_cluster.y == at.y % 3 && seen.in_cluster.z == 0));
    CHECK((seen.clusters.x == 2 && seen.clusters.y == 2 && seen.clusters.z == 2));
    const unsigned rank = at.y % 3 * 2 + at.x % 2;
    CHECK(seen.rank == rank);
    CHECK(seen.size == 6);
    CHECK(seen.taken == 100 + (rank + 1) % 6);
    CHECK(seen.owner == rank);
  }
}

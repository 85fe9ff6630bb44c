// SPDX-License-Identifier: Apache-2.0
// Names of CUDA's headers that programs ask for or spell out, beside the groups themselves.
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
#include <cuda_awbarrier.h>

#include "unit/groups/group_launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;
namespace cg = cooperative_groups;

#if !defined(_CG_CPP11_FEATURES) || !defined(_CG_HAS_GRID_GROUP) || !defined(_CG_HAS_MULTI_GRID_GROUP) || \
    !defined(_CG_HAS_CLUSTER_GROUP) || !defined(_CG_HAS_MATCH_COLLECTIVE) || !defined(_CG_HAS_RESERVED_SHARED)
#error "macros by which programs ask what there is are missing"
#endif

TEST_CASE("an operator of no type takes the type of its operands") {
  Buffer<int> sums(64);
  const auto scan = [](int* out) {
    const auto tile = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
    const int value = static_cast<int>(threadIdx.x * threadIdx.x);
    const int sum = cooperative_groups::inclusive_scan(tile, value, cooperative_groups::plus<void>());
    const int same = cooperative_groups::inclusive_scan(tile, value, cooperative_groups::plus<int>());
    out[threadIdx.x] = sum == same ? sum : -1;
  };
  REQUIRE(launch({.block = 64}, scan, sums.data()).ok());
  CHECK(sums.download()[31] == 10416);
  CHECK(sums.download()[63] == 85344 - 10416);
}

TEST_CASE("an awbarrier is initialised by its function's full name") {
  Buffer<int> seen(64);
  const auto meet = [](int* out) {
    auto& barrier = shared<nvcuda::experimental::awbarrier, struct barrier_tag>();
    auto& count = shared<int, struct count_tag>();
    if (threadIdx.x == 0) {
      nvcuda::experimental::init(&barrier, 64);
      count = 0;
    }
    __syncthreads();
    atomicAdd(&count, 1);
    barrier.arrive_and_wait();
    out[threadIdx.x] = count;
    __syncthreads();
    if (threadIdx.x == 0) nvcuda::experimental::inval(&barrier);
  };
  REQUIRE(launch({.block = 64}, meet, seen.data()).ok());
  CHECK(seen.download() == std::vector<int>(64, 64));
}

namespace {

/// Calls a member that is a template argument.
template <class Group, void (Group::*kMember)() const>
void wait_for(const Group& group) {
  (group.*kMember)();
}

}  // namespace

TEST_CASE("the addresses of functions that wait have CUDA's types") {
  Buffer<int> seen(64);
  const auto look = [](int* out) {
    void (*const meet)() = &cg::thread_block::sync;
    void (cg::thread_group::*const meet_any)() const = &cg::thread_group::sync;
    const auto meet_block = static_cast<void (*)(const cg::thread_block&)>(&cg::sync<cg::thread_block>);
    cg::thread_block (*const make)() = &cg::this_thread_block;
    cg::coalesced_group (*const gather)() = &cg::coalesced_threads;
    using Tile = cg::thread_block_tile<16, cg::thread_block>;
    void (*const meet_tile)() = &Tile::sync;
    unsigned (Tile::*const ballot)(int) const = &Tile::ballot;
    int (cg::coalesced_group::*const any)(int) const = &cg::coalesced_group::any;
    cg::thread_block::arrival_token (cg::thread_block::*const arrive)() const = &cg::thread_block::barrier_arrive;
    void (cg::thread_block::*const wait)(cg::thread_block::arrival_token &&) const = &cg::thread_block::barrier_wait;
    auto& count = shared<int, struct address_count_tag>();
    if (threadIdx.x == 0) count = 0;
    meet();
    atomicAdd(&count, 1);
    const cg::thread_block block = make();
    meet_block(block);
    const cg::thread_group any_group = block;
    (any_group.*meet_any)();
    wait_for<cg::coalesced_group, &cg::coalesced_group::sync>(gather());
    (block.*wait)((block.*arrive)());
    const Tile tile = cg::tiled_partition<16>(block);
    meet_tile();
    const auto meet_anyway = &cg::thread_block::sync;
    const auto meet_tile_anyway = &cg::thread_block_tile<16>::sync;
    static_assert(std::is_same_v<decltype(meet_anyway), void (*const)()>);
    meet_anyway();
    meet_tile_anyway();
    (&cg::cluster_group::sync)();
    const bool odd = (threadIdx.x & 1) != 0;
    out[threadIdx.x] = count == 64 && (tile.*ballot)(odd) == 0xaaaa && (gather().*any)(odd) != 0;
  };
  REQUIRE(launch({.block = 64}, look, seen.data()).ok());
  CHECK(seen.download() == std::vector<int>(64, 1));
}

TEST_CASE("the addresses of partitions have CUDA's types") {
  Buffer<int> seen(64);
  const auto look = [](int* out) {
    using Tile = cg::thread_block_tile<16, cg::thread_block>;
    Tile (*const cut)(const cg::thread_block&) = &cg::tiled_partition<16, cg::thread_block>;
    cg::thread_group (*const cut_block)(const cg::thread_block&, unsigned) = &cg::tiled_partition;
    cg::thread_group (*const cut_any)(const cg::thread_group&, unsigned) = &cg::tiled_partition;
    cg::coalesced_group (*const cut_lanes)(const cg::coalesced_group&, unsigned) = &cg::tiled_partition;
    cg::coalesced_group (*const split)(const cg::coalesced_group&, bool) = &cg::binary_partition;
    cg::coalesced_group (*const label)(const cg::coalesced_group&, int) = &cg::labeled_partition<int>;
    cg::thread_block_tile<1> (*const alone)() = &cg::this_thread;
    unsigned (*const rank_of)(const void*) = &cg::cluster_group::query_shared_rank;
    int* (*const map)(int*, int) = &cg::cluster_group::map_shared_rank<int>;
    const cg::thread_block block = cg::this_thread_block();
    const cg::coalesced_group warp = cg::coalesced_threads();
    auto& word = shared<int, struct address_word_tag>();
    out[threadIdx.x] = cut(block).size() == 16 && cut_block(block, 8).size() == 8 && cut_any(block, 4).size() == 4 &&
                       cut_lanes(warp, 2).size() == 2 && split(warp, threadIdx.x % 2 != 0).size() == 16 &&
                       label(warp, static_cast<int>(threadIdx.x % 4)).size() == 8 && alone().size() == 1 &&
                       rank_of(&word) == 0 && map(&word, 0) == &word;
  };
  REQUIRE(launch({.block = 64}, look, seen.data()).ok());
  CHECK(seen.download() == std::vector<int>(64, 1));
}

TEST_CASE("the grid's and the cluster's barriers have CUDA's types too") {
  Buffer<int> seen(4 * 64);
  const auto look = [](int* out, int* counts) {
    cg::grid_group (*const make_grid)() = &cg::this_grid;
    cg::cluster_group (*const make_cluster)() = &cg::this_cluster;
    void (cg::grid_group::*const meet)() const = &cg::grid_group::sync;
    void (*const meet_cluster)() = &cg::cluster_group::sync;
    cg::cluster_group::arrival_token (*const arrive)() = &cg::cluster_group::barrier_arrive;
    void (*const wait)() = &cg::cluster_group::barrier_wait;
    void (*const wait_token)(cg::cluster_group::arrival_token &&) = &cg::cluster_group::barrier_wait;
    atomicAdd(&counts[blockIdx.x / 2], 1);
    meet_cluster();
    const int of_cluster = atomicAdd(&counts[blockIdx.x / 2], 0);
    static_cast<void>(arrive());
    wait();
    wait_token(arrive());
    (make_grid().*meet)();
    const int all = atomicAdd(&counts[0], 0) + atomicAdd(&counts[1], 0);
    out[global_rank()] = of_cluster == 128 && all == 256 && make_cluster().num_blocks() == 2;
  };
  Buffer<int> counts(2);
  counts.fill(0);
  REQUIRE(launch({.grid = 4, .block = 64, .cluster = 2, .cooperative = true}, look, seen.data(), counts.data()).ok());
  CHECK(seen.download() == std::vector<int>(4 * 64, 1));
}

TEST_CASE("invoke_one_broadcast takes CUDA's explicit template arguments") {
  Buffer<int> seen(64);
  const auto look = [](int* out) {
    const auto block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<32>(block);
    const auto sum = [](int a, int b) { return a + b; };
    const auto three = [] { return 3; };
    const auto triple = [](int a) { return 3 * a; };
    int all = cg::invoke_one_broadcast<32, cg::thread_block>(tile, three);
    all = all * 10 + cg::invoke_one_broadcast<32, cg::thread_block, decltype(triple)&, int>(tile, triple, 2);
    all = all * 10 + cg::invoke_one_broadcast<decltype(sum)&, int, int>(cg::coalesced_threads(), sum, 3, 4);
    out[threadIdx.x] = all;
  };
  REQUIRE(launch({.block = 64}, look, seen.data()).ok());
  CHECK(seen.download() == std::vector<int>(64, 367));
}

namespace {

// As programs that came from CUDA 11 have it.
using namespace cooperative_groups;
using namespace cooperative_groups::experimental;

/// Whether all spellings of scratch memory make the same groups.
struct UsesScratch {
  void operator()(int* out) const {
    auto& old_way = shared<block_tile_memory<8, 128>, struct old_scratch_tag>();
    auto& bytes_only = shared<cg::experimental::block_tile_memory<16>, struct bytes_scratch_tag>();
    auto& new_way = shared<cg::block_tile_memory<128>, struct new_scratch_tag>();
    const bool same = cg::this_thread_block(old_way).size() == cg::this_thread_block(bytes_only).size();
    out[threadIdx.x] = same && cg::this_thread_block(new_way).size() == 128;
  }
};
static_assert(block_tile_memory<8, 128>::kMaxBlockSize == 128);
static_assert(block_tile_memory<16>::kMaxBlockSize == 1024);
static_assert(block_tile_memory<>::kMaxBlockSize == 1024);

}  // namespace

TEST_CASE("scratch memory of CUDA 11 and of today is one name") {
  Buffer<int> seen(128);
  REQUIRE(launch({.block = 128}, UsesScratch{}, seen.data()).ok());
  CHECK(seen.download() == std::vector<int>(128, 1));
}

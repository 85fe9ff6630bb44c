// SPDX-License-Identifier: Apache-2.0
// Names of CUDA's headers that programs ask for or spell out, beside the groups themselves.
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
#include <cuda_awbarrier.h>

#include "unit/groups/group_launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

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

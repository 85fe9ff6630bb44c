// SPDX-License-Identifier: Apache-2.0
// Partitions of groups: who is in which piece, and how pieces are numbered; what one thread does for its group.
#include <cstdint>
#include <set>

#include "unit/groups/group_launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

namespace {

/// What a thread knows of a group: its place and who its members are.
void describe(const cg::coalesced_group& group, long long* row) {
  row[0] = group.size();
  row[1] = group.thread_rank();
  row[2] = group.meta_group_rank();
  row[3] = group.meta_group_size();
  unsigned lanes = 0;
  for (int rank = 0; rank < static_cast<int>(group.size()); ++rank) lanes |= 1U << group.shfl(detail::lane_id(), rank);
  row[4] = lanes;
}
constexpr unsigned kColumns = 5;

void check_group(const long long* row, unsigned lane, unsigned lanes, unsigned rank, unsigned count) {
  INFO("lane " << lane);
  CHECK(row[0] == __builtin_popcount(lanes));
  CHECK(row[1] == __builtin_popcount(lanes & ((1U << lane) - 1)));
  CHECK(row[2] == rank);
  CHECK(row[3] == count);
  CHECK(row[4] == lanes);
}

}  // namespace

TEST_CASE("labels number groups in the order of their lowest lanes") {
  const Way way = every_way();
  INFO(way);
  const auto rows = rows_of(way.apply({.grid = 1, .block = 32}), kColumns, [](long long* row) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    describe(cg::labeled_partition(warp, 7 - static_cast<std::int8_t>(detail::lane_id() % 5)), row);
  });
  for (unsigned lane = 0; lane < 32; ++lane) {
    unsigned lanes = 0;
    for (unsigned other = lane % 5; other < 32; other += 5) lanes |= 1U << other;
    check_group(&rows[std::size_t{lane} * kColumns], lane, lanes, lane % 5, 5);
  }
}

TEST_CASE("labels may be pointers and have 64 bits") {
  const Way way = every_way();
  INFO(way);
  const auto rows = rows_of(way.apply({.grid = 1, .block = 32}), 2 * kColumns, [](long long* row) {
    static const int places[2]{};
    const unsigned lane = detail::lane_id();
    const auto group = side_of(0x0000ffffU);
    describe(cg::labeled_partition(group, &places[lane % 2]), row);
    describe(cg::labeled_partition(group, std::uint64_t{lane % 2} << 40), row + kColumns);
  });
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned lanes = (lane % 2 == 0 ? 0x5555U : 0xaaaaU) << (lane / 16 * 16);
    for (const unsigned which : {0U, 1U}) {
      check_group(&rows[(std::size_t{lane} * 2 + which) * kColumns], lane, lanes, lane % 2, 2);
    }
  }
}

TEST_CASE("pieces of a coalesced group follow ranks") {
  const Way way = every_way();
  const unsigned mask = kMasks[GENERATE(range(std::size_t{0}, std::size(kMasks)))];
  const unsigned threads = GENERATE(1U, 4U, 8U, 32U);
  INFO(way << ", mask " << mask << ", " << threads << " threads");
  const auto rows = rows_of(way.apply({.grid = 1, .block = 32}), kColumns,
                            [=](long long* row) { describe(cg::tiled_partition(side_of(mask), threads), row); });
  for (unsigned lane = 0; lane < 32; ++lane) {
    const bool side = (mask >> lane & 1) != 0;
    const std::vector<unsigned> all = members(side ? mask : ~mask);
    unsigned rank = 0;
    while (all[rank] != lane) ++rank;
    unsigned lanes = 0;
    for (unsigned i = rank / threads * threads; i < all.size() && i < (rank / threads + 1) * threads; ++i) {
      lanes |= 1U << all[i];
    }
    const bool whole = all.size() <= threads;  // the parent itself, numbered as it was
    const bool both = mask != 0xffffffffU;
    const auto count = static_cast<unsigned>((all.size() + threads - 1) / threads);
    check_group(&rows[std::size_t{lane} * kColumns], lane, lanes, whole ? side && both : rank / threads,
                whole ? 1 + both : count);
  }
}

TEST_CASE("a thread_group of a grid, a cluster or a block is that group") {
  const Way way = every_way();
  INFO(way);
  constexpr unsigned kThreads = 48;
  const auto rows =
      rows_of(way.apply({.grid = 4, .block = kThreads, .cluster = 2, .cooperative = true}), 6, [](long long* row) {
        const cg::thread_group groups[] = {cg::this_grid(), cg::this_cluster(), cg::this_thread_block()};
        for (unsigned i = 0; i < 3; ++i) {
          groups[i].sync();
          row[2 * i] = static_cast<long long>(groups[i].size());
          row[2 * i + 1] = static_cast<long long>(groups[i].thread_rank());
        }
      });
  for (unsigned thread = 0; thread < 4 * kThreads; ++thread) {
    const long long* row = &rows[std::size_t{thread} * 6];
    CHECK(row[0] == 4 * kThreads);
    CHECK(row[1] == thread);
    CHECK(row[2] == 2 * kThreads);
    CHECK(row[3] == thread % (2 * kThreads));
    CHECK(row[4] == kThreads);
    CHECK(row[5] == thread % kThreads);
  }
}

TEST_CASE("one thread of each group acts for it") {
  const Way way = every_way();
  INFO(way);
  Buffer<int> counts(8);
  counts.fill(0);
  int* count = counts.data();
  const auto rows = rows_of(way.apply({.grid = 1, .block = 128}), 5, [=](long long* row) {
    const auto block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<8>(block);
    const auto large = cg::tiled_partition<64>(block);
    const auto group = side_of(0x00ff00f0U);
    const auto add = [=](int place, int by) { return atomicAdd(&count[place], by); };
    cg::invoke_one(block, [=] { add(0, 1); });
    cg::invoke_one(tile, add, 1, 1);
    cg::invoke_one(
        group, [=](int by) { add(2, by); }, 1);
    cg::invoke_one(
        large, [=](int a, int b, int c) { add(3, a + b + c); }, 1, 2, -2);
    row[0] = cg::invoke_one_broadcast(tile, [=] { return static_cast<int>(block.thread_rank()); });
    row[1] = cg::invoke_one_broadcast(
        large, [=](int by) { return static_cast<int>(block.thread_rank()) + by; }, 5);
    row[2] = cg::invoke_one_broadcast(group, add, 4, 1) >= 0;
    row[3] = group.shfl(static_cast<int>(block.thread_rank()), 0);
    row[4] = cg::invoke_one_broadcast(
        group, [=](int, int, int) { return static_cast<int>(block.thread_rank()); }, 1, 2, 3);
  });
  CHECK(counts.download() == std::vector<int>{1, 16, 8, 2, 8, 0, 0, 0});
  for (unsigned thread = 0; thread < 128; ++thread) {
    const long long* row = &rows[std::size_t{thread} * 5];
    CHECK(row[0] / 8 == thread / 8);
    CHECK(row[1] == thread / 64 * 64 + 5);
    CHECK(row[2] == 1);
    CHECK(row[4] / 32 == thread / 32);
    const unsigned mask = 0x00ff00f0U;
    CHECK((mask >> (row[4] % 32) & 1) == (mask >> (thread % 32) & 1));
  }
}

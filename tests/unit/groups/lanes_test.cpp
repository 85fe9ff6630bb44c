// SPDX-License-Identifier: Apache-2.0
// Shuffles, votes and matches of groups that fit a warp, against what ranks say.
#include <array>
#include <bit>

#include "unit/groups/group_launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

namespace {

/// More than a word, and no multiple of one.
struct Wide {
  std::array<short, 9> parts;
};
static_assert(sizeof(Wide) == 18);

Wide wide_of(unsigned lane) {
  Wide wide{};
  for (unsigned i = 0; i < wide.parts.size(); ++i) wide.parts[i] = static_cast<short>(lane * 100 + i);
  return wide;
}

/// The lane that made `wide`, or -1 if its parts are of several.
long long maker_of(const Wide& wide) {
  const long long lane = wide.parts[0] / 100;
  for (unsigned i = 0; i < wide.parts.size(); ++i) {
    if (wide.parts[i] != lane * 100 + i) return -1;
  }
  return lane;
}

/// What can be copied and not be made of nothing.
struct Named {
  int name;
  explicit Named(int chosen) : name(chosen) {}
};

/// The side of `mask` that `lane` is on, its own rank there.
struct Side {
  std::vector<unsigned> lanes;
  unsigned rank;

  Side(unsigned mask, unsigned lane) : lanes(members((mask >> lane & 1) != 0 ? mask : ~mask)), rank(0) {
    while (lanes[rank] != lane) ++rank;
  }
  long long lane_at(long long wanted) const {
    return lanes[wanted >= 0 && wanted < static_cast<long long>(lanes.size()) ? static_cast<unsigned>(wanted) : rank];
  }
};

}  // namespace

TEST_CASE("coalesced groups shuffle by rank") {
  const Way way = every_way();
  const unsigned mask = kMasks[GENERATE(range(std::size_t{0}, std::size(kMasks)))];
  INFO(way << ", mask " << mask);
  constexpr unsigned kColumns = 8;
  const auto rows = rows_of(way.apply({.grid = 1, .block = 64}), kColumns, [=](long long* row) {
    const auto group = side_of(mask);
    const auto lane = static_cast<int>(cg::tiled_partition<32>(cg::this_thread_block()).thread_rank());
    const auto last = static_cast<int>(group.size()) - 1;
    row[0] = group.shfl(lane, last - static_cast<int>(group.thread_rank()));
    row[1] = group.shfl_down(lane, 3);
    row[2] = group.shfl_up(lane, 2);
    row[3] = group.shfl_up(static_cast<double>(lane), 0) == lane;
    row[4] = maker_of(group.shfl(wide_of(static_cast<unsigned>(lane)), last));
    row[5] = maker_of(group.shfl_down(wide_of(static_cast<unsigned>(lane)), 1));
    row[6] = group.shfl_up(lane, -3);
    row[7] = group.shfl_down(lane, -1U) + 100 * group.shfl_up(lane, -2);
  });
  for (unsigned thread = 0; thread < 64; ++thread) {
    const Side side(mask, thread % 32);
    const long long* row = &rows[std::size_t{thread} * kColumns];
    const auto last = static_cast<long long>(side.lanes.size()) - 1;
    INFO("thread " << thread);
    CHECK(row[0] == side.lane_at(last - side.rank));
    CHECK(row[1] == side.lane_at(side.rank + 3));
    CHECK(row[2] == side.lane_at(static_cast<long long>(side.rank) - 2));
    CHECK(row[3] == 1);
    CHECK(row[4] == side.lane_at(last));
    CHECK(row[5] == side.lane_at(side.rank + 1));
    if (side.lanes.size() == 32) continue;  // a whole warp counts modulo its size
    CHECK(row[6] == side.lane_at(side.rank + 1));
    CHECK(row[7] == 101 * side.lane_at(side.rank));
  }
}

TEST_CASE("coalesced groups vote and match by rank") {
  const Way way = every_way();
  const unsigned mask = kMasks[GENERATE(range(std::size_t{0}, std::size(kMasks)))];
  INFO(way << ", mask " << mask);
  constexpr unsigned kColumns = 6;
  const auto rows = rows_of(way.apply({.grid = 1, .block = 32}), kColumns, [=](long long* row) {
    const auto group = side_of(mask);
    const unsigned lane = detail::lane_id();
    int same = -1;
    row[0] = group.ballot(lane % 3 == 0);
    row[1] = group.any(lane == 7);
    row[2] = group.all(lane != 7);
    row[3] = group.match_any(lane / 8);
    row[4] = group.match_all(lane < 40, same);
    row[5] = same;
  });
  for (unsigned lane = 0; lane < 32; ++lane) {
    const Side side(mask, lane);
    const long long* row = &rows[std::size_t{lane} * kColumns];
    unsigned thirds = 0;
    unsigned eighths = 0;
    bool seven = false;
    for (unsigned rank = 0; rank < side.lanes.size(); ++rank) {
      thirds |= static_cast<unsigned>(side.lanes[rank] % 3 == 0) << rank;
      eighths |= static_cast<unsigned>(side.lanes[rank] / 8 == lane / 8) << rank;
      seven = seven || side.lanes[rank] == 7;
    }
    INFO("lane " << lane);
    CHECK(row[0] == thirds);
    CHECK((row[1] != 0) == seven);
    CHECK((row[2] != 0) == !seven);
    CHECK(row[3] == eighths);
    CHECK(row[4] == static_cast<long long>((std::uint64_t{1} << side.lanes.size()) - 1));
    CHECK(row[5] == 1);
  }
}

TEST_CASE("tiles shuffle values of more than a word") {
  const Way way = every_way();
  INFO(way);
  const auto rows = rows_of(way.apply({.grid = 1, .block = 32}), 4, [](long long* row) {
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    const Wide mine = wide_of(detail::lane_id());
    row[0] = maker_of(tile.shfl(mine, 11));
    row[1] = maker_of(tile.shfl_up(mine, 2));
    row[2] = maker_of(tile.shfl_down(mine, 2));
    row[3] = maker_of(tile.shfl_xor(mine, 5));
  });
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned first = lane / 8 * 8;
    INFO("lane " << lane);
    CHECK(rows[lane * 4] == first + 3);
    CHECK(rows[lane * 4 + 1] == (lane % 8 >= 2 ? lane - 2 : lane));
    CHECK(rows[lane * 4 + 2] == (lane % 8 < 6 ? lane + 2 : lane));
    CHECK(rows[lane * 4 + 3] == (lane ^ 5));
  }
}

TEST_CASE("a convoy of a tile's shuffles ends with the tile's other members") {
  const Way way = every_way();
  INFO(way);
  const auto rows = rows_of(way.apply({.grid = 1, .block = 96}), 1, [](long long* row) {
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int sum = static_cast<int>(detail::thread_rank());
    for (unsigned ranks = 8; ranks != 0; ranks /= 2) sum += tile.shfl_xor(sum, ranks);
    tile.sync();
    for (unsigned ranks = 8; ranks != 0; ranks /= 2) sum += tile.shfl_down(sum, 0) - tile.shfl_up(sum, 0);
    *row = sum * (tile.ballot(1) == 0xffff ? 1 : -1);
  });
  for (unsigned thread = 0; thread < 96; ++thread) {
    const unsigned first = thread / 16 * 16;
    CHECK(rows[thread] == 16 * first + 120);
  }
}

TEST_CASE("a tile waits for its lanes, whatever groups these take themselves for") {
  const Way way = every_way();
  const unsigned tiles = kMasks[GENERATE(range(std::size_t{0}, std::size(kMasks)))];
  INFO(way << ", mask " << tiles);
  const auto rows = rows_of(way.apply({.grid = 1, .block = 64}), 1, [=](long long* row) {
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const cg::coalesced_group all = cg::coalesced_threads();
    auto& turns = shared<unsigned[64], struct turns_of_a_tile>();
    const unsigned turn = tile.meta_group_rank() * 32;
    for (unsigned i = 0; i < 4; ++i) {
      if (tile.thread_rank() == 0) turns[turn] = i;
      if ((tiles >> tile.thread_rank() & 1) != 0) {
        tile.sync();
      } else {
        all.sync();
      }
      *row = *row * 10 + turns[turn];
      tile.sync();
    }
  });
  for (const long long row : rows) CHECK(row == 123);
}

TEST_CASE("lanes that have returned take no part in a group's collectives") {
  const Way way = every_way();
  INFO(way);
  const auto rows = rows_of(way.apply({.grid = 1, .block = 32}), 4, [](long long* row) {
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    if (tile.thread_rank() % 4 == 1) return;
    row[0] = tile.ballot(1);
    row[1] = tile.any(0);
    row[2] = tile.all(1);
    row[3] = tile.match_any(tile.thread_rank() / 8);
  });
  for (unsigned thread = 0; thread < 32; ++thread) {
    const long long* row = &rows[std::size_t{thread} * 4];
    INFO("thread " << thread);
    if (thread % 4 == 1) continue;
    CHECK(row[0] == 0xdddd);
    CHECK(row[1] == 0);
    CHECK(row[2] == 0);  // as on the device, where a lane that has left is no lane that agrees
    CHECK(row[3] == (thread % 16 < 8 ? 0x00dd : 0xdd00));
  }
}

TEST_CASE("shuffles take types without a default constructor") {
  const auto rows = rows_of({.grid = 1, .block = 64}, 4, [](long long* row) {
    const auto block = cg::this_thread_block();
    const Named mine(static_cast<int>(block.thread_rank()));
    row[0] = cg::tiled_partition<16>(block).shfl(mine, 3).name;
    row[1] = cg::tiled_partition<16>(block).shfl_xor(mine, 1).name;
    row[2] = cg::coalesced_threads().shfl_down(mine, 1).name;
    row[3] = cg::tiled_partition<64>(block).shfl(mine, 40).name;
  });
  for (unsigned i = 0; i < 64; ++i) {
    CHECK(rows[4 * i] == i / 16 * 16 + 3);
    CHECK(rows[4 * i + 1] == (i ^ 1));
    CHECK(rows[4 * i + 2] == (i % 32 == 31 ? i : i + 1));
    CHECK(rows[4 * i + 3] == 40);
  }
}

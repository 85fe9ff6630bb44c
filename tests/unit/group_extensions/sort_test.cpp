// SPDX-License-Identifier: Apache-2.0
// warpfiber::sort() over every kind of group, against std::stable_sort: keys with values, orders of several kinds, keys
// that are no numbers, threads that have returned.
#include <warpfiber/group_extensions.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <vector>

#include "base/random.hpp"
#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;
namespace cg = cooperative_groups;

namespace {

struct Name {
  unsigned char letters[3];
};

/// What a thread brings, or gets.
struct Hand {
  int number;
  short value_of_number;
  float real;
  Name name;
  unsigned value_of_name;
};

/// Where a thread is: which group, which rank.
struct Seat {
  unsigned long long group = 0;
  unsigned long long rank = 0;
  bool stays = false;
};

bool by_first_letter(const Name& a, const Name& b) {
  return a.letters[0] < b.letters[0];
}

/// One call of each form. The comparison counts, so it is none that may be called while lists change.
template <class Group>
__attribute__((noinline)) void sort_all(const Group& group, Hand& hand, unsigned* calls) {
  warpfiber::sort(group, hand.number, hand.value_of_number);
  warpfiber::sort(group, hand.real, cg::greater<float>());
  warpfiber::sort(group, hand.name, hand.value_of_name, [calls](const Name& a, const Name& b) {
    atomicAdd(calls, 1U);
    return by_first_letter(a, b);
  });
}

Hand draw(base::Random& random) {
  Hand hand{};
  hand.number = static_cast<int>(random.below(40)) - 20;
  hand.value_of_number = static_cast<short>(random.next());
  hand.real = static_cast<float>(random.below(9)) - 4.0F;
  if (hand.real == 4.0F) hand.real = std::numeric_limits<float>::quiet_NaN();
  if (hand.real == 3.0F) hand.real = -0.0F;
  for (auto& letter : hand.name.letters) letter = static_cast<unsigned char>(random.below(5));
  hand.value_of_name = static_cast<unsigned>(random.next());
  return hand;
}

/// `members` sorted by what `part` says of them, in the order that `before` says.
template <class Part, class Before>
auto sorted(const std::vector<Hand>& members, Part part, Before before) {
  std::vector<decltype(part(members[0]))> parts;
  for (const Hand& member : members) parts.push_back(part(member));
  std::stable_sort(parts.begin(), parts.end(), before);
  return parts;
}

void check_group(const std::vector<Hand>& before, const std::vector<Hand>& after) {
  const auto numbers = sorted(
      before, [](const Hand& hand) { return std::pair(hand.number, hand.value_of_number); },
      [](const auto& a, const auto& b) { return a.first < b.first; });
  const auto reals = sorted(
      before, [](const Hand& hand) { return hand.real; },
      [](float a, float b) { return !std::isnan(a) && (std::isnan(b) || a > b); });
  const auto names = sorted(
      before, [](const Hand& hand) { return std::pair(hand.name, hand.value_of_name); },
      [](const auto& a, const auto& b) { return by_first_letter(a.first, b.first); });
  for (std::size_t r = 0; r < before.size(); ++r) {
    const bool same_real = after[r].real == reals[r] ? std::signbit(after[r].real) == std::signbit(reals[r])
                                                     : std::isnan(after[r].real) && std::isnan(reals[r]);
    if (after[r].number == numbers[r].first && after[r].value_of_number == numbers[r].second && same_real &&
        std::equal(after[r].name.letters, after[r].name.letters + 3, names[r].first.letters) &&
        after[r].value_of_name == names[r].second) {
      continue;
    }
    FAIL("rank " << r << " of " << before.size());
  }
}

/// Sorts over the groups that `group_of()` makes, whose number `id()` says.
template <class GroupOf>
void check_sort(const Way& way, LaunchConfig config, unsigned leavers_in_ten, GroupOf group_of) {
  const std::size_t threads = std::size_t{config.grid.x} * config.block.x * config.block.y;
  CAPTURE(way, config.grid.x, config.block.x, config.block.y, config.cluster.x, leavers_in_ten);
  base::Random random(way.seed + threads);
  std::vector<Hand> hands(threads);
  std::vector<Seat> seats(threads);
  for (Hand& hand : hands) hand = draw(random);
  for (Seat& seat : seats) seat.stays = random.below(10) >= leavers_in_ten;
  const std::vector<Hand> before = hands;
  unsigned calls = 0;
  good_launch(way.apply(config), [&] {
    const auto me = global_rank();
    if (!seats[me].stays) return;
    group_of([&](const auto& group, unsigned long long id) {
      seats[me].group = id;
      seats[me].rank = group.thread_rank();
      sort_all(group, hands[me], &calls);
    });
  });
  std::map<unsigned long long, std::map<unsigned long long, std::size_t>> groups;
  for (std::size_t i = 0; i < threads; ++i) {
    if (seats[i].stays) groups[seats[i].group][seats[i].rank] = i;
  }
  for (const auto& [id, members] : groups) {
    CAPTURE(id);
    std::vector<Hand> brought, got;
    for (const auto& [rank, member] : members) {
      brought.push_back(before[member]);
      got.push_back(hands[member]);
    }
    check_group(brought, got);
  }
}

const auto kBlock = [](auto&& use) { use(cg::this_thread_block(), blockIdx.x); };
const auto kCluster = [](auto&& use) { use(cg::this_cluster(), cg::this_grid().cluster_rank()); };
const auto kGrid = [](auto&& use) { use(cg::this_grid(), 0); };

}  // namespace

TEST_CASE("a group within a warp sorts keys and values, stable by rank") {
  const Way way = every_way();
  const auto tiles = [](auto&& use) {
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    use(tile, global_rank() / 16);
  };
  check_sort(way, {.grid = 2, .block = 64}, 0, tiles);
  check_sort(way, {.grid = 2, .block = 64}, 3, tiles);
  check_sort(way, {.grid = 1, .block = 70}, 0, [](auto&& use) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    if (warp.thread_rank() % 3 == 0) return;
    const auto group = cg::coalesced_threads();
    use(group, group.shfl(global_rank(), 0));
  });
  check_sort(way, {.grid = 1, .block = 3}, 0, [](auto&& use) { use(cg::this_thread(), global_rank()); });
}

TEST_CASE("a large tile and a block sort") {
  const Way way = every_way();
  const auto tiles = [](auto&& use) { use(cg::tiled_partition<128>(cg::this_thread_block()), global_rank() / 128); };
  check_sort(way, {.grid = 2, .block = 256}, 0, tiles);
  check_sort(way, {.grid = 1, .block = 256}, 4, tiles);
  check_sort(way, {.grid = 3, .block = 33}, 0, kBlock);
  check_sort(way, {.grid = 2, .block = dim3(20, 7)}, 4, kBlock);
  check_sort(way, {.grid = 1, .block = 1024}, 0, kBlock);
  check_sort(way, {.grid = 2, .block = 70}, 0,
             [](auto&& use) { use(static_cast<const cg::thread_group&>(cg::this_thread_block()), blockIdx.x); });
}

TEST_CASE("a cluster sorts over its blocks") {
  const Way way = every_way();
  check_sort(way, {.grid = 6, .block = 40, .cluster = 3}, 0, kCluster);
  check_sort(way, {.grid = 8, .block = 64, .cluster = 8}, 3, kCluster);
  check_sort(way, {.grid = 2, .block = 50}, 0, kCluster);
}

TEST_CASE("a cooperative grid sorts") {
  const Way way = every_way();
  check_sort(way, {.grid = 7, .block = 70, .cooperative = true}, 0, kGrid);
  check_sort(way, {.grid = 1, .block = 5, .cooperative = true}, 0, kGrid);
}

TEST_CASE("groups of labels and tiles of a cluster sort") {
  const Way way = every_way();
  check_sort(way, {.grid = 2, .block = 90}, 0, [](auto&& use) {
    const auto group = warpfiber::labeled_partition(cg::this_thread_block(), detail::thread_rank() % 7);
    use(group, blockIdx.x * 100 + group.meta_group_rank());
  });
  check_sort(way, {.grid = 5, .block = 33, .cooperative = true}, 0, [](auto&& use) {
    const auto group = warpfiber::labeled_partition(cg::this_grid(), static_cast<int>(global_rank() % 4));
    use(group, group.meta_group_rank());
  });
  check_sort(way, {.grid = 8, .block = 32, .cluster = 4}, 0, [](auto&& use) {
    const auto tile = warpfiber::tiled_partition<64>(cg::this_cluster());
    use(tile, cg::this_grid().cluster_rank() * 100 + tile.meta_group_rank());
  });
}

TEST_CASE("a comparison that says nonsense still gives everybody one of the keys") {
  const Way way = every_way();
  std::vector<int> keys(64);
  for (int i = 0; i < 64; ++i) keys[static_cast<std::size_t>(i)] = i;
  good_launch(way.apply({.grid = 1, .block = 64}),
              [&] { warpfiber::sort(cg::this_thread_block(), keys[threadIdx.x], [](int, int) { return true; }); });
  std::sort(keys.begin(), keys.end());
  for (int i = 0; i < 64; ++i) CHECK(keys[static_cast<std::size_t>(i)] == i);
}

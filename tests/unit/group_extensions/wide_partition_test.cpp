// SPDX-License-Identifier: Apache-2.0
// Label partitions of every group, and tiles of clusters: sizes, ranks and collectives against a model that looks at
// the labels, barriers by what is seen behind them.
#include <warpfiber/group_extensions.hpp>

#include <algorithm>
#include <map>
#include <vector>

#include "base/random.hpp"
#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;
namespace cg = cooperative_groups;

namespace {

/// x -> a x + b modulo a prime. Composition associates and does not commute.
struct Affine {
  int a, b;
  friend bool operator==(const Affine&, const Affine&) = default;
};
Affine compose(const Affine& x, const Affine& y) {
  return {x.a * y.a % 997, (x.a * y.b + x.b) % 997};
}

/// What a thread learns of its group.
struct Facts {
  unsigned long long rank, size, meta_rank, meta_size;
  unsigned long long above;  // global rank of the next member, the lowest after the highest
  int sum;
  Affine below, upto;
  bool all_seen;  // what the members wrote before a barrier
  friend bool operator==(const Facts&, const Facts&) = default;
};

/// The threads of a launch, what they bring and what they get.
struct Stage {
  explicit Stage(std::size_t threads)
      : labels(threads), parents(threads), values(threads), facts(threads), stays(threads) {
    for (auto& round : written) round.resize(threads);
  }

  std::vector<int> labels;
  std::vector<int> parents;  // the groups that are cut
  std::vector<Affine> values;
  std::vector<Facts> facts;
  std::vector<char> stays;
  std::vector<unsigned> written[2];

  bool mates(std::size_t a, std::size_t b) const {
    return stays[a] != 0 && stays[b] != 0 && parents[a] == parents[b] && labels[a] == labels[b];
  }
};

template <class Group>
__attribute__((noinline)) Facts facts_of(const Group& group, Stage& stage) {
  const auto me = global_rank();
  Facts facts{
      group.thread_rank(), group.num_threads(), group.meta_group_rank(), group.meta_group_size(), 0, 0, {}, {}, true};
  for (auto& round : stage.written) {
    round[me] = 1;
    group.sync();
    for (std::size_t other = 0; other < round.size(); ++other) {
      if (stage.mates(me, other) && round[other] == 0) facts.all_seen = false;
    }
  }
  facts.above = group.shfl(static_cast<unsigned long long>(me), (group.thread_rank() + 1) % group.size());
  facts.sum = warpfiber::reduce(group, stage.values[me].a, cg::plus<int>());
  facts.upto = warpfiber::inclusive_scan(group, stage.values[me], compose);
  facts.below = warpfiber::exclusive_scan(group, stage.values[me], compose);
  return facts;
}

/// Members of the groups of one parent, in the order of the groups' ranks.
std::vector<std::vector<std::size_t>> groups_of(const Stage& stage, int parent, bool by_label) {
  std::vector<std::vector<std::size_t>> groups;
  std::map<int, std::size_t> number;
  for (std::size_t i = 0; i < stage.labels.size(); ++i) {
    if (stage.stays[i] == 0 || stage.parents[i] != parent) continue;
    const auto [found, fresh] = number.try_emplace(stage.labels[i], groups.size());
    if (fresh) groups.emplace_back();
    groups[found->second].push_back(i);
  }
  if (!by_label) return groups;
  std::vector<std::vector<std::size_t>> sorted;
  for (const auto& [label, at] : number) sorted.push_back(groups[at]);
  return sorted;
}

void check_parent(const Stage& stage, int parent, bool by_label) {
  const auto groups = groups_of(stage, parent, by_label);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto& members = groups[g];
    int sum = 0;
    Affine upto{};
    for (std::size_t r = 0; r < members.size(); ++r) {
      const Affine below = upto;
      upto = r == 0 ? stage.values[members[0]] : compose(below, stage.values[members[r]]);
      sum += stage.values[members[r]].a;
      Facts expected{r, members.size(), g, groups.size(), members[(r + 1) % members.size()], 0, below, upto, true};
      expected.sum = stage.facts[members[r]].sum;
      if (!(stage.facts[members[r]] == expected)) FAIL("rank " << r << " of group " << g << " of parent " << parent);
    }
    for (const std::size_t member : members) {
      if (stage.facts[member].sum != sum) FAIL("sum of group " << g << " of parent " << parent);
    }
  }
}

/// Cuts groups of which parent_of(thread) is the number by labels below `labels`; partition(label) is called for that.
template <class ParentOf, class Partition>
void check_partition(const Way& way, const LaunchConfig& config, unsigned labels, unsigned leavers_in_ten,
                     ParentOf parent_of, Partition partition, bool by_label = false) {
  const std::size_t threads = std::size_t{config.grid.x} * config.block.x * config.block.y;
  CAPTURE(way, config.grid.x, config.block.x, config.cluster.x, labels, leavers_in_ten);
  base::Random random(way.seed + threads + labels);
  Stage stage(threads);
  int parents = 0;
  for (std::size_t i = 0; i < threads; ++i) {
    stage.labels[i] = static_cast<int>(random.below(labels)) - (by_label ? 0 : 1);
    stage.parents[i] = static_cast<int>(parent_of(i));
    stage.values[i] = {static_cast<int>(random.below(996)) + 1, static_cast<int>(random.below(997))};
    stage.stays[i] = random.below(10) >= leavers_in_ten ? 1 : 0;
    parents = std::max(parents, stage.parents[i] + 1);
  }
  good_launch(way.apply(config), [&] {
    const auto me = global_rank();
    if (stage.stays[me] == 0) return;
    stage.facts[me] = facts_of(partition(stage.labels[me]), stage);
  });
  for (int parent = 0; parent < parents; ++parent) check_parent(stage, parent, by_label);
}

template <unsigned kSize>
void check_cluster_tiles(const Way& way, const LaunchConfig& config) {
  const std::size_t threads = std::size_t{config.grid.x} * config.block.x;
  const std::size_t cluster = std::size_t{config.cluster.x} * config.block.x;
  CAPTURE(way, config.block.x, config.cluster.x, kSize);
  Stage stage(threads);
  for (std::size_t i = 0; i < threads; ++i) {
    stage.labels[i] = static_cast<int>(i % cluster / kSize);
    stage.parents[i] = static_cast<int>(i / cluster);
    stage.values[i] = {static_cast<int>(i % 50) + 1, static_cast<int>(i % 31)};
    stage.stays[i] = 1;
  }
  good_launch(way.apply(config), [&] {
    const auto tile = warpfiber::tiled_partition<kSize>(cg::this_cluster());
    static_assert(tile.num_threads() == kSize);
    stage.facts[global_rank()] = facts_of(tile, stage);
  });
  for (std::size_t parent = 0; parent < threads / cluster; ++parent)
    check_parent(stage, static_cast<int>(parent), true);
}

const auto kCutBlock = [](int label) { return warpfiber::labeled_partition(cg::this_thread_block(), label); };
const auto kCutCluster = [](int label) { return warpfiber::labeled_partition(cg::this_cluster(), label); };
const auto kCutGrid = [](int label) { return warpfiber::labeled_partition(cg::this_grid(), label); };

}  // namespace

TEST_CASE("blocks and tiles are cut by labels") {
  const Way way = every_way();
  for (const unsigned leavers : {0U, 3U}) {
    check_partition(
        way, {.grid = 2, .block = 70}, 5, leavers, [](std::size_t i) { return i / 70; }, kCutBlock);
    check_partition(
        way, {.grid = 1, .block = 300}, 150, leavers, [](std::size_t) { return 0; }, kCutBlock);
  }
  check_partition(
      way, {.grid = 1, .block = 256}, 4, 0, [](std::size_t i) { return i / 64; },
      [](int label) { return warpfiber::labeled_partition(cg::tiled_partition<64>(cg::this_thread_block()), label); });
  check_partition(
      way, {.grid = 1, .block = 64}, 3, 2, [](std::size_t i) { return i / 8; },
      [](int label) { return warpfiber::labeled_partition(cg::tiled_partition<8>(cg::this_thread_block()), label); });
}

TEST_CASE("clusters are cut by labels") {
  const Way way = every_way();
  const unsigned leavers = GENERATE(0U, 3U);
  check_partition(
      way, {.grid = 6, .block = 40, .cluster = 3}, 5, leavers, [](std::size_t i) { return i / 120; }, kCutCluster);
}

TEST_CASE("cooperative grids are cut by labels") {
  const Way way = every_way();
  const LaunchConfig config{.grid = 5, .block = 36, .cooperative = true};
  const auto whole = [](std::size_t) { return 0; };
  check_partition(way, config, 1, 0, whole, kCutGrid);
  check_partition(way, config, 3, 0, whole, kCutGrid);
  check_partition(way, config, 90, 0, whole, kCutGrid);
  check_partition(way, config, 3, 0, whole, [](int label) {
    const cg::thread_group group = cg::this_grid();
    return warpfiber::labeled_partition(group, label);
  });
}

TEST_CASE("binary partitions rank those for whom it holds last") {
  const Way way = every_way();
  const auto whole = [](std::size_t) { return 0; };
  const auto cut = [](int label) { return warpfiber::binary_partition(cg::this_grid(), label != 0); };
  check_partition(way, {.grid = 3, .block = 50, .cooperative = true}, 2, 0, whole, cut, true);
  check_partition(way, {.grid = 3, .block = 50, .cooperative = true}, 1, 0, whole, cut, true);
}

TEST_CASE("groups of labels are cut again, and copies of them are the same group") {
  const Way way = every_way();
  check_partition(
      way, {.grid = 4, .block = 40, .cooperative = true}, 3, 0, [](std::size_t i) { return i % 2; },
      [](int label) {
        const auto halves = warpfiber::labeled_partition(cg::this_grid(), static_cast<int>(global_rank() % 2));
        const auto copy = halves;
        copy.sync();
        return warpfiber::labeled_partition(copy, label);
      });
}

TEST_CASE("tiles of clusters lie in a block, across blocks, or hold several") {
  const Way way = every_way();
  check_cluster_tiles<16>(way, {.grid = 4, .block = 64, .cluster = 2});
  check_cluster_tiles<64>(way, {.grid = 4, .block = 96, .cluster = 2});
  check_cluster_tiles<128>(way, {.grid = 8, .block = 64, .cluster = 4});
  check_cluster_tiles<1>(way, {.grid = 2, .block = 3, .cluster = 2});
}

TEST_CASE("two partitions of one block may be open at once") {
  const Way way = every_way();
  std::vector<unsigned> order(96);
  good_launch(way.apply({.grid = 1, .block = 96}), [&] {
    const unsigned me = threadIdx.x;
    const auto block = cg::this_thread_block();
    const auto thirds = warpfiber::labeled_partition(block, me % 3);
    const auto halves = warpfiber::labeled_partition(block, me % 2);
    for (unsigned turn = 0; turn < 4; ++turn) {
      thirds.sync();
      order[me] += static_cast<unsigned>(warpfiber::reduce(halves, 1U, cg::plus<unsigned>()));
    }
  });
  for (const unsigned count : order) CHECK(count == 4 * 48);
}

TEST_CASE("groups of labels and tiles of a cluster bring their reductions to memory") {
  constexpr unsigned kThreads = 64;
  Buffer<int> results(8);
  results.fill(0);
  const auto work = [](int* out) {
    const auto grid = cg::this_grid();
    const auto me = static_cast<int>(grid.thread_rank());
    const auto own = [](int a, int b) { return a > b ? a : b; };  // none of CUDA's
    const labeled_group thirds = labeled_partition(grid, me % 3);
    cg::reduce_store_async(thirds, out + me % 3, me, cg::plus<int>());
    ::cuda::atomic_ref<int> total(out[3]);
    cg::reduce_update_async(thirds, total, me, cg::plus<int>());
    reduce_update_async(thirds, ::cuda::atomic_ref<int, ::cuda::thread_scope_device>(out[4]), me, own);
    const auto halves = warpfiber::tiled_partition<kThreads>(cg::this_cluster());
    warpfiber::reduce_store_async(halves, out + 5 + grid.block_rank(), me, cg::less<int>());
    warpfiber::reduce_store_async(halves, ::cuda::atomic_ref<int>(out[7]), 9, own);
  };
  LaunchConfig config{.grid = 2, .block = kThreads};
  config.cooperative = true;
  REQUIRE(launch(config, work, results.data()).ok());
  CHECK(results.download() == std::vector<int>{2709, 2752, 2667, 8128, 127, 0, 64, 9});
}

TEST_CASE("a reduction of a group of labels goes to one place") {
  Buffer<int> results(64);
  const auto work = [](int* out) {
    cg::reduce_store_async(labeled_partition(cg::this_thread_block(), threadIdx.x % 2), out + threadIdx.x, 1,
                           cg::plus<int>());
  };
  const LaunchResult result = launch({.block = 64}, work, results.data());
  CHECK(std::string(result.finding()) == "cg-misuse");
}

TEST_CASE("scans of labelled groups begin with what an atomic holds and leave their total there") {
  constexpr unsigned kThreads = 64;
  constexpr unsigned kAll = 2 * kThreads;
  Buffer<int> results(kAll * 4);
  Buffer<int> words(8);
  words.upload({100, 200, 300, 0, 0, 0, 5, 6});
  const auto work = [](int* out, int* totals) {
    const auto grid = cg::this_grid();
    const auto me = static_cast<int>(grid.thread_rank());
    const auto larger = [](int a, int b) { return a > b ? a : b; };  // none of CUDA's
    int* const own = out + me * 4;
    const labeled_group thirds = labeled_partition(grid, me % 3);
    ::cuda::atomic_ref<int> third(totals[me % 3]);
    own[0] = cg::inclusive_scan_update(thirds, third, me);
    own[1] = cg::exclusive_scan_update(thirds, third, me, cg::plus<int>());
    const auto half = labeled_partition(cg::this_thread_block(), threadIdx.x % 2 == 0);
    const auto at = static_cast<unsigned>(grid.block_rank() * 2 + half.meta_group_rank());
    own[2] = exclusive_scan_update(half, ::cuda::atomic_ref<int>(totals[4 + at]), me, larger);
    grid.sync();
    own[3] = inclusive_scan_update(thirds, third, 1, larger);
  };
  LaunchConfig config{.grid = 2, .block = kThreads};
  config.cooperative = true;
  REQUIRE(launch(config, work, results.data(), words.data()).ok());
  const std::vector<int> found = results.download();
  int first[3] = {100, 200, 300};
  for (unsigned i = 0; i < kAll; ++i) first[i % 3] += static_cast<int>(i);
  int below[3] = {100, 200, 300};
  int second[3] = {first[0], first[1], first[2]};
  int largest[4] = {0, 0, 5, 6};
  for (unsigned i = 0; i < kAll; ++i) {
    CAPTURE(i);
    const auto value = static_cast<int>(i);
    const unsigned half = i / kThreads * 2 + (i % 2 == 0 ? 1 : 0);
    below[i % 3] += value;
    CHECK(found[i * 4] == below[i % 3]);
    CHECK(found[i * 4 + 1] == second[i % 3]);
    second[i % 3] += value;
    CHECK(found[i * 4 + 2] == largest[half]);
    largest[half] = std::max(largest[half], value);
  }
  for (unsigned i = 0; i < kAll; ++i) CHECK(found[i * 4 + 3] == second[i % 3]);
  const std::vector<int> left = words.download();
  CHECK(std::vector<int>(left.begin(), left.begin() + 3) == std::vector<int>(second, second + 3));
  CHECK(std::vector<int>(left.begin() + 4, left.end()) == std::vector<int>(largest, largest + 4));
}

TEST_CASE("a scan of a group of labels updates one place") {
  Buffer<int> results(64);
  results.fill(0);
  const auto work = [](int* out) {
    ::cuda::atomic_ref<int> own(out[threadIdx.x]);
    static_cast<void>(cg::inclusive_scan_update(labeled_partition(cg::this_thread_block(), threadIdx.x % 2), own, 1));
  };
  const LaunchResult result = launch({.block = 64}, work, results.data());
  CHECK(std::string(result.finding()) == "cg-misuse");
}

TEST_CASE("CUDA's reductions and scans take labelled groups, and without an operator they add") {
  constexpr unsigned kThreads = 96;
  constexpr int kLabels = 3;
  Buffer<int> results(kThreads * 7);
  const auto work = [](int* out) {
    const auto me = static_cast<int>(threadIdx.x);
    const labeled_group group = labeled_partition(cg::this_thread_block(), me % kLabels);
    int* const own = out + threadIdx.x * 7;
    own[0] = warpfiber::inclusive_scan(group, me);
    own[1] = warpfiber::exclusive_scan(group, me);
    own[2] = cg::reduce(group, me, cg::plus<int>());
    own[3] = cg::inclusive_scan(group, me);
    own[4] = cg::exclusive_scan(group, me, cg::plus<int>());
    own[5] = cg::exclusive_scan(group, me);
    own[6] = reduce(group, me, cg::greater<int>());  // found beside the group and beside the operator
  };
  REQUIRE(launch({.block = kThreads}, work, results.data()).ok());
  const std::vector<int> found = results.download();
  int sums[kLabels] = {};
  for (int i = 0; i < static_cast<int>(kThreads); ++i) sums[i % kLabels] += i;
  int below[kLabels] = {};
  for (int i = 0; i < static_cast<int>(kThreads); ++i) {
    int& before = below[i % kLabels];
    const int upto = before + i;
    const int largest = static_cast<int>(kThreads) - kLabels + i % kLabels;
    const std::vector<int> expected{upto, before, sums[i % kLabels], upto, before, before, largest};
    CAPTURE(i);
    CHECK(std::vector<int>(found.begin() + i * 7, found.begin() + i * 7 + 7) == expected);
    before = upto;
  }
}

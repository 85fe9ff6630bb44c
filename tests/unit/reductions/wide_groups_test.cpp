// SPDX-License-Identifier: Apache-2.0
// Clusters and grids: against the sequential model, bit by bit, and what a grid that is not cooperative is told.
#include <string>

#include "unit/reductions/reduction_cases.hpp"

using namespace warpfiber;
using namespace warpfiber::test;
using Catch::Matchers::ContainsSubstring;

namespace {

using WideCases = std::tuple<Case<float, cg::plus<float>>, Case<Affine, Compose>, Case<Eight, Mix>>;

/// All threads of `count` blocks from block `first` on are a group.
template <class C>
void check_blocks(Play<C>& play, std::size_t first, std::size_t count, std::size_t threads, std::size_t group) {
  std::vector<model::Parts<typename C::T>> blocks;
  for (std::size_t b = first; b < first + count; ++b) {
    auto parts = play.parts(b * threads, threads);
    if (!parts.empty()) blocks.push_back(std::move(parts));
  }
  play.check(play.staying(first * threads, count * threads), group,
             [&](Cells<typename C::T>& cells) { return model::wide_group(blocks, true, typename C::Op(), cells); });
}

template <class C, bool kAsThreadGroup>
void check_grid(const Way& way, unsigned blocks, unsigned threads) {
  base::Random random(way.seed + 1);
  Play<C> play(std::size_t{blocks} * threads, random, 0);
  CAPTURE(blocks, threads, kAsThreadGroup);
  good_launch(way.apply({.grid = blocks, .block = threads, .cooperative = true}), [&play] {
    const auto rank = global_rank();
    const auto grid = cg::this_grid();
    if constexpr (kAsThreadGroup) {
      play.results[rank] = call_all<C>(static_cast<const cg::thread_group&>(grid), play.values[rank], play.cells[0]);
    } else {
      play.results[rank] = call_all<C>(grid, play.values[rank], play.cells[0]);
    }
  });
  check_blocks(play, 0, blocks, threads, 0);
}

template <class C, bool kAsThreadGroup>
void check_clusters(const Way& way, unsigned size, unsigned threads, unsigned leavers) {
  constexpr unsigned kClusters = 3;
  base::Random random(way.seed + 1);
  Play<C> play(std::size_t{kClusters} * size * threads, random, leavers);
  if (leavers != 0) std::fill_n(play.leaves.begin(), threads, char{1});  // all of a block
  CAPTURE(size, threads, leavers, kAsThreadGroup);
  good_launch(way.apply({.grid = kClusters * size, .block = threads, .cluster = size}), [&play, size] {
    const auto rank = global_rank();
    if (play.leaves[rank] != 0) return;
    const auto cluster = cg::this_cluster();
    auto& cells = play.cells[blockIdx.x / size];
    if constexpr (kAsThreadGroup) {
      play.results[rank] = call_all<C>(static_cast<const cg::thread_group&>(cluster), play.values[rank], cells);
    } else {
      play.results[rank] = call_all<C>(cluster, play.values[rank], cells);
    }
  });
  for (unsigned cluster = 0; cluster < kClusters; ++cluster) {
    check_blocks(play, std::size_t{cluster} * size, size, threads, cluster);
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("a cooperative grid reduces and scans block by block", "", WideCases) {
  const Way way = every_way();
  CAPTURE(way);
  check_grid<TestType, false>(way, 7, 70);
  check_grid<TestType, false>(way, 1, 33);
}

TEMPLATE_LIST_TEST_CASE("a cluster reduces and scans block by block", "", WideCases) {
  const Way way = every_way();
  const unsigned leavers = GENERATE(0U, 3U);
  CAPTURE(way);
  check_clusters<TestType, false>(way, 1, 40, leavers);
  check_clusters<TestType, false>(way, 2, 64, leavers);
  check_clusters<TestType, false>(way, 8, 33, leavers);
}

TEST_CASE("a thread_group that is a grid or a cluster reduces and scans as those") {
  const Way way = every_way();
  CAPTURE(way);
  check_grid<Case<float, cg::plus<float>>, true>(way, 3, 32);
  check_clusters<Case<float, cg::plus<float>>, true>(way, 3, 20, 0);
}

TEST_CASE("a grid that is not cooperative is told so when it reduces") {
  const Way way = every_way();
  CAPTURE(way);
  const LaunchResult result =
      failed_launch(way.apply({.grid = 2, .block = 32}), [] { cg::reduce(cg::this_grid(), 1, cg::plus<int>()); });
  CHECK(std::string(result.finding()) == "cg-misuse");
  CHECK_THAT(result.message(), ContainsSubstring("cooperative"));
}

// SPDX-License-Identifier: Apache-2.0
// Tiles of up to 32 threads, coalesced groups and thread_group of those: every call for every size, for random members
// and types, against the sequential model, bit by bit.
#include "unit/reductions/reduction_cases.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

namespace {

constexpr unsigned kThreads = 77;  // the last warp is short

template <class C, unsigned kSize>
void check_tiles(const Way& way, unsigned leavers) {
  base::Random random(way.seed * 10 + leavers);
  Play<C> play(kThreads, random, leavers);
  CAPTURE(kSize, leavers);
  good_launch(way.apply({.block = kThreads}), [&play] {
    const unsigned rank = detail::thread_rank();
    if (play.leaves[rank] != 0) return;
    const auto tile = cg::tiled_partition<kSize>(cg::this_thread_block());
    play.results[rank] = call_all<C>(tile, play.values[rank], play.cells[rank / kSize]);
  });
  for (std::size_t first = 0; first < kThreads; first += kSize) {
    const auto members = play.staying(first, kSize);
    play.check(members, first / kSize, [&](Cells<typename C::T>& cells) {
      return model::lane_group(play.brought(members), kSize, typename C::Op(), cells);
    });
  }
}

/// Cuts each warp into groups by random labels; some threads return once they are in a group.
template <class C, bool kAsThreadGroup>
void check_coalesced(const Way& way, unsigned labels, unsigned leavers) {
  base::Random random(way.seed * 10 + labels);
  Play<C> play(kThreads, random, leavers);
  std::vector<unsigned> label(kThreads);
  for (unsigned& l : label) l = static_cast<unsigned>(random.below(labels));
  CAPTURE(labels, leavers, kAsThreadGroup);
  good_launch(way.apply({.block = kThreads}), [&play, &label] {
    const unsigned rank = detail::thread_rank();
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const auto group = cg::labeled_partition(warp, label[rank]);
    auto& cells = play.cells[rank / 32 * 8 + label[rank]];
    if (play.leaves[rank] != 0) return;
    if constexpr (kAsThreadGroup) {
      play.results[rank] = call_all<C>(static_cast<const cg::thread_group&>(group), play.values[rank], cells);
    } else {
      play.results[rank] = call_all<C>(group, play.values[rank], cells);
    }
  });
  for (std::size_t first = 0; first < kThreads; first += 32) {
    for (unsigned l = 0; l < labels; ++l) {
      auto members = play.staying(first, 32);
      std::erase_if(members, [&](std::size_t member) { return label[member] != l; });
      play.check(members, first / 32 * 8 + l, [&](Cells<typename C::T>& cells) {
        return model::lane_group(play.brought(members), 32, typename C::Op(), cells);
      });
    }
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("a tile of a warp reduces and scans in the order of CUDA's headers", "", SmallCases) {
  const Way way = every_way();
  const unsigned leavers = GENERATE(0U, 2U);
  CAPTURE(way);
  check_tiles<TestType, 32>(way, leavers);
}

TEMPLATE_LIST_TEST_CASE("smaller tiles reduce and scan in the order of CUDA's headers", "", FewCases) {
  const Way way = every_way();
  const unsigned leavers = GENERATE(0U, 2U);
  CAPTURE(way);
  check_tiles<TestType, 1>(way, leavers);
  check_tiles<TestType, 2>(way, leavers);
  check_tiles<TestType, 8>(way, leavers);
  check_tiles<TestType, 16>(way, leavers);
}

TEMPLATE_LIST_TEST_CASE("tiles of up to a warp take values of up to 32 bytes", "", LargeCases) {
  const Way way = every_way();
  CAPTURE(way);
  check_tiles<TestType, 4>(way, 0);
  check_coalesced<TestType, false>(way, 3, 1);
}

TEMPLATE_LIST_TEST_CASE("coalesced groups reduce and scan in the order of CUDA's headers", "", SmallCases) {
  const Way way = every_way();
  const unsigned labels = GENERATE(1U, 2U, 5U);
  const unsigned leavers = GENERATE(0U, 3U);
  CAPTURE(way);
  check_coalesced<TestType, false>(way, labels, leavers);
}

TEMPLATE_LIST_TEST_CASE("a thread_group within a warp reduces and scans as the group it was", "", FewCases) {
  const Way way = every_way();
  CAPTURE(way);
  check_coalesced<TestType, true>(way, 2, 1);
}

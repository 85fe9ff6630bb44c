// SPDX-License-Identifier: Apache-2.0
// Tiles above 32 threads and whole blocks, of every shape, some threads gone: against the sequential model, bit by bit.
#include "unit/reductions/reduction_cases.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

namespace {

using BlockCases = std::tuple<Case<bool, cg::plus<bool>>, Case<float, cg::plus<float>>,
                              Case<double, cg::greater<double>>, Case<Affine, Compose>>;

template <class C, unsigned kSize>
void check_tiles(const Way& way, unsigned threads, unsigned leavers) {
  base::Random random(way.seed * 10 + leavers);
  Play<C> play(threads, random, leavers);
  CAPTURE(kSize, threads, leavers);
  good_launch(way.apply({.block = threads}), [&play] {
    const unsigned rank = detail::thread_rank();
    if (play.leaves[rank] != 0) return;
    const auto tile = cg::tiled_partition<kSize>(cg::this_thread_block());
    play.results[rank] = call_all<C>(tile, play.values[rank], play.cells[rank / kSize]);
  });
  for (std::size_t first = 0; first < threads; first += kSize) {
    play.check(play.staying(first, kSize), first / kSize, [&](Cells<typename C::T>& cells) {
      return model::wide_group({play.parts(first, kSize)}, false, typename C::Op(), cells);
    });
  }
}

template <class C, bool kAsThreadGroup>
void check_block(const Way& way, dim3 shape, unsigned leavers) {
  const unsigned threads = shape.x * shape.y * shape.z;
  base::Random random(way.seed * 10 + leavers);
  Play<C> play(3 * std::size_t{threads}, random, leavers);
  CAPTURE(shape.x, shape.y, shape.z, leavers, kAsThreadGroup);
  good_launch(way.apply({.grid = 3, .block = shape}), [&play] {
    const auto rank = global_rank();
    if (play.leaves[rank] != 0) return;
    const auto block = cg::this_thread_block();
    auto& cells = play.cells[blockIdx.x];
    if constexpr (kAsThreadGroup) {
      play.results[rank] = call_all<C>(static_cast<const cg::thread_group&>(block), play.values[rank], cells);
    } else {
      play.results[rank] = call_all<C>(block, play.values[rank], cells);
    }
  });
  for (std::size_t b = 0; b < 3; ++b) {
    play.check(play.staying(b * threads, threads), b, [&](Cells<typename C::T>& cells) {
      return model::wide_group({play.parts(b * threads, threads)}, false, typename C::Op(), cells);
    });
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("tiles above a warp reduce and scan in the order of CUDA's headers", "", BlockCases) {
  const Way way = every_way();
  const unsigned leavers = GENERATE(0U, 3U);
  CAPTURE(way);
  check_tiles<TestType, 64>(way, 256, leavers);
  check_tiles<TestType, 256>(way, 512, leavers);
  check_tiles<TestType, 1024>(way, 1024, leavers);
  check_tiles<TestType, 64>(way, 165, leavers);
}

TEMPLATE_LIST_TEST_CASE("a whole block reduces and scans, whatever its shape", "", BlockCases) {
  const Way way = every_way();
  const dim3 shape = GENERATE(dim3{1}, dim3{32}, dim3{33}, dim3{5, 7, 3}, dim3{256}, dim3{1024});
  const unsigned leavers = GENERATE(0U, 3U);
  CAPTURE(way);
  check_block<TestType, false>(way, shape, leavers);
}

TEST_CASE("a thread_group that is a block reduces and scans as the block") {
  const Way way = every_way();
  CAPTURE(way);
  check_block<Case<float, cg::plus<float>>, true>(way, dim3{9, 9}, 1);
}

TEST_CASE("a block takes values of up to 32 bytes") {
  const Way way = every_way();
  CAPTURE(way);
  check_block<Case<Eight, Mix>, false>(way, dim3{100}, 1);
}

// SPDX-License-Identifier: Apache-2.0
// CUDA 8's shuffles and votes, which have no mask, do what those with a mask do for the lanes that __activemask() finds
// at the same place, however lanes come to them.
#include <iterator>
#include <string>
#include <vector>

#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace {

/// The calls, and what they are compared with.
struct Maskless {
  static int take(int value, int source, Site site) { return __shfl(value, source, detail::kWholeWarp, site); }
  static int up(int value, unsigned by, int width, Site site) { return __shfl_up(value, by, width, site); }
  static int down(int value, unsigned by, Site site) { return __shfl_down(value, by, detail::kWholeWarp, site); }
  static int across(int value, int lanes, Site site) { return __shfl_xor(value, lanes, detail::kWholeWarp, site); }
  static int any(int value, Site site) { return __any(value, site); }
  static LaneBits ballot(int value, Site site) { return __ballot(value, site); }
};
struct Masked {
  static int take(int value, int source, Site site) {
    return __shfl_sync(__activemask(site), value, source, detail::kWholeWarp, site);
  }
  static int up(int value, unsigned by, int width, Site site) {
    return __shfl_up_sync(__activemask(site), value, by, width, site);
  }
  static int down(int value, unsigned by, Site site) {
    return __shfl_down_sync(__activemask(site), value, by, detail::kWholeWarp, site);
  }
  static int across(int value, int lanes, Site site) {
    return __shfl_xor_sync(__activemask(site), value, lanes, detail::kWholeWarp, site);
  }
  static int any(int value, Site site) { return __any_sync(__activemask(site), value, site); }
  static LaneBits ballot(int value, Site site) { return __ballot_sync(__activemask(site), value, site); }
};

constexpr int kSize = 32;

int mix(int a, int b) {
  return static_cast<int>(static_cast<unsigned>(a) * 31U + static_cast<unsigned>(b));
}

/// More rounds than lanes may meet in a row.
template <class Calls>
int many_rounds(int value, int) {
  for (int i = 0; i < 600; ++i) value = mix(value, Calls::down(value, 1, Site::here()));
  for (unsigned by = 16; by > 0; by /= 2) value = mix(value, Calls::up(value, by, 8, Site::here()));
  return value;
}

template <class Calls>
__attribute__((noinline)) int called(int value, int lanes) {
  return Calls::across(value, lanes, Site::here());
}

/// Lanes come to one line by two ways.
template <class Calls>
int two_ways(int value, int lane) {
  value = called<Calls>(value, 1);
  for (int i = 0; i < 5; ++i) {
    if ((lane + i) % 3 == 0) {
      value = mix(value, called<Calls>(value, 3));
    } else {
      value = mix(value, called<Calls>(value, 5));
    }
    value = mix(value, called<Calls>(value, 2));
  }
  return value;
}

/// Some leave the loop before others, and none of them waits behind it.
template <class Calls>
int fewer_and_fewer(int value, int lane) {
  for (int i = 0; i <= lane; ++i) value = mix(value, Calls::down(value, 2, Site::here()));
  return value;
}

/// Some stay out of it, and all meet again.
template <class Calls>
int some_of_them(int value, int lane) {
  for (int i = 0; i < 40; ++i) {
    value = mix(value, Calls::take(value, i, Site::here()));
    if (lane % 7 == i % 7) value = mix(value, Calls::down(value, 7, Site::here()));
    if (i % 8 == lane % 2) continue;
    value = mix(value, Calls::take(value, 3, Site::here()));
  }
  return value;
}

/// Some return.
template <class Calls>
int with_ends(int value, int lane) {
  value = mix(value, Calls::down(value, 1, Site::here()));
  value = mix(value, Calls::down(value, 3, Site::here()));
  if (lane == 5 || lane > 25) return value;
  value = mix(value, Calls::down(value, 1, Site::here()));
  return mix(value, Calls::down(value, 3, Site::here()));
}

/// Other calls come between.
template <class Calls>
int among_others(int value, int lane) {
  for (int i = 0; i < 6; ++i) {
    value = mix(value, Calls::across(value, 1, Site::here()));
    value = mix(value, Calls::any(value % 5 == 0, Site::here()));
    value = mix(value, Calls::take(value, i, Site::here()));
    value = mix(value, __shfl_up_sync(__activemask(), value, 1));
    value = mix(value, Calls::up(value, 1, kSize, Site::here()));
    value = mix(value, static_cast<int>(Calls::ballot(value % 2, Site::here())));
    if (lane % 2 != 0) value = mix(value, Calls::any(value % 5 == 1, Site::here()));
    if (i % 2 != 0) __syncthreads();
    value = mix(value, Calls::down(value, 9, Site::here()));
    if (i % 3 == 0) __syncwarp();
  }
  return value;
}

using Body = int (*)(int, int);

struct Pair {
  const char* name;
  Body maskless, masked;
};

#define BOTH(body)                          \
  Pair {                                    \
#body, body < Maskless>, body < Masked> \
  }

const Pair kPairs[] = {BOTH(many_rounds),  BOTH(two_ways),  BOTH(fewer_and_fewer),
                       BOTH(some_of_them), BOTH(with_ends), BOTH(among_others)};

std::vector<int> results(const LaunchConfig& config, Body body) {
  const unsigned threads = config.block.x * config.block.y * config.grid.x;
  std::vector<int> out(threads);
  good_launch(config, [&out, body] {
    const int lane = static_cast<int>(detail::lane_id());
    out[global_rank()] = body(static_cast<int>(global_rank()), lane);
  });
  return out;
}

}  // namespace

TEST_CASE("calls without a mask do what those do that name the lanes that are together") {
  const Way way = every_way();
  const Pair& pair = kPairs[GENERATE(range(0U, static_cast<unsigned>(std::size(kPairs))))];
  const dim3 block = GENERATE(dim3(32), dim3(72), dim3(8, 12));
  LaunchConfig config = way.apply({.grid = 2, .block = block});
  config.warp_size = GENERATE(32U, 16U);
  CAPTURE(way, pair.name, block.x, config.warp_size);
  CHECK(results(config, pair.maskless) == results(config, pair.masked));
}

TEST_CASE("a warp of one lane meets itself at a call without a mask") {
  const std::vector<int> out = results({.block = 1}, many_rounds<Maskless>);
  CHECK(out == results({.block = 1}, many_rounds<Masked>));
}

TEST_CASE("a call with an empty mask is no call without one") {
  std::vector<int> out(32);
  const LaunchResult result = launch({.block = 32, .workers = 1}, [&out] {
    int value = __shfl_down(static_cast<int>(threadIdx.x), 1);
    value += __shfl_down(value, 1);
    out[threadIdx.x] = __shfl_down_sync(0, value, 1);
  });
  CHECK(std::string(result.finding()) == "bad-mask");
}

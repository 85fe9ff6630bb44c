// SPDX-License-Identifier: Apache-2.0
// What requests of known shapes cost. An H100 counted the same (tests/counters).
#include "profile/request.hpp"

#include "support/catch.hpp"

namespace warpfiber::profile {
namespace {

constexpr std::uintptr_t kBase = 1 << 20;

/// Lane i of `lanes` accesses `bytes` at `offset` + i * `stride` from a multiple of 512.
WarpRequest strided(unsigned bytes, unsigned stride, unsigned offset = 0, std::uint32_t lanes = ~0U) {
  WarpRequest request{.lanes = lanes, .bytes = bytes};
  for (unsigned lane = 0; lane < kLanes; ++lane) request.address[lane] = kBase + offset + lane * stride;
  return request;
}

struct GlobalCase {
  WarpRequest request;
  unsigned sectors;
  unsigned lines;
};

struct SharedCase {
  WarpRequest request;
  unsigned wavefronts;
  unsigned least;
};

}  // namespace

TEST_CASE("a request's sectors of 32 bytes and lines of 128") {
  const GlobalCase one =
      GENERATE(GlobalCase{strided(4, 4), 4, 1}, GlobalCase{strided(4, 4, 12), 5, 2}, GlobalCase{strided(4, 8), 8, 2},
               GlobalCase{strided(4, 128), 32, 32}, GlobalCase{strided(4, 0), 1, 1}, GlobalCase{strided(8, 8), 8, 2},
               GlobalCase{strided(16, 16), 16, 4}, GlobalCase{strided(16, 48), 32, 12}, GlobalCase{strided(1, 1), 1, 1},
               GlobalCase{strided(2, 2, 62), 3, 1}, GlobalCase{strided(4, 4, 0, 0x55555555U), 4, 1},
               GlobalCase{strided(4, 4, 0, 1), 1, 1}, GlobalCase{strided(4, 4, 0, 0xff), 1, 1});
  CHECK(units(one.request, 32) == one.sectors);
  CHECK(units(one.request, 128) == one.lines);
}

TEST_CASE("a request's passes over the banks of shared memory") {
  const SharedCase one =
      GENERATE(SharedCase{strided(4, 4), 1, 1}, SharedCase{strided(4, 8), 2, 1}, SharedCase{strided(4, 12), 1, 1},
               SharedCase{strided(4, 32), 8, 1}, SharedCase{strided(4, 128), 32, 1}, SharedCase{strided(4, 132), 1, 1},
               SharedCase{strided(4, 0), 1, 1}, SharedCase{strided(1, 1), 1, 1}, SharedCase{strided(1, 8), 2, 1},
               SharedCase{strided(8, 8), 2, 2}, SharedCase{strided(8, 16), 4, 2}, SharedCase{strided(16, 16), 4, 4},
               SharedCase{strided(16, 32), 8, 4}, SharedCase{strided(8, 8, 0, 0xffff), 1, 1},
               SharedCase{strided(4, 128, 0, 3), 2, 1});
  CHECK(wavefronts(one.request) == one.wavefronts);
  CHECK(least_wavefronts(one.request) == one.least);
}

TEST_CASE("lanes in any order touch the same units") {
  WarpRequest request = strided(4, 4);
  std::swap(request.address[0], request.address[31]);
  std::swap(request.address[7], request.address[8]);
  CHECK(units(request, 32) == 4);
  CHECK(wavefronts(request) == 1);
}

TEST_CASE("counters are sums over requests") {
  Counters counters;
  counters.add(strided(4, 4), AccessSpace::global, AccessOperation::load);
  counters.add(strided(4, 8, 0, 0xff), AccessSpace::global, AccessOperation::load);
  counters.add(strided(8, 16), AccessSpace::shared, AccessOperation::load);
  CHECK(counters == Counters{.requests = 3, .lanes = 72, .sectors = 6, .lines = 2, .wavefronts = 4, .conflicts = 2});
  Counters twice = counters;
  twice += counters;
  CHECK(twice.wavefronts == 8);
}

TEST_CASE("an atomic's lanes at one address are counted") {
  WarpRequest request = strided(4, 4);
  Counters counters;
  counters.add(request, AccessSpace::global, AccessOperation::atomic);
  CHECK(counters.one_address == 1);
  request.address[3] = request.address[17] = request.address[9];
  counters.add(request, AccessSpace::global, AccessOperation::atomic);
  CHECK(counters.one_address == 1 + 3);
  counters.add(strided(4, 0, 0, 0xff00), AccessSpace::shared, AccessOperation::atomic);
  CHECK(counters.one_address == 1 + 3 + 8);
  counters.add(strided(4, 0), AccessSpace::shared, AccessOperation::store);
  CHECK(counters.one_address == 1 + 3 + 8);
}

TEST_CASE("units do not depend on the order of the lanes") {
  for (const unsigned bytes : {1U, 2U, 4U, 8U, 16U}) {
    for (const unsigned stride : {0U, 1U, 4U, 8U, 12U, 16U, 32U, 36U, 132U}) {
      const WarpRequest ascending = strided(bytes, stride);
      WarpRequest mixed = ascending;
      for (unsigned lane = 0; lane < kLanes; ++lane) mixed.address[lane * 5 % kLanes] = ascending.address[lane];
      CHECK(units(mixed, 32) == units(ascending, 32));
      CHECK(units(mixed, 128) == units(ascending, 128));
    }
  }
}

}  // namespace warpfiber::profile

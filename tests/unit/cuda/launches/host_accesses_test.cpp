// SPDX-License-Identifier: Apache-2.0
// What is remembered of the host's accesses to device memory, for kernels that nothing orders behind them.
#include "launches/checking/host_accesses.hpp"

#include <memory>
#include <vector>

#include "record/launch_order.hpp"
#include "support/catch.hpp"

using namespace warpfiber;
using namespace warpfiber::launches;

namespace {

constexpr std::size_t kBytes = 4096;
char memory[kBytes];
const void* const kHere = memory;  // stands for an instruction

std::shared_ptr<const record::LaunchOrder> order(std::uint64_t number, std::vector<std::uint64_t> unordered = {}) {
  return std::make_shared<const record::LaunchOrder>(record::LaunchOrder{number, std::move(unordered)});
}

HostAccess access(HostActor actor, std::size_t from, std::size_t bytes,
                  std::shared_ptr<const record::LaunchOrder> when) {
  return HostAccess{actor, area_of(memory + from, bytes), true, kHere, std::move(when)};
}

}  // namespace

TEST_CASE("an access is beside a launch if the later of the two was not told of the earlier") {
  HostAccesses accesses;
  accesses.add(access(HostActor::command, 0, 16, order(5, {4})));
  CHECK(accesses.concurrent_with({.number = 3}).empty());
  CHECK(accesses.concurrent_with({.number = 4}).size() == 1);
  CHECK(accesses.concurrent_with({.number = 6}).empty());
  CHECK(accesses.concurrent_with({.number = 6, .unordered = {4}}).empty());
  CHECK(accesses.concurrent_with({.number = 6, .unordered = {5}}).size() == 1);
}

TEST_CASE("a free takes the place of what it is unordered with") {
  HostAccesses accesses;
  accesses.add(access(HostActor::command, 64, 16, order(3)));
  accesses.add(access(HostActor::command, 0, 16, order(4)));
  const std::vector<HostAccess> found = accesses.add_release(access(HostActor::release, 0, 256, order(5, {4})));
  REQUIRE(found.size() == 1);
  CHECK(found[0].order->number == 4);
  // One that was asked for before the free, and comes to the memory after it.
  const std::vector<HostAccess> later = accesses.concurrent_with({.number = 4});
  REQUIRE(later.size() == 1);
  CHECK(later[0].actor == HostActor::release);
}

TEST_CASE("accesses of the program's that go on in memory are one, those with gaps are not") {
  HostAccesses accesses;
  const auto now = order(5, {4});
  for (std::size_t i = 0; i < 64; i += 4) accesses.add(access(HostActor::program, i, 4, now));
  std::vector<HostAccess> found = accesses.concurrent_with({.number = 4});
  REQUIRE(found.size() == 1);
  CHECK(found[0].area.at == memory);
  CHECK(found[0].area.box.width == 64);
  accesses.add(access(HostActor::program, 68, 4, now));
  CHECK(accesses.concurrent_with({.number = 4}).size() == 2);
}

TEST_CASE("two arrays that a loop reads in turn are two accesses") {
  HostAccesses accesses;
  const auto now = order(5, {4});
  for (std::size_t i = 0; i < 64; i += 4) {
    accesses.add(access(HostActor::program, i, 4, now));
    HostAccess other = access(HostActor::program, 1024 + i, 4, now);
    other.returns_to = memory + 1;
    accesses.add(other);
  }
  CHECK(accesses.concurrent_with({.number = 4}).size() == 2);
}

TEST_CASE("a word of the program's makes its own accesses known, not its commands") {
  HostAccesses accesses;
  accesses.add(access(HostActor::program, 0, 4, order(5, {4})));
  accesses.add(access(HostActor::command, 64, 4, order(6, {4})));
  accesses.forget_program();
  const std::vector<HostAccess> found = accesses.concurrent_with({.number = 4});
  REQUIRE(found.size() == 1);
  CHECK(found[0].actor == HostActor::command);
}

TEST_CASE("memory that is freed is forgotten") {
  HostAccesses accesses;
  accesses.add(access(HostActor::command, 0, 16, order(5, {4})));
  accesses.add(access(HostActor::command, 64, 16, order(6, {4})));
  accesses.forget(memory, 64);
  const std::vector<HostAccess> found = accesses.concurrent_with({.number = 4});
  REQUIRE(found.size() == 1);
  CHECK(found[0].area.at == memory + 64);
}

TEST_CASE("of too many accesses the oldest are forgotten") {
  HostAccesses accesses;
  for (std::size_t i = 0; i <= HostAccesses::kMost; ++i) {
    accesses.add(access(HostActor::command, i, 1, order(5, {4})));
  }
  const std::vector<HostAccess> found = accesses.concurrent_with({.number = 4});
  REQUIRE(found.size() == HostAccesses::kMost);
  CHECK(found.front().area.at == memory + 1);
}

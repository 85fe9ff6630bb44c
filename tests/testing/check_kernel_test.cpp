// SPDX-License-Identifier: Apache-2.0
//
// The test kit: what passes, what fails, and what a failure says.
#include <warpfiber/testing/catch2.hpp>

#include <stdexcept>

#include "support/catch.hpp"
#include "support/launches.hpp"
#include "testing/kernels.hpp"

using namespace warpfiber;
using Catch::Matchers::ContainsSubstring;
using warpfiber::testing::check_kernel;
using warpfiber::testing::kOddBlockSizes;
using warpfiber::testing::Trial;

namespace {

TEST_CASE("a correct kernel passes under every policy, seed, block size and warp size") {
  WARPFIBER_CHECK_KERNEL({.seeds = 3, .block_sizes = kOddBlockSizes, .warp_sizes = {8, 32}},
                         test::summing(test::sum_all));
  WARPFIBER_REQUIRE_KERNEL({.seeds = 2}, test::summing(test::sum_all));
}

TEST_CASE("every combination is run once, and in-order with one seed") {
  const auto report =
      check_kernel({.seeds = 4, .block_sizes = {1, 33}, .warp_sizes = {4, 32, 64}}, test::summing(test::sum_all));
  CHECK(report.ok());
  CHECK(report.runs() == 2 * 3 * (1 + 4 + 4));
}

TEST_CASE("the trial says how to launch") {
  std::vector<std::string> ways;
  const auto report =
      check_kernel({.policies = {"random"}, .seeds = 2, .first_seed = 7, .block_sizes = {33}}, [&](Trial& trial) {
        const LaunchConfig config = trial.apply({.grid = 5, .dynamic_shared = 8});
        CHECK(config.grid.x == 5);
        CHECK(config.dynamic_shared == 8);
        CHECK(config.workers == 1);
        CHECK(config.seed == trial.way().seed);
        CHECK(trial.block(256) == 33);
        CHECK(trial.grid(100, 256) == 4);
        ways.push_back(std::string(config.policy) + trial.way().text());
        return 0;
      });
  CHECK(report.ok());
  REQUIRE(ways.size() == 2);
  CHECK(ways[1] == "random.policies = {\"random\"}, .seeds = 1, .first_seed = 8, .block_sizes = {33}");
  CHECK(Trial({}).block(256) == 256);
  CHECK(Trial({}).grid(0, 256) == 1);
}

TEST_CASE("results that depend on the schedule fail") {
  const auto report = check_kernel({.seeds = 30}, test::two_words(test::last_one_wins));
  REQUIRE_FALSE(report.ok());
  CHECK(report.failures().size() == 1);
  CHECK_THAT(report.message(), ContainsSubstring("results differ from those of {.policies = {\"in-order\"}"));
  CHECK_THAT(report.message(), ContainsSubstring("again: check_kernel({.policies = {\"random\"}"));
}

TEST_CASE("results may depend on the block size, which the test can compare itself") {
  std::vector<int> expected;
  for (const int value : test::numbers(1000)) expected.resize(1), expected[0] += value;
  CHECK(check_kernel({.seeds = 1, .block_sizes = {96, 100}}, test::summing(test::sum_full_warps)).ok());
  const auto against = [&](const std::vector<int>&, const std::vector<int>& got) { return got == expected; };
  CHECK(check_kernel({.seeds = 1, .block_sizes = {96}}, test::summing(test::sum_full_warps), against).ok());
  const auto report = check_kernel({.seeds = 1, .block_sizes = {96, 100}, .shrink = false},
                                   test::summing(test::sum_full_warps), against);
  CHECK_THAT(report.message(), ContainsSubstring(".block_sizes = {100}"));
}

TEST_CASE("a finding fails with its report") {
  const auto report = check_kernel({.most_failures = 2}, test::two_words(test::half_waits));
  REQUIRE(report.failures().size() == 2);
  CHECK_THAT(report.failures()[0], ContainsSubstring("barrier-divergence\n"));
  CHECK_THAT(report.failures()[0], ContainsSubstring("kernels.hpp:"));
}

TEST_CASE("a kernel that would hang fails") {
  const auto report = check_kernel({}, test::two_words(test::waits_for_ever));
  CHECK_THAT(report.message(), ContainsSubstring("livelock"));
  CHECK(report.runs() == 1);
}

TEST_CASE("what is launched into a stream fails when the stream is synchronised") {
  const auto in_stream = [](auto kernel) {
    return [kernel](Trial& trial) {
      Buffer<int> out(2);
      out.fill(0);
      Stream stream;
      trial.launch({.block = trial.block(64), .stream = stream}, kernel, out.data());
      trial.synchronize(stream);
      return 0;
    };
  };
  const auto report = check_kernel({.policies = {"in-order"}}, in_stream(test::half_waits));
  CHECK_THAT(report.message(), ContainsSubstring("barrier-divergence"));
  CHECK(check_kernel({.policies = {"in-order"}}, in_stream([](int* out) { out[0] = 1; })).ok());
}

TEST_CASE("a failure is told by the smallest block that fails in the same way") {
  const auto differs = check_kernel({.seeds = 30}, test::two_words(test::last_one_wins));
  CHECK_THAT(differs.message(), ContainsSubstring(".block_sizes = {2}"));
  const auto found = check_kernel({.policies = {"random"}}, test::two_words(test::half_waits));
  CHECK_THAT(found.message(), ContainsSubstring("again: check_kernel({.policies = {\"in-order\"}"));
  CHECK_THAT(found.message(), ContainsSubstring(".block_sizes = {2}"));
  const auto as_it_was = check_kernel({.shrink = false}, test::two_words(test::half_waits));
  CHECK_THAT(as_it_was.message(), !ContainsSubstring(".block_sizes"));
}

TEST_CASE("a failure is told by the smallest problem that fails in the same way") {
  const auto run = [](Trial& trial) {
    const auto n = static_cast<unsigned>(trial.size(1000));
    Buffer<int> out(1);
    trial.launch({.grid = trial.grid(n, 32), .block = 32}, test::stops_at_ten, n, out.data());
    return 0;
  };
  const auto report = check_kernel({}, run);
  CHECK_THAT(report.message(), ContainsSubstring("trap"));
  CHECK_THAT(report.message(), ContainsSubstring(".size = 12}"));
  CHECK_FALSE(check_kernel({.size = 12, .shrink = false}, run).ok());
  CHECK(check_kernel({.size = 10}, run).ok());
}

TEST_CASE("a launch that is refused fails") {
  const auto report = check_kernel({.block_sizes = {1025}}, test::summing(test::sum_all));
  CHECK_THAT(report.message(), ContainsSubstring("1,024 per block"));
}

TEST_CASE("an exception of the test passes through") {
  CHECK_THROWS_AS(check_kernel({}, [](Trial&) -> int { throw std::runtime_error("no input"); }), std::runtime_error);
}

}  // namespace

TEST_CASE("errors that are found are those of the test that looks for them") {
  const auto trap = [] { launch({.block = 32}, [] { __trap(); }); };
  const testing::FoundErrors outer;
  {
    const testing::FoundErrors inner;
    CHECK(inner.first_id() == nullptr);
    trap();
    REQUIRE(inner.first_id() != nullptr);
    CHECK(std::string(inner.first_id()) == "trap");
    CHECK(std::string(inner.first_report()).find("trap  lambda<<<") == 0);
  }
  CHECK(outer.first_id() == nullptr);
  trap();
  CHECK(outer.first_id() != nullptr);
}

TEST_CASE("a run fails where an error is found and the launch succeeds") {
  const auto report = testing::check_kernel({.policies = {"in-order"}, .shrink = false}, [](testing::Trial& trial) {
    launch({.block = 32}, [] { __trap(); });  // its result is nobody's
    return trial.block(32);
  });
  CHECK_FALSE(report.ok());
  CHECK(report.message().find("trap") == 0);
}

// SPDX-License-Identifier: Apache-2.0
// A launch that stands still beside others, whom a test plays: it must not depend on being told of everything that
// could have helped it.
#include <warpfiber/warpfiber.hpp>

#include <string>

#include "runtime/launching/execute.hpp"
#include "runtime/launching/prepare.hpp"
#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

namespace {

/// Others who could help for the first few times that somebody asks, and never say that they no longer can.
class Others final : public engine::DeviceShare {
 public:
  explicit Others(unsigned times) : helpful_(times) {}
  void begin(engine::Grid&) override {}
  void end(engine::Grid&) override {}
  void give_back(std::uint64_t) override {}
  bool cannot_progress(const engine::StallState&) override { return asked_++ >= helpful_; }
  bool can_be_helped() override { return false; }
  void explain(record::Finding& finding) const override {
    finding.other_launches = record::OtherLaunches{.elsewhere = {"others<<<>>>"}};
  }

  unsigned asked() const { return asked_; }

 private:
  unsigned helpful_;
  unsigned asked_ = 0;
};

/// Blocks that have returned never come to the grid's barrier.
struct SecondBlockReturns {
  void operator()() const {
    if (blockIdx.x != 1) sync_grid();
  }
};

}  // namespace

TEST_CASE("a launch that stands still asks again by itself who could help it") {
  const Way way = every_way();
  const unsigned helpful = GENERATE(0U, 1U, 3U);
  CAPTURE(way, helpful);
  constexpr unsigned kBlocks = 3;
  const SecondBlockReturns kernel;
  const auto run_threads = &detail::run_threads<SecondBlockReturns>;
  const void* address = reinterpret_cast<const void*>(run_threads);
  streams::PreparedLaunch launch =
      runtime::prepare(way.apply({.grid = kBlocks, .block = 32, .cooperative = true}), address, {});
  REQUIRE(launch.ok());
  Others others(helpful);
  launch.request.run_threads = run_threads;
  launch.request.closure = &kernel;
  launch.request.device_share = &others;
  launch.request.granted_places = kBlocks;
  const LaunchResult result = runtime::execute(launch);
  CHECK(others.asked() == helpful + 1);
  CHECK(std::string(result.finding()) == "deadlock");
  CHECK_THAT(result.message(), Catch::Matchers::ContainsSubstring("others<<<>>>."));
  last_error();
  check_correct_launch();
}

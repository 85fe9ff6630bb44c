// SPDX-License-Identifier: Apache-2.0
// A launch that stands still while others, whom a test plays, may help it: it must not depend on being notified of
// everything that could have helped it.
#include <warpfiber/intrinsics/grid.hpp>
#include <warpfiber/warpfiber.hpp>

#include <atomic>
#include <string>

#include "engine/sharing/device_share.hpp"
#include "engine/state/multi_grid.hpp"
#include "launches/execute.hpp"
#include "runtime/launching/prepare.hpp"
#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

namespace {

constexpr unsigned kRounds = 2;  // in which nobody can help, before that is believed

/// Others who could help for the first few times that somebody asks, and never say that they no longer can.
class Others final : public engine::ProcessActivity {
 public:
  explicit Others(unsigned times) : helpful_(times) {}
  bool can_help(unsigned launches, bool any_spins) const override {
    if (launches != 1 || any_spins) asked_wrongly_.store(true);
    return asked_.fetch_add(1) < helpful_;
  }
  std::optional<record::OutsideHelp> waited_for() const override { return record::OutsideHelp{false, 7}; }
  std::string name_of(const void*) const override { return "waits"; }

  unsigned asked() const { return asked_.load(); }
  bool asked_wrongly() const { return asked_wrongly_.load(); }

 private:
  unsigned helpful_;
  mutable std::atomic<unsigned> asked_{0};
  mutable std::atomic<bool> asked_wrongly_{false};
};

/// The barrier waits for a grid of another device.
struct WaitsForGrids {
  void operator()() const { sync_multi_grid(); }
};

}  // namespace

TEST_CASE("a launch that stands still asks again by itself who could help it") {
  const Way way = every_way();
  const unsigned helpful = GENERATE(0U, 1U, 3U);
  CAPTURE(way, helpful);
  const WaitsForGrids kernel;
  const auto run_threads = &detail::run_threads<WaitsForGrids>;
  const void* address = reinterpret_cast<const void*>(run_threads);
  launches::PreparedLaunch launch =
      runtime::prepare(way.apply({.grid = 3, .block = 32, .cooperative = true}), address, {});
  REQUIRE(launch.ok());
  engine::MultiGrid grids(2);
  launch.request.run_threads = run_threads;
  launch.request.closure = &kernel;
  launch.request.multi = &grids;
  const Others others(helpful);
  {
    const engine::DeviceShare share(launch.request, *launch.model, launch.attributes, 0, others);
    const LaunchResult result = launches::execute(launch);
    CHECK(others.asked() == helpful + kRounds);
    CHECK_FALSE(others.asked_wrongly());
    CHECK(std::string(result.finding()) == "deadlock");
    CHECK_THAT(result.message(), Catch::Matchers::ContainsSubstring("7 s"));
  }
  last_error();
  check_correct_launch();
}

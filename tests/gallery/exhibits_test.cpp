// SPDX-License-Identifier: Apache-2.0
//
// Every exhibit of the gallery against its sequential reference: all block sizes it takes, whole and ragged sizes, one
// and two workers, grids that do not fit on the device at once, and schedules and convergences other than the usual.
#include <string>
#include <vector>

#include "registry.hpp"
#include "support/catch.hpp"

using gallery::Exhibit;
using gallery::Record;
using gallery::Setting;

namespace {

/// The sizes and grids an exhibit is swept over; what they mean is said in the exhibit's source.
struct Sweep {
  const char* name;
  std::vector<std::size_t> sizes;
  std::vector<unsigned> grids;
};

const std::vector<Sweep> kSweeps = {
    {"vector_add", {1, 1000, 4097}, {0}},       {"saxpy", {1, 4097}, {1, 7}},
    {"matrix_transpose", {1, 33, 70}, {0}},     {"matrix_product", {1, 20, 65}, {0}},
    {"histogram", {1, 5000}, {1, 5}},           {"tree_reduction", {1, 1000, 3001}, {0}},
    {"tile_reduction", {1, 1000, 3001}, {0}},   {"increment_opportunistic", {1, 1000, 3001}, {0}},
    {"increment_masked", {1, 1000, 3001}, {0}}, {"masked_halves", {1, 1000, 3001}, {0}},
    {"aligned_copy", {1, 1000, 3001}, {0}},     {"neighbour_sums", {1, 3001}, {0}},
    {"opposite_rows", {1, 2, 9}, {1, 5}},       {"producer_consumer", {1, 50}, {2, 5}},
    {"lookback_scan", {1, 1000, 3001}, {0}},
};

const Exhibit& exhibit_named(const std::string& name) {
  const Exhibit* exhibit = gallery::find_exhibit(name);
  REQUIRE(exhibit != nullptr);
  return *exhibit;
}

void check(const Exhibit& exhibit, Setting setting) {
  setting.data = WARPFIBER_GALLERY_DATA;
  INFO(exhibit.name << " size " << setting.size << " grid " << setting.grid << " block " << setting.block << " cluster "
                    << setting.cluster << " workers " << setting.engine.workers);
  const Record record = exhibit.run(setting);
  INFO("result " << record.result << ", reference " << record.reference << "\n" << record.message);
  CHECK(record.passed);
  CHECK(record.threads != 0);
}

void check_sizes_and_grids(const Sweep& sweep, Setting setting) {
  for (const std::size_t size : sweep.sizes) {
    for (const unsigned grid : sweep.grids) {
      setting.size = size;
      setting.grid = grid;
      check(exhibit_named(sweep.name), setting);
    }
  }
}

}  // namespace

TEST_CASE("exhibits agree with their references at every block size, on one and two workers") {
  const Sweep sweep = GENERATE(from_range(kSweeps));
  const unsigned workers = GENERATE(1U, 2U);
  for (const unsigned block : exhibit_named(sweep.name).blocks) {
    Setting setting;
    setting.block = block;
    setting.engine.workers = workers;
    check_sizes_and_grids(sweep, setting);
  }
}

TEST_CASE("neighbours are found in clusters of any size") {
  const unsigned cluster = GENERATE(1U, 2U, 3U, 8U);
  const unsigned block = GENERATE(1U, 33U, 256U);
  Setting setting{.size = 3001, .block = block, .cluster = cluster};
  setting.engine.workers = GENERATE(1U, 2U);
  check(exhibit_named("neighbour_sums"), setting);
}

TEST_CASE("conjugate gradients solve the Poisson system on grids of any shape") {
  const unsigned grid = GENERATE(1U, 5U);
  const unsigned block = GENERATE(32U, 200U);
  Setting setting{.grid = grid, .block = block};
  setting.engine.workers = GENERATE(1U, 2U);
  check(exhibit_named("conjugate_gradient"), setting);
}

TEST_CASE("grids larger than the device finish with right results") {
  const std::string name = GENERATE(as<std::string>(), "vector_add", "saxpy", "matrix_transpose", "matrix_product",
                                    "tree_reduction", "tile_reduction", "increment_opportunistic", "increment_masked",
                                    "masked_halves", "aligned_copy", "neighbour_sums", "lookback_scan", "histogram");
  Setting setting{.size = 4000, .block = 64, .cluster = 2};
  if (name == "matrix_transpose" || name == "matrix_product") setting.size = 200;
  setting.engine.device = warpfiber::find_device("teaching");
  setting.engine.workers = GENERATE(1U, 2U);
  check(exhibit_named(name), setting);
}

TEST_CASE("no schedule and no convergence changes a result") {
  const Sweep sweep = GENERATE(from_range(kSweeps));
  Setting setting;
  setting.block = exhibit_named(sweep.name).blocks.front() == 64 ? 64 : 96;
  setting.engine.policy = GENERATE("random", "pct:3");
  setting.engine.convergence = GENERATE("random", "none");
  setting.engine.seed = GENERATE(1U, 2U);
  setting.engine.workers = 1;
  check_sizes_and_grids(sweep, setting);
}

TEST_CASE("barriers are counted by phases, one for each group that waits") {
  struct Case {
    const char* name;
    Setting setting;
    std::uint64_t phases;
  };
  const Case counted = GENERATE(values<Case>({
      {"vector_add", {.size = 1000, .block = 96}, 0},
      {"matrix_transpose", {.size = 64, .block = 96}, 2 * 2},         // blocks
      {"matrix_product", {.size = 64, .block = 256}, 4 * 2 * 3 * 2},  // blocks, rounds, barriers of a round
      {"tree_reduction", {.size = 1024, .block = 128}, 8 * 8},        // blocks, halvings and one more
      {"neighbour_sums", {.size = 1024, .block = 64, .cluster = 4}, 4 * 2},
      {"opposite_rows", {.size = 9, .grid = 3, .block = 33}, 8},
  }));
  Setting setting = counted.setting;
  setting.engine.workers = GENERATE(1U, 2U);
  INFO(counted.name);
  const Record record = exhibit_named(counted.name).run(setting);
  CHECK(record.passed);
  CHECK(record.barriers.value_or(0) == counted.phases);
}

TEST_CASE("every exhibit is swept") {
  for (const Exhibit& exhibit : gallery::exhibits()) {
    INFO(exhibit.name);
    bool swept = exhibit.name == std::string("conjugate_gradient");
    for (const Sweep& sweep : kSweeps) swept = swept || exhibit.name == std::string(sweep.name);
    CHECK(swept);
  }
}

// SPDX-License-Identifier: Apache-2.0
//
// Each target once with each of its seeds, in every build, so that targets compile and hold where no libFuzzer is.
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz_targets/targets.hpp"
#include "support/catch.hpp"

namespace warpfiber::fuzz_targets {
namespace {

namespace fs = std::filesystem;

struct Target {
  const char* name;
  void (*run)(std::string_view);
};

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<fs::path> seeds_of(const std::string& name) {
  std::vector<fs::path> seeds;
  for (const auto& file : fs::directory_iterator(fs::path(WARPFIBER_FUZZ_SEEDS) / name)) seeds.push_back(file.path());
  std::ranges::sort(seeds);
  return seeds;
}

TEST_CASE("a fuzz target holds for its seeds, and for what is left of them") {
  const Target target = GENERATE(values<Target>({{"translator", translator},
                                                 {"inline_ptx", inline_ptx},
                                                 {"device_file", device_file},
                                                 {"recordings", recordings},
                                                 {"findings", findings},
                                                 {"suppressions", suppressions}}));
  const std::vector<fs::path> seeds = seeds_of(target.name);
  CHECK(seeds.size() >= 3);
  for (const fs::path& seed : seeds) {
    INFO(seed);
    const std::string text = content_of(seed);
    CHECK_NOTHROW(target.run(text));
    CHECK_NOTHROW(target.run(std::string_view(text).substr(0, text.size() / 2)));
    CHECK_NOTHROW(target.run(std::string_view(text).substr(text.size() / 2)));
  }
  CHECK_NOTHROW(target.run(""));
}

}  // namespace
}  // namespace warpfiber::fuzz_targets

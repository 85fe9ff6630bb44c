// SPDX-License-Identifier: Apache-2.0
// Where values that nobody has written were moved from, compared with a map of each byte.
#include "check/running/moved_values.hpp"

#include <array>
#include <optional>
#include <vector>

#include "base/random.hpp"
#include "support/catch.hpp"

using namespace warpfiber::check;

namespace {

constexpr std::size_t kBytes = 256;

using Model = std::array<std::optional<std::uint64_t>, kBytes>;  // the thread of each byte

Model listed(const MovedValues& values, const char* memory) {
  Model made;
  values.split({memory, kBytes}, [&](const Stretch& part, const MovedFrom* from) {
    if (from == nullptr) return;
    for (std::size_t i = 0; i < part.bytes; ++i)
      made[static_cast<std::size_t>(part.from - memory) + i] = from->load.thread;
  });
  return made;
}

}  // namespace

TEST_CASE("values keep the threads that have moved them", "[address-space]") {
  static const std::array<char, kBytes> memory{};
  warpfiber::base::Random random(7);
  const auto launch = std::make_shared<const BegunLaunch>();
  MovedValues values;
  Model model;
  std::uint64_t thread = 0;
  for (unsigned step = 0; step < 2000; ++step) {
    const std::size_t bytes = std::size_t{4} << random.below(3);
    const std::size_t at = random.below(kBytes / bytes) * bytes;
    const bool adds = random.below(4) != 0;
    thread = random.below(2) == 0 ? random.below(1000) : thread + 1;
    if (adds) {
      // Of a value that is overwritten in part nothing is left.
      const MovedFrom from{.load = {.thread = thread, .site = 1}, .launch = launch};
      REQUIRE(values.add(memory.data() + at, bytes, from));
    } else {
      values.remove(memory.data() + at, bytes);
    }
    const Model now = listed(values, memory.data());
    for (std::size_t i = 0; i < kBytes; ++i) {
      const bool is_inside = i >= at && i < at + bytes;
      if (is_inside) {
        REQUIRE(now[i] == (adds ? std::optional(thread) : std::nullopt));
      } else {
        REQUIRE((now[i] == model[i] || !now[i].has_value()));
        if (i / 16 != at / 16) REQUIRE(now[i] == model[i]);
      }
    }
    model = now;
  }
}

TEST_CASE("a copy takes along where values came from, and a launch takes its own back", "[address-space]") {
  static const std::array<char, kBytes> memory{};
  const auto launch = std::make_shared<const BegunLaunch>();
  MovedValues values;
  for (unsigned i = 0; i < 8; ++i)
    REQUIRE(values.add(memory.data() + 4 * i, 4, {.load = {.thread = 2 * i, .site = 1}, .launch = launch}));
  values.copy(memory.data() + 128, memory.data() + 8, 8);
  CHECK(values.find(memory.data() + 128, 4)->load.thread == 4);
  CHECK(values.find(memory.data() + 134, 1)->load.thread == 6);
  CHECK_FALSE(values.find(memory.data() + 136, 4).has_value());
  CHECK(values.take(launch.get(), 2).empty());
  CHECK(values.take(launch.get(), 1).size() == 2);
  CHECK_FALSE(values.find(memory.data(), kBytes).has_value());
}

// SPDX-License-Identifier: Apache-2.0
// When the watch of host functions has a thread. One that nobody joins would end the test program.
#include "streams/host/host_function_watch.hpp"

#include <optional>
#include <vector>

#include "support/catch.hpp"

using namespace warpfiber;
using namespace warpfiber::streams;

namespace {

std::optional<std::vector<process::UserCall>> nobody_waits() {
  return std::nullopt;
}

void leave(record::Finding) {}

}  // namespace

TEST_CASE("a watch that is stopped starts no thread") {
  HostFunctionWatch watch;
  watch.stop();
  watch.start(nobody_waits, leave);
  CHECK(watch.running() == 0);
}

TEST_CASE("a watch is stopped while a host function runs") {
  HostFunctionWatch watch;
  watch.start(nobody_waits, leave);
  watch.begin({});
  CHECK(watch.running() == 1);
  watch.stop();
  watch.stop();
  watch.end({});
  CHECK(watch.running() == 0);
  CHECK_FALSE(watch.are_dead());
}

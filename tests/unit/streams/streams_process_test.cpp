// SPDX-License-Identifier: Apache-2.0
// What holds for a whole process: how it ends, that it sleeps when it has nothing to do, what its environment says.
// Each case starts a program of its own.
#include <cstdio>
#include <string>

#include "support/catch.hpp"

namespace {

/// Ends by itself or not at all: a process that hangs is ended by the test's time limit.
std::string output(const std::string& variables, const std::string& mode) {
  const std::string command = "env -i " + variables + " " WARPFIBER_STREAMS_CHILD " " + mode;
  std::string text;
  FILE* pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  char part[512];
  for (std::size_t size; (size = std::fread(part, 1, sizeof part, pipe)) > 0;) text.append(part, size);
  CHECK(::pclose(pipe) == 0);
  return text;
}

}  // namespace

TEST_CASE("asynchronous work that is told to be late starts when somebody waits for it") {
  CHECK(output("WARPFIBER_ASYNC=late", "late") == "0 then 1\n");
}

TEST_CASE("late work starts by itself for a host that only polls") {
  CHECK(output("WARPFIBER_ASYNC=late", "watch") == "seen\n");
  CHECK(output("", "watch") == "seen\n");
}

TEST_CASE("late work behind a kernel that runs starts after it") {
  CHECK(output("WARPFIBER_ASYNC=late", "behind") == "1\n");
}

TEST_CASE("a seed decides which asynchronous work is late") {
  bool was_late = false;
  for (int seed = 1; seed < 20 && !was_late; ++seed) {
    was_late = output("WARPFIBER_POLICY=random WARPFIBER_SEED=" + std::to_string(seed), "late") == "0 then 1\n";
  }
  CHECK(was_late);
}

TEST_CASE("a process ends while its kernels run") {
  CHECK(output("", "leave") == "left\n");
  CHECK(output("WARPFIBER_ASYNC=late", "leave") == "left\n");
}

TEST_CASE("every device has an instance of a variable, and the first the variable itself") {
  CHECK(output("", "devices") == "1 devices: 8, the first has 8\n");
  CHECK(output("WARPFIBER_DEVICES=3", "devices") == "3 devices: 8 9 10, the first has 8\n");
}

TEST_CASE("an idle program's threads sleep") {
  CHECK(output("", "idle") == "idle\n");
}

// SPDX-License-Identifier: Apache-2.0
//
// The command `warpfiber` without a process: what it prints, where, and with which status.
#include "tools/command.hpp"

#include <warpfiber/device.hpp>

#include "support/catch.hpp"

using Catch::Matchers::ContainsSubstring;
using warpfiber::tools::command;
using warpfiber::tools::Reply;

TEST_CASE("devices lists every model once") {
  const Reply reply = command({"devices"});
  CHECK(reply.status == 0);
  CHECK(reply.err.empty());
  for (const warpfiber::DeviceModel& model : warpfiber::device_models()) {
    CHECK_THAT(reply.out, ContainsSubstring(std::string("\n") + model.name + " "));
  }
}

TEST_CASE("devices shows one model by any of its names") {
  const auto* const name = GENERATE("H200", "nvidia h200", "h200");
  const Reply reply = command({"devices", name});
  CHECK(reply.status == 0);
  CHECK_THAT(reply.out, ContainsSubstring("H200 (NVIDIA H200") && ContainsSubstring("132"));
}

TEST_CASE("an unknown device is an answer, not wrong usage") {
  const std::vector<std::string> arguments =
      GENERATE(std::vector<std::string>{"devices", "H2000"},
               std::vector<std::string>{"occupancy", "--block", "32", "--device", "H2000"});
  const Reply reply = command(arguments);
  CHECK(reply.status == 1);
  CHECK(reply.out.empty());
  CHECK_THAT(reply.err, ContainsSubstring("warpfiber: ") && ContainsSubstring("H2000"));
}

TEST_CASE("occupancy gives Numba's figure for one-warp blocks on a Quadro RTX 8000") {
  // Numba's documentation: 1152 one-warp blocks are resident, 16 on each of 72 SMs.
  const Reply reply = command({"occupancy", "--device", "Quadro RTX 8000", "--block", "32"});
  CHECK(reply.status == 0);
  CHECK_THAT(reply.out, ContainsSubstring("16  limited by blocks") && ContainsSubstring("1152  blocks at most"));
}

TEST_CASE("occupancy names the limit that shared memory sets") {
  const Reply reply = command({"occupancy", "--device", "H200", "--block", "256", "--dynamic-shared", "163840"});
  CHECK_THAT(reply.out, ContainsSubstring("1  limited by shared memory") && ContainsSubstring("132  blocks at most"));
}

TEST_CASE("wrong usage says so on standard error with status 2") {
  const std::vector<std::string> arguments =
      GENERATE(std::vector<std::string>{"occupancy"}, std::vector<std::string>{"occupancy", "--block", "0"},
               std::vector<std::string>{"nonsense"}, std::vector<std::string>{"devices", "--nonsense"});
  const Reply reply = command(arguments);
  CHECK(reply.status == 2);
  CHECK(reply.out.empty());
  CHECK_FALSE(reply.err.empty());
}

TEST_CASE("help and version succeed on standard output") {
  CHECK_THAT(command({"--help"}).out, ContainsSubstring("devices") && ContainsSubstring("occupancy"));
  CHECK_THAT(command({"--version"}).out, ContainsSubstring("warpfiber 0."));
  CHECK(command({"--version"}).status == 0);
}

TEST_CASE("without a word and with help the command lists what there is") {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{}, {"help"}, {"--help"}}) {
    const Reply reply = command(arguments);
    CHECK(reply.status == 0);
    CHECK_THAT(reply.out, ContainsSubstring("check") && ContainsSubstring("occupancy"));
  }
  CHECK_THAT(command({"-V"}).out, ContainsSubstring("warpfiber "));
}

TEST_CASE("a wrong word is named with the one that is meant") {
  const Reply reply = command({"chekc", "a.cu"});
  CHECK(reply.status == 2);
  CHECK_THAT(reply.err, ContainsSubstring("'chekc' is not a command; did you mean 'check'?"));
  CHECK_THAT(command({"--versoin"}).err, ContainsSubstring("unknown option '--versoin'; did you mean '--version'?"));
  CHECK_THAT(command({"--check"}).err, ContainsSubstring("did you mean 'check'?"));
  CHECK(command({"zzzzzzzz"}).err.find("did you mean") == std::string::npos);
}

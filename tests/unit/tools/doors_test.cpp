// SPDX-License-Identifier: Apache-2.0
//
// What the programs of the toolkit folder lead to, word by word.
#include "tools/toolkit/doors.hpp"

#include <algorithm>

#include "support/catch.hpp"

namespace warpfiber::tools::toolkit {
namespace {

using Catch::Matchers::ContainsSubstring;
using Words = std::vector<std::string>;

const DoorContext kHere{{"NVIDIA H200", 9, 0, 132, 143'771, 2}, "gdb", "/opt/warpfiber-gdb.py"};

TEST_CASE("each program of the toolkit folder is a door, and no other is") {
  for (const char* name : {"compute-sanitizer", "cuda-gdb", "ncu", "nsys", "nvidia-smi", "cuobjdump", "nvdisasm"})
    CHECK(is_door(name));
  CHECK_FALSE(is_door("warpfiber"));
  CHECK_FALSE(is_door("nvcc"));
}

TEST_CASE("compute-sanitizer is a check of the program behind its options") {
  const Opened opened = open("compute-sanitizer",
                             {"--tool", "racecheck", "--print-limit=5", "--leak-check", "full", "--error-exitcode", "9",
                              "./app", "--tool", "x"},
                             kHere);
  CHECK(opened.way == DoorKind::check);
  CHECK(opened.words == Words{"--leak-check", "./app", "--tool", "x"});
  CHECK(opened.status_of_findings == 9);
}

TEST_CASE("compute-sanitizer refuses what a check cannot do, in one line") {
  for (const Words& words : {Words{"--tool", "memchek", "./app"}, Words{"--log-file=x", "./app"},
                             Words{"--tool=memcheck"}, Words{"--error-exitcode", "nine", "./app"}}) {
    const Opened opened = open("compute-sanitizer", words, kHere);
    CHECK(opened.way == DoorKind::reply);
    CHECK(opened.reply.status == 1);
    CHECK(std::ranges::count(opened.reply.err, '\n') == 1);
  }
}

TEST_CASE("cuda-gdb is gdb with Warpfiber's commands, and its own words behind them") {
  const Opened opened = open("cuda-gdb", {"--args", "./app", "5"}, kHere);
  CHECK(opened.way == DoorKind::start);
  CHECK(opened.words.front() == "gdb");
  CHECK(Words(opened.words.end() - 3, opened.words.end()) == Words{"--args", "./app", "5"});
}

TEST_CASE("ncu and nsys run the program, and say what there is in their place") {
  const Opened counted = open("ncu", {"--set", "full", "-o", "x", "./app", "5"}, kHere);
  CHECK(counted.words == Words{"./app", "5"});
  CHECK_THAT(counted.reply.err, ContainsSubstring("warpfiber profile"));
  const Opened traced = open("nsys", {"profile", "--stats=true", "-o", "first.nsys-rep", "./app"}, kHere);
  CHECK(traced.words == Words{"./app"});
  CHECK(traced.variables == Words{"WARPFIBER_TRACE=first.pftrace"});
  CHECK(open("nsys", {"stats", "report1.nsys-rep"}, kHere).way == DoorKind::reply);
}

TEST_CASE("nvidia-smi answers in the forms that scripts read") {
  const auto printed = [](const Words& words) { return open("nvidia-smi", words, kHere).reply.out; };
  CHECK_THAT(printed({"-L"}), ContainsSubstring("GPU 0: NVIDIA H200 (UUID: GPU-") && ContainsSubstring("\nGPU 1: "));
  CHECK(printed({"--query-gpu=index,name,compute_cap,memory.total,power.draw", "--format=csv"}) ==
        "index, name, compute_cap, memory.total [MiB], power.draw\n"
        "0, NVIDIA H200, 9.0, 143771 MiB, [N/A]\n"
        "1, NVIDIA H200, 9.0, 143771 MiB, [N/A]\n");
  CHECK(printed({"--query-gpu=memory.total", "--format=csv,noheader,nounits"}) == "143771\n143771\n");
  CHECK_THAT(printed({}), ContainsSubstring("no GPU") && ContainsSubstring("NVIDIA H200"));
}

TEST_CASE("what shows code for a GPU says that there is none") {
  CHECK(open("cuobjdump", {"-sass", "app"}, kHere).reply.status == 0);
  CHECK(open("nvdisasm", {"app.cubin"}, kHere).reply.status == 1);
}

}  // namespace
}  // namespace warpfiber::tools::toolkit

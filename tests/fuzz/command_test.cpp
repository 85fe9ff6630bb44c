// SPDX-License-Identifier: Apache-2.0
//
// `warpfiber-dev fuzz` as a user calls it: what it compares, what it says, and what it returns.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "fuzz/support.hpp"
#include "tools/fuzz/fuzz.hpp"
#include "tools/fuzz/options.hpp"
#include "tools/fuzz/programs.hpp"
#include "tools/manual/options.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/processes/scratch.hpp"

using namespace fuzz_test;
using Catch::Matchers::ContainsSubstring;
using warpfiber::tools::Reply;
using warpfiber::tools::nvcc::content_of;
using warpfiber::tools::nvcc::ScratchFolder;

namespace {

Reply called(std::vector<std::string> arguments) {
  return fuzz(arguments, WARPFIBER_FUZZ_PREFIX);
}

/// How long the program is as it was drawn.
std::size_t printed_size(std::uint64_t seed) {
  return called({"--print", std::to_string(seed)}).out.size();
}

/// Without a fuzz_device beside the command.
Reply called_without_gpu(std::vector<std::string> arguments) {
  const ScratchFolder folder;
  return fuzz(arguments, folder.path());
}

}  // namespace

TEST_CASE("programs are held against the recordings as far as they go, and it is said what they were held against") {
  const Reply known = called({"--count", "20", "--seed", "9991"});
  CHECK(known.status == 0);
  CHECK_THAT(known.out, ContainsSubstring("20 programs from seed 9991: no difference"));
  CHECK_THAT(known.out, ContainsSubstring("10 against NVIDIA H200, driver 580.159.04, CUDA 13.0"));
  CHECK_THAT(known.out, ContainsSubstring("10 against no device"));
  const Reply model = called({"--count", "5", "--against", "model"});
  CHECK(model.status == 0);
  CHECK_THAT(model.out, ContainsSubstring("two schedules, in order and random, and against a sequential model") &&
                            !ContainsSubstring("H200"));
}

TEST_CASE("a difference from the recordings is explained and printed") {
  const ScratchFolder folder;
  const std::string path = folder.path() + "/wrong.rec";
  Recordings wrong{"D", "1", "T", 3, {shipped().of(3)}};
  wrong.programs[0].digest ^= 1;
  wrong.programs[0].nodes[2] ^= 0x10;
  REQUIRE(write_recordings(path, wrong));
  const Reply reply = called({"--count", "1", "--seed", "3", "--recordings", path});
  CHECK(reply.status == 1);
  CHECK_THAT(reply.out, ContainsSubstring("seed 3: the simulator (here) differs from D, driver 1, T (there)"));
  CHECK_THAT(reply.out, ContainsSubstring("first at: ") && ContainsSubstring("fuzz_3.cu"));
  CHECK_THAT(reply.out, ContainsSubstring("not shrunk: a smaller program is not recorded, and the sequential model "
                                          "computes what the simulator does"));
  CHECK_THAT(reply.out, ContainsSubstring("1 program from seed 3: 1 differ"));
  CHECK_THAT(content_of("fuzz_3.cu"), ContainsSubstring("first at: ") && ContainsSubstring("__global__"));
  wrong.programs[0].nodes[2] ^= 0x10;
  REQUIRE(write_recordings(path, wrong));
  CHECK_THAT(called({"--count", "1", "--seed", "3", "--recordings", path}).out, ContainsSubstring("by its digest"));
  std::filesystem::remove("fuzz_3.cu");
}

TEST_CASE("a mistake of the simulator is shrunk without a GPU, recorded programs and others") {
  const auto wrong = [](std::vector<std::string> arguments) {
    return fuzz(arguments, WARPFIBER_FUZZ_PREFIX, InjectedFault::label);
  };
  const Reply recorded = wrong({"--count", "1", "--seed", "11", "--against", "recordings"});
  CHECK(recorded.status == 1);
  CHECK_THAT(recorded.out, ContainsSubstring("differs from NVIDIA H200") && ContainsSubstring("first in thread ") &&
                               ContainsSubstring("labeled_partition(") &&
                               ContainsSubstring("it computes what was recorded"));
  const std::string small = content_of("fuzz_11.cu");
  CHECK(small.size() < printed_size(11));
  const Reply model = wrong({"--count", "1", "--seed", "11", "--against", "model"});
  CHECK(model.status == 1);
  CHECK_THAT(model.out, ContainsSubstring("differs from the sequential model (there)"));
  CHECK(content_of("fuzz_11.cu").size() < printed_size(11));
  std::filesystem::remove("fuzz_11.cu");
}

TEST_CASE("programs run on a GPU by the program beside the command, whose failure is told") {
  // In its place a script that hands over recordings, and cannot run anything else.
  const ScratchFolder folder;
  const std::string recordings = folder.path() + "/gpu.rec";
  const std::string program = folder.path() + "/" WARPFIBER_LIBEXECDIR "/warpfiber/fuzz_device";
  std::filesystem::create_directories(std::filesystem::path(program).parent_path());
  std::ofstream(program) << "#!/bin/sh\ntest \"$1 $2 $3 $4 $5\" = \"--seed 3 --count 1 --record\" || exit 4\ncp \""
                         << recordings << "\" \"$6\"\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  Recordings gpu{"D", "1", "T", 3, {shipped().of(3)}};
  REQUIRE(write_recordings(recordings, gpu));
  const std::vector<std::string> arguments{"--count", "1", "--seed", "3", "--against", "gpu"};
  const Reply same = fuzz(arguments, folder.path());
  CHECK(same.status == 0);
  CHECK_THAT(same.out, ContainsSubstring("1 against D, driver 1, T"));
  const std::string copy = folder.path() + "/copy.rec";
  CHECK(fuzz({"--count", "1", "--seed", "3", "--record", copy}, folder.path()).status == 0);
  CHECK(content_of(copy) == content_of(recordings));
  gpu.programs[0].digest ^= 1;
  REQUIRE(write_recordings(recordings, gpu));
  const Reply other = fuzz(arguments, folder.path());
  CHECK(other.status == 1);
  CHECK_THAT(other.out, ContainsSubstring("cannot be explained: " + program + " ended with 4"));
  std::filesystem::remove("fuzz_3.cu");
  const Reply broken = fuzz({"--count", "1", "--seed", "4", "--against", "gpu"}, folder.path());
  CHECK(broken.status == 2);
  CHECK_THAT(broken.err, ContainsSubstring(program + " ended with 4"));
  std::ofstream(program) << "#!/bin/sh\nexit 2\n";
  CHECK(fuzz(arguments, folder.path()).status == 3);
}

TEST_CASE("programs that the device failed on are counted, those of another generator refused") {
  const ScratchFolder folder;
  const std::string path = folder.path() + "/some.rec";
  Recordings some{"D", "1", "T", 1, {shipped().of(1), shipped().of(2)}};
  some.programs[1].nodes.clear();
  REQUIRE(write_recordings(path, some));
  const Reply failed = called({"--count", "2", "--recordings", path});
  CHECK(failed.status == 0);
  CHECK_THAT(failed.out, ContainsSubstring("1 without a result of that device"));
  some.programs[0].program ^= 1;
  REQUIRE(write_recordings(path, some));
  const Reply other = called({"--count", "2", "--recordings", path});
  CHECK(other.status == 2);
  CHECK_THAT(other.err, ContainsSubstring("its program of seed 1 is not the one that is generated now"));
  std::ofstream(path, std::ios::binary | std::ios::app) << "x";
  const Reply damaged = called({"--count", "2", "--recordings", path});
  CHECK(damaged.status == 2);
  CHECK_THAT(damaged.err, ContainsSubstring("is damaged: its checksum does not match its contents"));
}

TEST_CASE("a printed program is CUDA that expects the recorded digest") {
  const Reply reply = called({"--print", "4"});
  CHECK(reply.status == 0);
  CHECK_THAT(reply.out, ContainsSubstring("the digest is that of NVIDIA H200") && ContainsSubstring("int main()"));
  CHECK_THAT(called({"--print", "10001"}).out, ContainsSubstring("the digest is that of the simulator"));
}

TEST_CASE("what cannot be run or makes no sense is refused with the reason") {
  const Reply gpu = called_without_gpu({"--against", "gpu"});
  CHECK(gpu.status == 3);
  CHECK_THAT(gpu.err, ContainsSubstring("fuzz_device, which is built if nvcc is on the path"));
  CHECK_THAT(called_without_gpu({"--record", "x.rec"}).err, ContainsSubstring("fuzz_device"));
  CHECK_THAT(called_without_gpu({}).err, ContainsSubstring("h200.rec: cannot be read"));
  CHECK_THAT(called({"--against", "recordings", "--seed", "10000", "--count", "2"}).err,
             ContainsSubstring("has seeds 1 to 10000, not all of 10000 to 10001"));
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--count", "0"},
                                                {"--count", "-1"},
                                                {"--count", "99999999999999999999"},
                                                {"--count", "10000001"},
                                                {"--seed", "x"},
                                                {"--seed", "-1"},
                                                {"--seed", "18446744073709551615"},
                                                {"--against", "moon"},
                                                {"--against", "model", "--recordings", "x"},
                                                {"--seed", "99999999999999999999"},
                                                {"--print", "x"},
                                                {"--print", "-1"},
                                                {"--print", "18446744073709551616"},
                                                {"--print", "99999999999999999999"},
                                                {"word"}}) {
    INFO(wrong.back());
    const Reply reply = called(wrong);
    CHECK(reply.status == 2);
    CHECK_FALSE(reply.err.empty());
  }
  CHECK(called({"--help"}).status == 0);
}

TEST_CASE("every option of the manual is one of fuzz") {
  constexpr std::string_view kOfRegions[] = {"--in-a-file", "--mistakes", "--keep"};
  for (const warpfiber::tools::manual::OptionHelp& option : warpfiber::tools::manual::kFuzzOptions) {
    std::vector<std::string> words{std::string(option.name)};
    if (option.has_value()) words.emplace_back(option.words.empty() ? "1" : "model");
    if (std::ranges::find(kOfRegions, option.name) != std::end(kOfRegions)) words.emplace_back("--regions");
    const ParsedFuzzOptions parsed = parse(words);
    INFO(option.name);
    CHECK((!parsed.reply || parsed.reply->status == 0));
  }
}

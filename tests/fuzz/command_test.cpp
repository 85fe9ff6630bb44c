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
#include "tools/shards/fuzz_results.hpp"

using namespace fuzz_test;
using Catch::Matchers::ContainsSubstring;
using warpfiber::tools::Reply;
using warpfiber::tools::nvcc::content_of;
using warpfiber::tools::nvcc::ScratchFolder;
namespace shards = warpfiber::tools::shards;

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
                                                {"--seeds", "2..1"},
                                                {"--seeds", "1..4", "--seed", "2"},
                                                {"--seeds", "1..4", "--count", "2"},
                                                {"--seeds", "1..4", "--print", "2"},
                                                {"--shard", "1/2"},
                                                {"--json", "x.json"},
                                                {"--seeds", "1..4", "--shard", "3/2"},
                                                {"word"}}) {
    INFO(wrong.back());
    const Reply reply = called(wrong);
    CHECK(reply.status == 2);
    CHECK_FALSE(reply.err.empty());
  }
  CHECK(called({"--help"}).status == 0);
}

TEST_CASE("shards compare parts of the seeds, and keep what they have compared") {
  const ScratchFolder folder;
  const std::string file = folder.path() + "/part-%s.json";
  shards::FuzzResults all;
  for (const char* const shard : {"1/3", "2/3", "3/3"}) {
    const Reply reply = called({"--seeds", "9996..10006", "--shard", shard, "--json", file});
    CHECK(reply.status == 0);
    CHECK_THAT(reply.err, ContainsSubstring(std::string("shard ") + shard + ": seeds "));
    const auto document = shards::read_fuzz_document(content_of(folder.path() + "/part-" + shard[0] + ".json"));
    REQUIRE_FALSE(document.is_discarded());
    CHECK(shards::shards_of(document).front().end == shards::ShardEnd::all);
    all.add(*shards::results_of(document));
  }
  CHECK(all.programs == 11);
  CHECK(all.differing() == 0);
  CHECK(all.counted("against NVIDIA H200, driver 580.159.04, CUDA 13.0") == 5);
  const Reply again = called({"--seeds", "9996..10006", "--shard", "2/3", "--json", file});
  CHECK(again.status == 0);
  CHECK_THAT(again.err, ContainsSubstring("4 programs have been run; remove the file"));
  CHECK_THAT(again.out, ContainsSubstring("4 programs from seed 10000: no difference"));
  const Reply other = called({"--seeds", "9996..10006", "--shard", "2/3", "--json", file, "--against", "model"});
  CHECK(other.status == 2);
  CHECK_THAT(other.err, ContainsSubstring("this call was made with other options: '--against model', not ''"));
  const Reply none = called({"--seeds", "1..2", "--shard", "3/3", "--json", folder.path() + "/none.json"});
  CHECK(none.status == 0);
  CHECK_THAT(none.err, ContainsSubstring("shard 3/3: no seeds of 1..2"));
  CHECK_FALSE(shards::read_fuzz_document(content_of(folder.path() + "/none.json")).is_discarded());
}

TEST_CASE("a shard that was interrupted goes on behind what it has compared, and a difference is kept") {
  const ScratchFolder folder;
  const std::string file = folder.path() + "/part.json";
  const auto wrong = [&file](const char* seeds) {
    return fuzz({"--seeds", seeds, "--shard", "1/1", "--json", file}, WARPFIBER_FUZZ_PREFIX, InjectedFault::label);
  };
  CHECK(wrong("10..11").status == 1);
  auto document = shards::read_fuzz_document(content_of(file));
  const auto results = shards::results_of(document);
  REQUIRE(results.has_value());
  REQUIRE(results->differences.size() == 1);
  CHECK(results->differences[0].seed == 11);
  CHECK_THAT(results->differences[0].operation, ContainsSubstring("cg::labeled_partition(g#, "));
  // As it was after the first two of four programs.
  document["shards"][0]["last_seed"] = 13U;
  document["shards"][0]["ended"] = "not yet";
  std::ofstream(file) << document;
  const Reply reply = wrong("10..13");
  CHECK(reply.status == 1);
  CHECK_THAT(reply.err, ContainsSubstring("2 programs have been run"));
  CHECK_THAT(reply.out, ContainsSubstring("seed 11: the simulator (here) differs from NVIDIA H200") &&
                            ContainsSubstring("4 programs from seed 10: 1 differ"));
  CHECK(shards::results_of(shards::read_fuzz_document(content_of(file)))->programs == 4);
  std::filesystem::remove("fuzz_11.cu");
}

TEST_CASE("every option of the manual is one of fuzz") {
  constexpr std::string_view kOfRegions[] = {"--in-a-file", "--mistakes", "--matrices", "--keep"};
  constexpr std::string_view kOfShards[] = {"--shard", "--json"};
  for (const warpfiber::tools::manual::OptionHelp& option : warpfiber::tools::manual::kFuzzOptions) {
    std::vector<std::string> words{std::string(option.name)};
    const bool is_of_shards = std::ranges::find(kOfShards, option.name) != std::end(kOfShards);
    const char* const plain = option.name == "--seeds" ? "1..2" : option.name == "--shard" ? "1/2" : "1";
    if (option.has_value()) words.emplace_back(option.words.empty() ? plain : "model");
    if (is_of_shards) words.insert(words.end(), {"--seeds", "1..2"});
    if (std::ranges::find(kOfRegions, option.name) != std::end(kOfRegions)) words.emplace_back("--regions");
    const ParsedFuzzOptions parsed = parse(words);
    INFO(option.name);
    CHECK((!parsed.reply || parsed.reply->status == 0));
  }
}

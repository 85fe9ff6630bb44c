// SPDX-License-Identifier: Apache-2.0
//
// Which seeds are a process's, what the environment says of that, and what files of shards say together.
#include "tools/shards/shard.hpp"

#include <map>

#include "support/catch.hpp"
#include "tools/merge/coverage.hpp"
#include "tools/shards/campaign.hpp"
#include "tools/shards/fuzz_results.hpp"

using Catch::Matchers::ContainsSubstring;
using namespace warpfiber::tools::shards;
using warpfiber::tools::merge::contradictions;
using warpfiber::tools::merge::coverage_of;
using warpfiber::tools::merge::FileShards;
using warpfiber::tools::merge::SearchCoverage;

namespace {

constexpr std::uint64_t kMost = 1'000'000;

using Environment = std::map<std::string, std::string>;

auto shard_in(const Environment& environment) {
  return shard_of_environment([&](const char* name) {
    const auto found = environment.find(name);
    return found == environment.end() ? std::nullopt : std::optional(found->second);
  });
}

/// "2/8 by NAME=1", nothing, or what is wrong.
std::string text_in(const Environment& environment) {
  const auto found = shard_in(environment);
  if (!found.ok()) return found.error();
  return found.value() ? shard_text(found.value()->shard) + " by " + found.value()->variables : std::string();
}

Environment with(Environment environment, const Environment& more) {
  environment.insert(more.begin(), more.end());
  return environment;
}

FileShards file(const std::string& name, const std::string& shard, const std::string& seeds,
                ShardEnd end = ShardEnd::all) {
  ShardProgress progress{parse_shard(shard).value(), parse_range(seeds, kMost).value()};
  progress.ran = end == ShardEnd::all ? progress.seeds().count : 1;
  progress.end = end;
  return {name, {"check", "1", "app", "d", ""}, {progress}};
}

}  // namespace

TEST_CASE("seeds are divided among shards without gaps, and none has two more than another") {
  for (const std::uint64_t count : {1U, 2U, 7U, 12U, 100U, 1001U}) {
    for (const std::uint64_t of : {1U, 2U, 3U, 7U, 16U, 100U}) {
      const SeedRange all{41, count};
      std::uint64_t next = all.first;
      for (std::uint64_t number = 1; number <= of; ++number) {
        const SeedRange seeds = seeds_of(all, {number, of});
        CHECK(seeds.first == next);
        CHECK(seeds.count >= count / of);
        CHECK(seeds.count <= count / of + 1);
        next += seeds.count;
      }
      CHECK(next == all.first + count);
    }
  }
}

TEST_CASE("ranges and shards are read as they are written, and nothing else is") {
  CHECK(parse_range("1..100", kMost).value() == SeedRange{1, 100});
  CHECK(parse_range("0x10..0x1f", kMost).value() == SeedRange{16, 16});
  CHECK(parse_range("7..7", kMost).value() == SeedRange{7, 1});
  CHECK(parse_range("0..999999", kMost).ok());
  for (const char* const wrong :
       {"", "..", "1..", "..2", "2..1", "1...3", "1..2..3", "-1..2", "1.. 2", "0..1000000", "1"}) {
    INFO(wrong);
    CHECK_THAT(parse_range(wrong, kMost).error(), ContainsSubstring("at most 1,000,000 seeds"));
  }
  CHECK(parse_shard("2/8").value() == Shard{2, 8});
  for (const char* const wrong : {"", "/", "0/8", "9/8", "1", "1/", "/1", "1/8/2", "-1/8", "1/1000001"}) {
    INFO(wrong);
    CHECK_FALSE(parse_shard(wrong).ok());
  }
}

TEST_CASE("the shard is taken from what started the process") {
  CHECK(text_in({}).empty());
  CHECK(text_in({{"SLURM_ARRAY_TASK_ID", "5"}, {"SLURM_ARRAY_TASK_COUNT", "8"}, {"SLURM_ARRAY_TASK_MIN", "1"}}) ==
        "5/8 by SLURM_ARRAY_TASK_ID=5");
  CHECK(text_in({{"SLURM_ARRAY_TASK_ID", "30"},
                 {"SLURM_ARRAY_TASK_COUNT", "4"},
                 {"SLURM_ARRAY_TASK_MIN", "10"},
                 {"SLURM_ARRAY_TASK_STEP", "10"}}) == "3/4 by SLURM_ARRAY_TASK_ID=30");
  CHECK(text_in({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}, {"SLURM_STEP_ID", "0"}}) == "1/4 by SLURM_PROCID=0");
  CHECK(text_in({{"OMPI_COMM_WORLD_RANK", "3"}, {"OMPI_COMM_WORLD_SIZE", "4"}}) == "4/4 by OMPI_COMM_WORLD_RANK=3");
  CHECK(text_in({{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}}) == "2/2 by PMI_RANK=1");
  CHECK(text_in({{"CI_NODE_INDEX", "1"}, {"CI_NODE_TOTAL", "3"}}) == "1/3 by CI_NODE_INDEX=1");
  CHECK(text_in({{"GTEST_SHARD_INDEX", "2"}, {"GTEST_TOTAL_SHARDS", "3"}}) == "3/3 by GTEST_SHARD_INDEX=2");
}

TEST_CASE("one process alone is no shard, nor is the script of a job that may start several") {
  CHECK(text_in({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}}).empty());
  CHECK(text_in({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "1"}, {"SLURM_STEP_ID", "0"}}).empty());
  CHECK(text_in({{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "1"}}).empty());
  CHECK(text_in({{"CI_NODE_TOTAL", "1"}}).empty());
  // An array of one task may be one that was sent again.
  CHECK(text_in({{"SLURM_ARRAY_TASK_ID", "7"}, {"SLURM_ARRAY_TASK_COUNT", "1"}, {"SLURM_ARRAY_TASK_MIN", "7"}}) ==
        "1/1 by SLURM_ARRAY_TASK_ID=7");
}

TEST_CASE("of several variables the nearest to the process counts, and tasks of an array are divided further") {
  const Environment step{{"SLURM_PROCID", "1"}, {"SLURM_NTASKS", "2"}, {"SLURM_STEP_ID", "0"}};
  const Environment mpi{{"OMPI_COMM_WORLD_RANK", "2"}, {"OMPI_COMM_WORLD_SIZE", "4"}};
  const Environment array{{"SLURM_ARRAY_TASK_ID", "2"}, {"SLURM_ARRAY_TASK_COUNT", "3"}, {"SLURM_ARRAY_TASK_MIN", "0"}};
  CHECK(text_in(with(step, mpi)) == "3/4 by OMPI_COMM_WORLD_RANK=2");
  CHECK(text_in(with(array, step)) == "6/6 by SLURM_ARRAY_TASK_ID=2 and SLURM_PROCID=1");
  CHECK(text_in(with(array, with(step, mpi))) == "11/12 by SLURM_ARRAY_TASK_ID=2 and OMPI_COMM_WORLD_RANK=2");
  CHECK(text_in(with({{"CI_NODE_INDEX", "2"}, {"CI_NODE_TOTAL", "2"}}, mpi)) ==
        "7/8 by CI_NODE_INDEX=2 and OMPI_COMM_WORLD_RANK=2");
}

TEST_CASE("variables that contradict each other are named") {
  CHECK_THAT(text_in({{"CI_NODE_INDEX", "0"}, {"CI_NODE_TOTAL", "3"}}),
             ContainsSubstring("CI_NODE_INDEX=0 is not one of"));
  CHECK_THAT(text_in({{"PMI_RANK", "2"}, {"PMI_SIZE", "2"}}), ContainsSubstring("PMI_RANK=2 is not one of PMI_SIZE=2"));
  CHECK_THAT(text_in({{"PMI_RANK", "x"}, {"PMI_SIZE", "2"}}), ContainsSubstring("PMI_RANK=x"));
  CHECK_THAT(text_in({{"SLURM_ARRAY_TASK_ID", "7"}, {"SLURM_ARRAY_TASK_COUNT", "3"}, {"SLURM_ARRAY_TASK_MIN", "1"}}),
             ContainsSubstring("SLURM_ARRAY_TASK_ID=7 is not one of 3 tasks from 1 in steps of 1"));
  // --array=1,3,9: the first could be taken for one of 1..3.
  CHECK_THAT(text_in({{"SLURM_ARRAY_TASK_ID", "1"},
                      {"SLURM_ARRAY_TASK_COUNT", "3"},
                      {"SLURM_ARRAY_TASK_MIN", "1"},
                      {"SLURM_ARRAY_TASK_MAX", "9"}}),
             ContainsSubstring("SLURM_ARRAY_TASK_ID=1 is not one of 3 tasks"));
}

TEST_CASE("files have the number of the shard in their names") {
  CHECK(file_of_shard("found-%s.json", {12, 16}) == "found-12.json");
  CHECK(file_of_shard("%s/%s", {3, 4}) == "3/3");
  CHECK(file_of_shard("found.json", {3, 4}) == "found.json");
}

TEST_CASE("files say what is missing") {
  CHECK(coverage_of({file("a", "1/2", "1..10"), file("b", "2/2", "1..10")}).is_whole());
  const SearchCoverage some = coverage_of({file("a", "2/9", "1..18"), file("b", "5/9", "1..18", ShardEnd::none),
                                           file("c", "6/9", "1..18", ShardEnd::hang), file("d", "1/1", "19..20")});
  CHECK(some.shards == 10);
  CHECK(some.known_shards == 4);
  CHECK(some.seeds == 20);
  CHECK(some.run_seeds == 6);
  REQUIRE(some.missing.size() == 2);
  CHECK(some.missing[0] == "shards 1, 3..4 and 7..9 of 9 of seeds 1..18 are missing: 12 seeds were not run");
  CHECK_THAT(some.missing[1], ContainsSubstring("b: shard 5/9 was interrupted after 1 of 2 seeds"));
  REQUIRE(some.left.size() == 1);
  CHECK_THAT(some.left[0], ContainsSubstring("c: shard 6/9 stopped at a launch that hangs"));
}

TEST_CASE("files that do not belong together are named") {
  CHECK(contradictions({file("a", "1/2", "1..10"), file("b", "2/2", "1..10"), file("c", "1/1", "11..20")}).empty());
  FileShards other = file("b", "2/2", "1..10");
  other.campaign.version = "2";
  CHECK(contradictions({file("a", "1/2", "1..10"), other}) ==
        std::vector<std::string>{"b: was made by another version: 2, not 1, as a is"});
  CHECK(contradictions({file("a", "1/2", "1..10"), file("b", "1/2", "1..10")}).size() == 1);
  CHECK(contradictions({file("a", "1/2", "1..100"), file("b", "1/2", "5..6"), file("c", "1/2", "50..60")}) ==
        std::vector<std::string>{
            "a is of seeds 1..100 in 2 shards, b of seeds 5..6 in 2 shards: these have seeds in common",
            "a is of seeds 1..100 in 2 shards, c of seeds 50..60 in 2 shards: these have seeds in common"});
}

TEST_CASE("what a document says of its shards is read back, and other things are not") {
  const FileShards one = file("a", "2/3", "5..16", ShardEnd::errors);
  ShardJson document = ShardJson::object();
  set_campaign(document, one.campaign, one.progress);
  REQUIRE(campaign_of(document).has_value());
  CHECK(difference_between(*campaign_of(document), one.campaign).empty());
  REQUIRE(shards_of(document).size() == 1);
  const ShardProgress read = shards_of(document).front();
  CHECK(read.shard == Shard{2, 3});
  CHECK(read.all == SeedRange{5, 12});
  CHECK(read.ran == 1);
  CHECK(read.end == ShardEnd::errors);
  const auto is_read_with = [&](const char* key, const ShardJson& value) {
    ShardJson changed = document;
    changed["shards"][0][key] = value;
    return !shards_of(changed).empty();
  };
  CHECK(is_read_with("ran", 4U));
  CHECK_FALSE(is_read_with("ran", 5U));
  CHECK_FALSE(is_read_with("shard", 0U));
  CHECK_FALSE(is_read_with("shard", 4U));
  CHECK_FALSE(is_read_with("of", "3"));
  CHECK_FALSE(is_read_with("last_seed", 4U));
  CHECK_FALSE(is_read_with("last_seed", ShardJson()));
  CHECK_FALSE(is_read_with("ended", "somehow"));
  document["campaign"]["options"] = 7;
  CHECK_FALSE(campaign_of(document).has_value());
  CHECK(shards_of(ShardJson(3)).empty());
}

TEST_CASE("differences of random programs at one operation are one, with the first seed and how many show it") {
  FuzzResults one;
  one.programs = 10;
  one.count("against a device", 7);
  one.add(FuzzDifference{12, "call(#)", "twelve"});
  one.add(FuzzDifference{15, "call(#)", "fifteen"});
  one.unexplained = {19};
  FuzzResults other;
  other.programs = 5;
  other.count("against a device", 2);
  other.add(FuzzDifference{3, "call(#)", "three"});
  other.add(FuzzDifference{4, "other(#)", "four"});
  one.add(other);
  REQUIRE(one.differences.size() == 2);
  CHECK(one.differences[0].seed == 3);
  CHECK(one.differences[0].text == "three");
  CHECK(one.differences[0].programs == 3);
  CHECK(one.differing() == 5);
  CHECK(one.counted("against a device") == 9);
  const auto read = results_of(ShardJson::parse(document_of(one).dump()));
  REQUIRE(read.has_value());
  CHECK(document_of(*read) == document_of(one));
  CHECK(operation_of("t.put(12, 0, cg::reduce(g3))") == operation_of("t.put(7, 0, cg::reduce(g11))"));
  ShardJson changed = document_of(one);
  changed["differences"][0]["seed"] = "3";
  CHECK_FALSE(results_of(changed).has_value());
  CHECK_FALSE(results_of(ShardJson::array()).has_value());
  CHECK(read_fuzz_document("{").is_discarded());
  CHECK(read_fuzz_document(document_of(one).dump()).is_discarded());
}

TEST_CASE("texts that are divided otherwise have another digest") {
  CHECK(digest_of({"ab", "c"}) != digest_of({"a", "bc"}));
  CHECK(digest_of({"ab"}) != digest_of({"ab", ""}));
  CHECK(digest_of({"ab", "c"}) == digest_of({"ab", "c"}));
}

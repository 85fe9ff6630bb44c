// SPDX-License-Identifier: Apache-2.0
//
// The command line of `warpfiber check`, and the command that it says repeats a run.
#include "tools/check/options.hpp"

#include "support/catch.hpp"

using Catch::Matchers::ContainsSubstring;
using namespace warpfiber::tools::check;

namespace {

CheckOptions parsed(const std::vector<std::string>& arguments) {
  const auto result = parse(arguments);
  REQUIRE(result.error.empty());
  return result.options;
}

}  // namespace

TEST_CASE("options of check and of nvcc stand in any order before the program's arguments") {
  const CheckOptions options = parsed({"-O3", "--json", "out.json", "a.cu", "--sarif=out.sarif", "-std=c++17",
                                       "--strict", "--junit", "out.xml", "b.cu", "--", "--json", "7"});
  CHECK(options.json == "out.json");
  CHECK(options.sarif == "out.sarif");
  CHECK(options.junit == "out.xml");
  CHECK(options.strict);
  CHECK(options.program.check);
  CHECK(options.program.inputs == std::vector<std::string>{"a.cu", "b.cu"});
  CHECK(options.program.optimisation == "-O3");
  CHECK(options.arguments == std::vector<std::string>{"--json", "7"});
}

TEST_CASE("without a seed there is one run in order; seeds run at random, from the first one on") {
  CHECK(parsed({"a.cu"}).seeds.empty());
  CHECK(parsed({"a.cu"}).policy.empty());
  CHECK(parsed({"--seed", "0x10", "a.cu"}).seeds == std::vector<std::uint64_t>{16});
  CHECK(parsed({"--seed", "7", "a.cu"}).policy == "random");
  CHECK(parsed({"--seeds", "3", "a.cu"}).seeds == std::vector<std::uint64_t>{1, 2, 3});
  CHECK(parsed({"--seeds=2", "--seed=9", "a.cu"}).seeds == std::vector<std::uint64_t>{9, 10});
  CHECK(parsed({"--seeds=2", "--policy=pct:3", "a.cu"}).policy == "pct:3");
}

TEST_CASE("the command that repeats a run has its seed and leaves out files to write") {
  const CheckOptions options =
      parsed({"--seeds", "20", "--json", "o.json", "--policy", "pct:3", "--strict", "-DNAME=a b", "a.cu", "--", "x"});
  const std::uint64_t seed = 7;
  CHECK(again(options, &seed) == "warpfiber check --seed 7 --policy pct:3 --strict '-DNAME=a b' a.cu -- x");
  CHECK(again(parsed({"a.cu"}), nullptr) == "warpfiber check a.cu");
}

TEST_CASE("a program is run as it is, anything else is built") {
  CHECK(parsed({"/bin/true"}).binary() == "/bin/true");
  CHECK(parsed({"a.cu"}).binary().empty());
  CHECK(parsed({"a.cu", "/bin/true"}).binary().empty());
  CHECK(parsed({"nowhere/program"}).binary().empty());
}

TEST_CASE("a program is searched for on the path, and the words behind it are its arguments") {
  using Words = std::vector<std::string>;
  const CheckOptions script = parsed({"--seeds", "3", "sh", "-c", "exit 1"});
  CHECK(script.binary().ends_with("/sh"));
  CHECK(script.arguments == Words{"-c", "exit 1"});
  CHECK(script.seeds.size() == 3);
  CHECK(parsed({"/bin/sh", "--strict", "script.sh", "--json"}).arguments == Words{"script.sh", "--json"});
  CHECK(parsed({"/bin/sh", "--strict", "script.sh"}).strict);
  CHECK(parsed({"/bin/sh", "--", "-c"}).arguments == Words{"-c"});
  CHECK(parsed({"sh"}).arguments.empty());
  const std::uint64_t seed = 2;
  CHECK(again(script, &seed) == "warpfiber check --seed 2 sh -- -c 'exit 1'");
}

TEST_CASE("what is to be built has its arguments behind two dashes only") {
  CHECK(parsed({"a.cu", "sh"}).arguments.empty());
  CHECK(parsed({"-o", "sh", "a.cu"}).arguments.empty());
  CHECK(parsed({"nowhere/sh", "-c"}).binary().empty());
}

TEST_CASE("colours are asked for or not") {
  CHECK(parsed({"a.cu"}).colour == Colour::automatic);
  CHECK(parsed({"--colour=always", "a.cu"}).colour == Colour::always);
  CHECK(parsed({"--color", "never", "a.cu"}).colour == Colour::never);
}

TEST_CASE("a command line that makes no sense is answered with what would") {
  struct Case {
    std::vector<std::string> arguments;
    const char* complaint;
  };
  const Case wrong = GENERATE(values<Case>({
      {{}, "nothing to check"},
      {{"--", "a"}, "nothing to check"},
      {{"--strict"}, "nothing to check"},
      {{"a.cu", "--json"}, "'--json' needs a value"},
      {{"a.cu", "--json="}, "'--json' needs a value"},
      {{"a.cu", "--seeds", "0"}, "a number from 1"},
      {{"a.cu", "--seeds", "many"}, "a number from 1"},
      {{"a.cu", "--seed", "lucky"}, "lucky"},
      {{"a.cu", "--policy", "sideways"}, "in-order"},
      {{"a.cu", "--colour", "blue"}, "auto, always or never"},
      {{"a.cu", "--frobnicate"}, "--frobnicate"},
      {{"a.cu", "--strict=yes"}, "'--strict' takes no value"},
  }));
  CHECK_THAT(parse(wrong.arguments).error, ContainsSubstring(wrong.complaint));
}

TEST_CASE("shards run parts of one search, and mix policies as the whole does") {
  const CheckOptions whole = parsed({"--seeds", "1..4", "a.cu"});
  CHECK(whole.seeds == std::vector<std::uint64_t>{1, 2, 3, 4});
  CHECK_FALSE(whole.shard.has_value());
  const CheckOptions part =
      parsed({"--seeds", "1..4", "--shard", "4/4", "--json", "f-%s.json", "--trace", "t-%s.json", "a.cu"});
  CHECK(part.seeds == std::vector<std::uint64_t>{4});
  CHECK(part.mixes);
  CHECK(part.compares());
  CHECK(of_seed(part, 4).policy == "delays");
  CHECK(part.json == "f-4.json");
  CHECK(part.files.trace == "t-4.json");
  const std::uint64_t seed = 4;
  CHECK(again(of_seed(part, seed), &seed) == "warpfiber check --seed 4 --policy delays a.cu");
  CHECK(parsed({"--seeds", "3..4", "--shard", "3/3", "a.cu"}).seeds.empty());
  CHECK(parsed({"--seeds", "7..7", "a.cu"}).seeds == std::vector<std::uint64_t>{7});
  CHECK_THAT(parse({"--seeds", "1..4", "--shard", "1/2", "--junit", "x.xml", "a.cu"}).error,
             ContainsSubstring("--junit x.xml: each shard writes one"));
}

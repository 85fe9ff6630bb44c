// SPDX-License-Identifier: Apache-2.0
//
// The parser of options by a table, and command lines that go through it.
#include "tools/options/parser.hpp"

#include "support/catch.hpp"
#include "tools/command.hpp"

using namespace warpfiber::tools;
using Words = std::vector<std::string>;

namespace {

struct Read {
  std::string file;
  bool quick = false;
  unsigned times = 0;
};

constexpr manual::OptionHelp kTable[] = {{.name = "--file", .value = "FILE"},
                                         {.name = "--quick", .other = "-q"},
                                         {.name = "--times", .value = "N"},
                                         manual::kHelp,
                                         manual::kVersion};

constexpr OptionReader<Read> kReaders[] = {
    {"--file", read_text<&Read::file>, true},
    {"--quick", read_flag<&Read::quick>},
    {"--times", read_count<&Read::times, 1>},
};
static_assert(have_readers(kTable, kReaders));

constexpr OptionReader<Read> kOneLess[] = {{"--file", read_text<&Read::file>}, {"--quick", read_flag<&Read::quick>}};
static_assert(!have_readers(kTable, kOneLess));

constexpr OptionReader<Read> kOther[] = {kReaders[0], kReaders[1], {"--count", read_count<&Read::times, 1>}};
static_assert(!have_readers(kTable, kOther));

OtherWords read(const Words& words, Read& to) {
  return read_options(kTable, kReaders, words, to);
}

std::string error_of(const Words& words) {
  Read to;
  return read(words, to).error;
}

/// What the command says of this line, which is wrong usage.
std::string said_of(const Words& words) {
  const Reply reply = command(words);
  CHECK(reply.status == 2);
  CHECK(reply.out.empty());
  return reply.err;
}

}  // namespace

TEST_CASE("options of the table are read in any order, and all other words are left") {
  Read to;
  const OtherWords others = read({"-O3", "-q", "a.cu", "--times=7", "--file", "x", "--", "--file", "y"}, to);
  CHECK(others.error.empty());
  CHECK(to.file == "x");
  CHECK(to.quick);
  CHECK(to.times == 7);
  CHECK(others.words == Words{"-O3", "a.cu"});
  CHECK(others.repeated == Words{"-O3", "a.cu", "--file", "x"});
  CHECK(others.arguments == Words{"--file", "y"});
}

TEST_CASE("the last of two values counts") {
  Read to;
  CHECK(read({"--file", "x", "--file=y"}, to).error.empty());
  CHECK(to.file == "y");
}

TEST_CASE("help and version are noted") {
  Read to;
  CHECK(read({"a.cu", "-h"}, to).help);
  CHECK(read({"--version"}, to).version);
  CHECK_FALSE(read({"--", "--help"}, to).help);
}

TEST_CASE("a value that is missing or wrong is named with its option") {
  CHECK(error_of({"--file"}) == "option '--file' needs a value");
  CHECK(error_of({"--file="}) == "option '--file' needs a value");
  CHECK(error_of({"--file", ""}) == "option '--file' needs a value");
  CHECK(error_of({"--times", "0"}) == "--times 0: a number from 1 to 4294967295");
  CHECK(error_of({"--times", "4294967296"}) == "--times 4294967296: a number from 1 to 4294967295");
  CHECK(error_of({"--times", "-1"}) == "--times -1: a number from 1 to 4294967295");
}

TEST_CASE("an option that takes no value is not read with one") {
  Read to;
  CHECK(read({"--quick=yes"}, to).words == Words{"--quick=yes"});
  CHECK_FALSE(to.quick);
}

TEST_CASE("wrong options of every subcommand are answered in the same words") {
  CHECK(said_of({"occupancy"}) ==
        "warpfiber occupancy: --block is required\nwarpfiber occupancy --help lists the options\n");
  CHECK(said_of({"occupancy", "--block"}) ==
        "warpfiber occupancy: option '--block' needs a value\nwarpfiber occupancy --help lists the options\n");
  CHECK(
      said_of({"occupancy", "--block", "x"}) ==
      "warpfiber occupancy: --block x: a number from 1 to 4294967295\nwarpfiber occupancy --help lists the options\n");
  CHECK(said_of({"devices", "--frobnicate"}) ==
        "warpfiber devices: unknown option '--frobnicate'\nwarpfiber devices --help lists the options\n");
  CHECK(said_of({"devices", "--seeds", "3"}) ==
        "warpfiber devices: '--seeds' is an option of warpfiber check, not of this command\n"
        "warpfiber devices --help lists the options\n");
  CHECK(said_of({"explain", "trap", "assert"}) ==
        "warpfiber explain: 'assert' is an unexpected argument\nwarpfiber explain --help lists the options\n");
  CHECK(said_of({"help", "run", "check"}) ==
        "warpfiber help: 'check' is an unexpected argument\nwarpfiber help --help lists the options\n");
}

TEST_CASE("help is answered whatever else is wrong, and words behind the dashes are no options") {
  CHECK(command({"occupancy", "--frobnicate", "--help"}).out == command({"help", "occupancy"}).out);
  CHECK(command({"devices", "--", "H200"}).out == command({"devices", "H200"}).out);
  CHECK(command({"devices", "--", "--help"}).status == 1);
}

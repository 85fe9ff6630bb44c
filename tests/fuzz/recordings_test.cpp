// SPDX-License-Identifier: Apache-2.0
//
// Files of recordings and of outcomes: written, read, and refused where they are damaged.
#include "tools/fuzz/recordings.hpp"

#include <zlib.h>

#include <fstream>

#include "fuzz/support.hpp"
#include "tools/fuzz/outcomes.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/processes/scratch.hpp"

using namespace fuzz_test;
using Catch::Matchers::ContainsSubstring;
using warpfiber::tools::nvcc::content_of;
using warpfiber::tools::nvcc::ScratchFolder;

namespace {

std::string refused(const std::string& content) {
  const ScratchFolder folder;
  const std::string path = folder.path() + "/file.rec";
  std::ofstream(path, std::ios::binary) << content;
  Recordings recordings;
  return read_recordings(path, recordings);
}

/// With the checksum behind it.
std::string summed(std::string content) {
  const auto sum = crc32(0, reinterpret_cast<const Bytef*>(content.data()), uInt(content.size()));
  for (unsigned i = 0; i < 4; ++i) content.push_back(char(sum >> 8 * i & 0xff));
  return content;
}

std::string with(const std::string& seed, const std::string& programs) {
  return "warpfiber fuzz recordings 2\ndevice D\ndriver 1\ntoolkit T\nseed " + seed + "\nprograms " + programs + "\n\n";
}

}  // namespace

TEST_CASE("recordings are read as they were written, also programs without a result") {
  const ScratchFolder folder;
  const std::string path = folder.path() + "/file.rec";
  Recordings written{"a device", "1.2", "CUDA 13.0", 7, {{0x0123456789abcdef, 0xfedc, {1, 0xffff}}, {1, 2, {}}}};
  REQUIRE(write_recordings(path, written));
  Recordings read;
  REQUIRE(read_recordings(path, read).empty());
  CHECK(read.device == written.device);
  CHECK(read.driver == written.driver);
  CHECK(read.toolkit == written.toolkit);
  REQUIRE(read.programs.size() == 2);
  CHECK(read.of(7).digest == 0x0123456789abcdef);
  CHECK(read.of(7).program == 0xfedc);
  CHECK(read.of(7).nodes == std::vector<std::uint16_t>{1, 0xffff});
  CHECK_FALSE(read.of(8).has_result());
  CHECK_FALSE(read.has(6));
  CHECK_FALSE(read.has(9));
  CHECK_FALSE(write_recordings(folder.path() + "/nowhere/file.rec", written));
}

TEST_CASE("damaged recordings are refused, and it is said how") {
  CHECK(refused(summed(with("1", "0"))).empty());
  CHECK_THAT(refused(""), ContainsSubstring("is not a file of recordings"));
  CHECK_THAT(refused("something else\n"), ContainsSubstring("is not a file of recordings"));
  CHECK_THAT(refused("warpfiber fuzz recordings 1\n"), ContainsSubstring("another version of Warpfiber wrote it"));
  for (const char* const number : {"", "x", "-1", "1x", "99999999999999999999"}) {
    CHECK_THAT(refused(summed(with(number, "0"))), ContainsSubstring("is not a file of recordings"));
    CHECK_THAT(refused(summed(with("1", number))), ContainsSubstring("is not a file of recordings"));
  }
  CHECK_THAT(refused(summed(with("1", "18446744073709551615"))), ContainsSubstring("ends before its last program"));
  CHECK_THAT(refused(summed(with("1", "1") + std::string(10, 'x') + "\xff")), ContainsSubstring("ends before"));
  CHECK_THAT(refused(summed(with("1", "0") + "x")), ContainsSubstring("has data after its last program"));
  Recordings none;
  CHECK_THAT(read_recordings("/nowhere/file.rec", none), ContainsSubstring("cannot be read"));
}

TEST_CASE("no changed bit of recordings goes unseen, and no end that is missing") {
  const ScratchFolder folder;
  const std::string path = folder.path() + "/file.rec";
  REQUIRE(write_recordings(path, {"D", "1", "T", 7, {{5, 6, {1, 0xffff}}, {1, 2, {}}}}));
  const std::string whole = content_of(path);
  REQUIRE(refused(whole).empty());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    CAPTURE(at);
    CHECK_FALSE(refused(whole.substr(0, at)).empty());
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string changed = whole;
      changed[at] = char(changed[at] ^ 1 << bit);
      CHECK_FALSE(refused(changed).empty());
    }
  }
}

TEST_CASE("the recordings that ship are as they would be written, and damage to them is refused") {
  const ScratchFolder folder;
  const std::string path = folder.path() + "/file.rec";
  REQUIRE(write_recordings(path, shipped()));
  const std::string whole = content_of(WARPFIBER_FUZZ_RECORDINGS);
  CHECK(content_of(path) == whole);
  CHECK_THAT(refused(whole.substr(0, whole.size() - 1)), ContainsSubstring("is damaged"));
  for (const std::size_t at : {std::size_t(200), whole.size() / 2, whole.size() - 1}) {
    std::string changed = whole;
    changed[at] = char(changed[at] ^ 1);
    CHECK_THAT(refused(changed), ContainsSubstring("is damaged: its checksum does not match its contents"));
  }
}

TEST_CASE("outcomes are read as they were written, and refused where they end too early") {
  const ScratchFolder folder;
  const std::string path = folder.path() + "/outcomes";
  Outcome outcome;
  outcome.digest = 5;
  outcome.threads = {{{1, 2}, {3, 4}}, {}};
  Outcome failed;
  failed.error = "unspecified launch failure";
  REQUIRE(write_outcomes(path, {outcome, failed}));
  std::vector<Outcome> read;
  REQUIRE(read_outcomes(path, read).empty());
  REQUIRE(read.size() == 2);
  CHECK(read[0].digest == 5);
  REQUIRE(read[0].threads.size() == 2);
  CHECK(read[0].threads[0][1].node == 4);
  CHECK(read[1].error == failed.error);

  const std::string whole = content_of(path);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    std::ofstream(path, std::ios::binary) << whole.substr(0, size);
    std::vector<Outcome> cut;
    REQUIRE_THAT(read_outcomes(path, cut), ContainsSubstring("ends too early"));
  }
}

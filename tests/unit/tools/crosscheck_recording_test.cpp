// SPDX-License-Identifier: Apache-2.0
//
// Recordings: what is written is read, and no damage goes unseen.
#include "tools/crosscheck/recording.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <warpfiber/crosscheck/copy_log.hpp>

#include "support/catch.hpp"
#include "tools/crosscheck/explain.hpp"

using Catch::Matchers::ContainsSubstring;
using namespace warpfiber::tools::crosscheck;
namespace crosscheck = warpfiber::crosscheck;
namespace fs = std::filesystem;

namespace {

/// A file that goes with the test.
class File {
 public:
  explicit File(const char* name) : path_(fs::temp_directory_path() / fmt::format("warpfiber-{}-{}", getpid(), name)) {}
  ~File() { fs::remove(path_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  std::string path() const { return path_.string(); }
  void write(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }
  std::string read() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  fs::path path_;
};

/// Two copies, the second of 2 rows of 4 bytes that lie 6 apart, and managed memory.
std::string some_copies() {
  const File file("copies");
  crosscheck::CopyLog log;
  REQUIRE(log.open(file.path().c_str()));
  const float numbers[] = {1, 2.5F};
  const char rows[] = "abcd--efgh";
  log.write({"copy", log.number_copy(), "cudaMemcpy", "float", "my app.cu:12"}, {numbers, sizeof numbers, 1, 1, 0, 0});
  log.note("writer saxpy at a.cu:3, thread 1");
  log.write({"managed", log.number_managed(), "cudaMallocManaged", "-", "-"}, {rows, 3, 1, 1, 0, 0});
  log.write({"copy", log.number_copy(), "cudaMemcpy2D", "-", "-"}, {rows, 4, 2, 1, 6, 0});
  return file.read();
}

std::string framed(const std::string& head, const std::string& rest) {
  std::string text = "warpfiber-recording 1\n" + head + "\n" + rest + "\nend ";
  return text + fmt::format("{:016x}\n", crosscheck::hash_of(text.data(), text.size()));
}

std::string a_recording(const std::string& output, const std::string& copies) {
  const std::string head = fmt::format(
      "{{\"program\": \"app\", \"source\": \"1\", \"options\": \"-DN=3\", \"arguments\": [\"7\"], \"device\": \"NVIDIA "
      "H200\", \"capability\": \"9.0\", \"driver\": \"(CUDA 13.0)\", \"toolkit\": \"13.0\", \"exit_code\": 3, "
      "\"stdout_bytes\": {}, \"copies_bytes\": {}}}",
      output.size(), copies.size());
  return framed(head, output + copies);
}

}  // namespace

TEST_CASE("copies are read as they were written, those of managed memory last") {
  const auto copies = parse_copies(some_copies());
  REQUIRE(copies.ok());
  REQUIRE(copies.value().size() == 3);
  const Copy& first = copies.value()[0];
  CHECK(first.function == "cudaMemcpy");
  CHECK(first.type == "float");
  CHECK(first.place == "my app.cu:12");
  CHECK(first.writer == "saxpy at a.cu:3, thread 1");
  CHECK(first.extent() == 8);
  CHECK(copies.value()[1].bytes == "abcdefgh");
  CHECK(copies.value()[1].place.empty());
  CHECK(copies.value()[2].managed);
  CHECK(copies.value()[2].bytes == "abc");
}

TEST_CASE("copies that end early are an error, wherever they end") {
  const std::string whole = some_copies();
  std::size_t readable = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) readable += parse_copies(whole.substr(0, size)).ok() ? 1 : 0;
  // Only where one copy, or its note, has just ended.
  CHECK(readable == 4);
}

TEST_CASE("of a large copy the beginning is stored, and the hash is of all") {
  const File file("large");
  crosscheck::CopyLog log;
  REQUIRE(log.open(file.path().c_str()));
  log.keep(3);
  log.write({"copy", 1, "cudaMemcpy", "-", "-"}, {"abcdef", 6, 1, 1, 0, 0});
  const auto copies = parse_copies(file.read());
  REQUIRE(copies.ok());
  CHECK(copies.value()[0].bytes == "abc");
  CHECK(copies.value()[0].extent() == 6);
  CHECK(copies.value()[0].hash == crosscheck::hash_of("abcdef", 6));
}

TEST_CASE("a recording is read as it was written, compressed or not") {
  const File file("recording");
  file.write(a_recording("hello\n", some_copies()));
  for (const bool compressed : {false, true}) {
    CAPTURE(compressed);
    if (compressed) REQUIRE(compress_file(file.path()));
    const auto read = read_recording(file.path());
    REQUIRE(read.error().empty());
    CHECK(read.value().program == "app");
    CHECK(read.value().options == "-DN=3");
    CHECK(read.value().arguments == std::vector<std::string>{"7"});
    CHECK(read.value().exit_code == 3);
    CHECK(read.value().output == "hello\n");
    CHECK(read.value().copies.size() == 3);
  }
}

TEST_CASE("of the recordings in a file the one of the program and its arguments is read") {
  const File file("recordings");
  const std::string first = a_recording("first\n", some_copies());
  const std::string other =
      framed(R"({"program": "other", "source": "", "options": "", "arguments": ["7"], "device": "", )"
             R"("capability": "", "driver": "", "toolkit": "", "exit_code": 0, )"
             R"("stdout_bytes": 0, "copies_bytes": 0})",
             "");
  file.write(first + other + a_recording("second\n", ""));
  CHECK(read_recording_of(file.path(), "app", {"7"}).value().output == "first\n");
  CHECK_THAT(read_recording_of(file.path(), "app", {"8"}).error(), ContainsSubstring("no such recording in it"));
  file.write(first + "warpfiber-recording 1\n{}\n");
  CHECK(read_recording_of(file.path(), "app", {"7"}).ok());
  CHECK_THAT(read_recording_of(file.path(), "other", {"7"}).error(), ContainsSubstring("second line"));
}

TEST_CASE("no changed byte of a recording goes unseen") {
  const std::string whole = a_recording("hello\n", some_copies());
  REQUIRE(parse_recording(whole).ok());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    CAPTURE(at);
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    CHECK_FALSE(parse_recording(changed).ok());
    CHECK_FALSE(parse_recording(whole.substr(0, at)).ok());
  }
}

TEST_CASE("no changed byte of a compressed recording changes what is read") {
  const File file("compressed");
  const std::string whole = a_recording("hello\n", some_copies());
  file.write(whole);
  REQUIRE(compress_file(file.path()));
  const std::string packed = file.read();
  for (std::size_t at = 10; at < packed.size(); ++at) {  // behind gzip's own head, which tells a name and a time
    std::string changed = packed;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    file.write(changed);
    const auto read = read_recording(file.path());
    // The bits that fill up the last byte say nothing.
    CHECK((!read.ok() || at == packed.size() - 9));
    if (read.ok()) CHECK(read.value().output == "hello\n");
  }
}

TEST_CASE("sizes and exit codes of a recording are whole numbers, and not larger than it") {
  const std::string whole = a_recording("hello\n", "");
  const std::string head = whole.substr(whole.find('{'), whole.find('}') - whole.find('{') + 1);
  const auto refused = [&head](const std::string& key, const std::string& value) {
    std::string changed = head;
    const std::size_t at = changed.find(key) + key.size() + 3;
    changed.replace(at, changed.find_first_of(",}", at) - at, value);
    return !parse_recording(framed(changed, "hello\n")).ok();
  };
  CHECK_FALSE(refused("stdout_bytes", "6"));
  for (const char* const value : {"18446744073709551615215", "6.5", "-1", "\"6\"", "18446744073709551615"}) {
    INFO(value);
    CHECK(refused("stdout_bytes", value));
    CHECK(refused("copies_bytes", value));
  }
  CHECK(refused("exit_code", "1e300"));
}

TEST_CASE("what is wrong with a recording is said") {
  CHECK_THAT(read_recording("/nowhere/a.recording").error(), ContainsSubstring("there is no such recording"));
  CHECK_THAT(parse_recording("something else").error(), ContainsSubstring("is not a recording"));
  CHECK_THAT(parse_recording("warpfiber-recording 9\n{}\n").error(), ContainsSubstring("another version"));
  CHECK_THAT(parse_recording(framed("{}", "")).error(), ContainsSubstring("second line"));
}

TEST_CASE("a recording's name distinguishes arguments") {
  CHECK(recording_name("app", {}) == "app.recording");
  CHECK(recording_name("app", {"1", "2"}) != recording_name("app", {"12"}));
  CHECK(recording_name("app", {"1"}) != recording_name("app", {}));
}

namespace {

Copy a_copy(std::uint64_t ordinal, const std::string& bytes, const char* type) {
  Copy copy;
  copy.ordinal = ordinal;
  copy.function = "cudaMemcpy";
  copy.width = bytes.size();
  copy.rows = 1;
  copy.slices = 1;
  copy.bytes = bytes;
  copy.type = type;
  copy.hash = crosscheck::hash_of(bytes.data(), bytes.size());
  return copy;
}

RunResult a_run() {
  return {0, "sum 4\n", {a_copy(1, "abcd", "uint8"), a_copy(2, "efgh", "uint8")}};
}

}  // namespace

TEST_CASE("equal runs are equal, and every kind of difference is found") {
  const RunResult base = a_run();
  CHECK(compare(base, base, {}, {4, false}).equal);
  CHECK(compare(base, base, {}, {4, false}).copies == 2);
  RunResult ended = base;
  ended.exit_code = 139;
  CHECK_THAT(compare(base, ended, {}, {4, false}).differences.at(0), ContainsSubstring("139, as after signal 11"));
  ended.exit_code = 250;
  CHECK_THAT(compare(base, ended, {}, {4, false}).differences.at(0), ContainsSubstring("the GPU's with exit code 250"));
  RunResult printed = base;
  printed.output = "sum 5\n";
  CHECK_THAT(compare(base, printed, {}, {4, false}).differences.at(0), ContainsSubstring("line 1"));
  RunResult first = base;
  RunResult second = base;
  first.output = "block 1\nblock 0\n";
  second.output = "block 0\nblock 1\n";
  CHECK_FALSE(compare(first, second, {}, {4, false}).equal);
  CHECK_THAT(compare(first, second, {}, {4, false}).differences.at(0), ContainsSubstring("--any-order allows that"));
  CHECK(compare(first, second, {}, {4, true}).equal);
  CHECK_THAT(summary(compare(first, second, {}, {4, true})), ContainsSubstring("lines in another order"));
  RunResult shorter = base;
  shorter.copies.pop_back();
  CHECK_THAT(compare(base, shorter, {}, {4, false}).differences.at(0),
             ContainsSubstring("copied 2 buffers to the host"));
  RunResult longer = base;
  longer.copies[1] = a_copy(2, "efghi", "uint8");
  CHECK_FALSE(compare(base, longer, {}, {4, false}).equal);
}

TEST_CASE("the first different copy is told with its element, both values and how many differ") {
  RunResult other = a_run();
  other.copies[1] = a_copy(2, "eFgH", "uint8");
  const Comparison made = compare(a_run(), other, {}, {4, false});
  CHECK_FALSE(made.equal);
  REQUIRE(made.copy.has_value());
  CHECK(made.copy->ours.ordinal == 2);
  CHECK(made.copy->likeness.first == 1);
  CHECK_THAT(made.differences.at(0), ContainsSubstring("copy 2 (cudaMemcpy, 4 bytes) differs"));
  CHECK_THAT(made.differences.at(0), ContainsSubstring("element 1 of 4 (uint8): the simulator has 102, the GPU 70"));
  CHECK_THAT(made.differences.at(0), ContainsSubstring("2 differ"));
}

TEST_CASE("another order counts as equal where it is asked for, and only then") {
  RunResult other = a_run();
  other.copies[1] = a_copy(2, "hgfe", "uint8");
  CHECK_FALSE(compare(a_run(), other, {}, {4, false}).equal);
  const Comparison made = compare(a_run(), other, {}, {4, true});
  CHECK(made.equal);
  CHECK(made.reordered == 1);
}

TEST_CASE("a buffer of unknown type differs unless its type is named") {
  const float values[] = {3.25F, 1};
  const float others[] = {3.25F, std::nextafter(1.0F, 2.0F)};
  RunResult base = a_run();
  RunResult other = a_run();
  base.copies[1] = a_copy(2, {reinterpret_cast<const char*>(values), sizeof values}, "");
  other.copies[1] = a_copy(2, {reinterpret_cast<const char*>(others), sizeof others}, "");
  CHECK_THAT(compare(base, other, {}, {4, false}).differences.at(0),
             ContainsSubstring("if these are floats, they are up to 1 ULP apart: pass their type with --as float"));
  CHECK(compare(base, other, {}, {4, false, "float"}).equal);
  CHECK(compare(base, other, {}, {4, false, "float"}).tolerated == 1);
  CHECK_FALSE(compare(base, other, {}, {4, false, "int32"}).equal);
}

TEST_CASE("a difference behind what is stored is found by the hash") {
  RunResult other = a_run();
  RunResult base = a_run();
  base.copies[1].width = other.copies[1].width = 1000;
  other.copies[1].hash ^= 1;
  CHECK_THAT(compare(base, other, {}, {4, false}).differences.at(0), ContainsSubstring("after the first 4 bytes"));
}

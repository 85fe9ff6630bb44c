// SPDX-License-Identifier: Apache-2.0
//
// Device models from files: what may stand in one, and that everything wrong with one is told with its line, the field,
// the value and what is allowed.
#include <cstdio>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <warpfiber/device_file.hpp>

#include "device/fields.hpp"
#include "support/catch.hpp"

using Catch::Matchers::ContainsSubstring;
using warpfiber::DeviceLoad;
using warpfiber::DeviceModel;
using warpfiber::Error;
using warpfiber::find_device;
using warpfiber::parse_device;

namespace {

DeviceLoad parse(const std::string& text) {
  return parse_device(text, "gpu.json");
}

std::string complaint(const std::string& text) {
  const DeviceLoad load = parse(text);
  CHECK(load.error == Error::invalid_value);
  return load.message;
}

std::string list_text(const unsigned* items, unsigned count) {
  return fmt::format("[{}]", fmt::join(items, items + count, ","));
}

// A file that gives every field, as docs/devices.md describes it.
std::string whole_file(DeviceModel model) {
  std::string text = fmt::format(R"({{"name": "{}", "full_name": "{}", "global_bytes": {})", model.name,
                                 model.full_name, model.global_bytes);
  for (const auto& field : warpfiber::device::number_fields())
    text += fmt::format(", \"{}\": {}", field.key, model.*field.at);
  for (const auto& field : warpfiber::device::flag_fields())
    text += fmt::format(", \"{}\": {}", field.key, model.*field.at);
  for (const auto& field : warpfiber::device::list_fields())
    text += fmt::format(", \"{}\": {}", field.key, list_text(field.items(model), model.*field.count));
  return text + "}";
}

void check_same(DeviceModel a, DeviceModel b) {
  CHECK(std::string(a.name) == b.name);
  CHECK(std::string(a.full_name) == b.full_name);
  CHECK(a.global_bytes == b.global_bytes);
  for (const auto& field : warpfiber::device::number_fields()) {
    CAPTURE(field.key);
    CHECK(a.*field.at == b.*field.at);
  }
  for (const auto& field : warpfiber::device::flag_fields()) CHECK(a.*field.at == b.*field.at);
  for (const auto& field : warpfiber::device::list_fields())
    CHECK(list_text(field.items(a), a.*field.count) == list_text(field.items(b), b.*field.count));
}

// A file in the folder of the test, removed at the end.
class File {
 public:
  explicit File(const std::string& text) : path_("device_file_test.json") { std::ofstream(path_) << text; }
  ~File() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

TEST_CASE("every built-in model can be written as a file and read back") {
  for (const DeviceModel& model : warpfiber::device_models()) {
    const DeviceLoad load = parse(whole_file(model));
    INFO(load.message);
    REQUIRE(load.ok());
    check_same(load.model, model);
  }
}

TEST_CASE("a file that is based on a model changes only what it says") {
  const DeviceLoad load = parse(R"({
    // as small as a laptop's
    "name": "small H200", "based_on": "h200",
    "sm_count": 4, "shared_per_block_optin": 65536
  })");
  INFO(load.message);
  REQUIRE(load.ok());
  DeviceModel expected = *find_device("H200");
  expected.sm_count = 4;
  expected.shared_per_block_optin = 65536;
  expected.gpc_count = 0;
  std::snprintf(expected.name, sizeof expected.name, "small H200");
  std::snprintf(expected.full_name, sizeof expected.full_name, "small H200");
  check_same(load.model, expected);
}

TEST_CASE("a new amount of shared memory is one carve-out unless the file gives several") {
  const DeviceLoad load =
      parse(R"({"name": "x", "based_on": "H200", "shared_per_sm": 65536, "shared_per_block_optin": 64512})");
  INFO(load.message);
  REQUIRE(load.ok());
  CHECK(load.model.shared_carveout_count == 1);
  CHECK(load.model.shared_carveouts[0] == 65536);
}

TEST_CASE("a model is the same when it is written in full and read again") {
  for (const char* const fields : {"\"sm_count\": 4", "\"shared_per_sm\": 233472", "\"gpc_sms\": [100, 32]",
                                   "\"shared_carveouts\": [0, 233472]"}) {
    const DeviceLoad load = parse(fmt::format(R"({{"name": "mine", "based_on": "H200", {}}})", fields));
    INFO(load.message);
    REQUIRE(load.ok());
    CHECK(parse(whole_file(load.model)).model == load.model);
  }
}

TEST_CASE("a value may be nested as deep as anybody likes") {
  const std::string deep(200000, '[');
  const std::string ends(200000, ']');
  CHECK_THAT(complaint("{\"based_on\": \"H200\", \"name\": " + deep + ends + "}"),
             ContainsSubstring("allowed is a text"));
  CHECK_THAT(complaint(deep + ends), ContainsSubstring("a device file is one JSON object"));
}

TEST_CASE("a value out of range is told with its line, field, value and range") {
  CHECK(complaint("{\n\"name\": \"x\",\n\"based_on\": \"H200\",\n\"warp_size\": 0\n}") ==
        "gpu.json:4: warp_size is 0; allowed are whole numbers from 1 to 64");
  CHECK(complaint(R"({"name": "x", "based_on": "H200", "sm_count": -1})") ==
        "gpu.json:1: sm_count is -1; allowed are whole numbers from 1 to 65,536");
  CHECK(complaint(R"({"name": "x", "based_on": "H200", "sm_count": "four"})") ==
        "gpu.json:1: sm_count is \"four\"; allowed are whole numbers from 1 to 65,536");
  CHECK(complaint(R"({"name": "x", "based_on": "H200", "sm_count": 1.5})") ==
        "gpu.json:1: sm_count is 1.5; allowed are whole numbers from 1 to 65,536");
  CHECK(complaint(R"({"name": "x", "based_on": "H200", "ecc": 1})") ==
        "gpu.json:1: ecc is 1; allowed are true and false");
  CHECK_THAT(complaint(R"({"name": "x", "based_on": "H200", "global_bytes": 0})"),
             ContainsSubstring("global_bytes is 0; allowed are whole numbers from 1 to 1,125,899,906,842,624"));
  CHECK_THAT(complaint(R"({"name": "x", "based_on": "H200", "gpc_sms": [1, "a"]})"),
             ContainsSubstring("gpc_sms is [1,\"a\"]; allowed are up to 16 whole numbers from 0 to 65,536"));
  CHECK_THAT(complaint(R"({"name": "x", "based_on": "H200", "gpc_sms": 132})"), ContainsSubstring("gpc_sms is 132"));
}

TEST_CASE("unknown fields and models are told with the known ones") {
  CHECK_THAT(complaint(R"({"name": "x", "based_on": "H200", "warpsize": 32})"),
             ContainsSubstring("gpu.json:1: unknown field warpsize; known are name, full_name, based_on, ") &&
                 ContainsSubstring("warp_size"));
  CHECK_THAT(complaint("{\"name\": \"x\",\n\"based_on\": \"H300\"}"),
             ContainsSubstring("gpu.json:2: based_on is \"H300\"; known models are V100, RTX 8000, A100") &&
                 ContainsSubstring("B200, teaching"));
}

TEST_CASE("missing fields are listed") {
  CHECK(complaint(R"({"based_on": "H200"})") == "gpu.json: missing name");
  CHECK_THAT(complaint(R"({"name": "x", "sm_count": 4})"),
             ContainsSubstring("gpu.json: missing global_bytes, compute_major, ") &&
                 ContainsSubstring("give them, or name a model that has them in based_on") &&
                 !ContainsSubstring("sm_count"));
}

TEST_CASE("names must fit") {
  CHECK_THAT(complaint(R"({"name": "", "based_on": "H200"})"),
             ContainsSubstring("name is \"\"; allowed is a text of 1 to 63 bytes"));
  CHECK_THAT(complaint("{\"name\": \"" + std::string(64, 'x') + "\", \"based_on\": \"H200\"}"),
             ContainsSubstring("allowed is a text of 1 to 63 bytes"));
  CHECK_THAT(complaint(R"({"name": 7, "based_on": "H200"})"), ContainsSubstring("name is 7"));
}

TEST_CASE("fields that contradict one another are told with both") {
  CHECK(complaint(R"({"name": "x", "based_on": "H200", "max_threads_per_block": 4096})") ==
        "gpu.json:1: max_threads_per_block is 4,096; allowed is at most max_threads_per_sm, which is 2,048");
  CHECK_THAT(complaint(R"({"name": "x", "based_on": "H200", "shared_per_block_optin": 233472})"),
             ContainsSubstring("shared_per_block_optin is 233,472; with shared_reserved_per_block (1,024)"));
  CHECK_THAT(complaint(R"({"name": "x", "based_on": "H200", "shared_carveouts": [0, 65536]})"),
             ContainsSubstring("shared_carveouts is [0,65536]; allowed is an ascending list that ends in "
                               "shared_per_sm, which is 233,472"));
  CHECK_THAT(complaint(R"({"name": "x", "based_on": "H200", "gpc_sms": [16, 16]})"),
             ContainsSubstring("gpc_sms add up to 32; allowed is sm_count, which is 132"));
}

TEST_CASE("what is no JSON object is told with its place") {
  CHECK_THAT(complaint("{\n\"name\": \"x\",\n}"), ContainsSubstring("gpu.json: parse error at line 3"));
  CHECK_THAT(complaint(""), ContainsSubstring("gpu.json: parse error at line 1"));
  CHECK_THAT(complaint(R"({"sm_count": 1e999})"), ContainsSubstring("gpu.json: number overflow parsing '1e999'"));
  CHECK_THAT(complaint("{\"name\": \"\xff\"}"), ContainsSubstring("ill-formed UTF-8 byte"));
  CHECK(complaint("[1, 2]") == "gpu.json: a device file is one JSON object, this is array");
}

TEST_CASE("a device is chosen by name or by path") {
  const File file(R"({"name": "mine", "based_on": "A100"})");
  CHECK(std::string(warpfiber::choose_device("a100").model.name) == "A100");
  CHECK(std::string(warpfiber::choose_device(file.path()).model.name) == "mine");
  CHECK(std::string(warpfiber::choose_device("./" + file.path()).model.name) == "mine");
}

TEST_CASE("an unknown device name lists the known ones") {
  const DeviceLoad load = warpfiber::choose_device("H300");
  CHECK(load.error == Error::invalid_device);
  CHECK(load.message ==
        "no device model is called \"H300\"; known are V100, RTX 8000, A100, A100 80GB, RTX 3090, RTX 4090, H100, H100 "
        "PCIe, H200, B200, teaching, or the path of a device file");
}

TEST_CASE("a file that cannot be read is named with the reason") {
  const DeviceLoad missing = warpfiber::choose_device("no/such/gpu.json");
  CHECK(missing.error == Error::file_not_found);
  CHECK(missing.message == "device file no/such/gpu.json: No such file or directory");
  const DeviceLoad folder = warpfiber::load_device("/");
  CHECK(folder.error == Error::file_not_found);
  CHECK(folder.message == "device file /: Is a directory");
}

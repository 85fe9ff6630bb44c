// SPDX-License-Identifier: Apache-2.0
// Which devices a list leaves visible. Each row of the table was tried on a machine with two H200s (driver 580.159,
// CUDA 13.0), with the UUIDs of its GPUs; the numbers are those that were visible there, in the program's order.
#include <cctype>
#include <string>
#include <vector>

#include "process/settings/visible_devices.hpp"
#include "support/catch.hpp"

using warpfiber::process::all_devices;
using warpfiber::process::uuid_of;
using warpfiber::process::uuid_text;
using warpfiber::process::visible_devices;
using warpfiber::process::VisibleDevices;

namespace {

using Numbers = std::vector<int>;

struct ListRow {
  std::string list;
  Numbers visible;
};

const std::string kFirst = uuid_text(uuid_of(0));
const std::string kSecond = uuid_text(uuid_of(1));

std::string without_dashes(std::string uuid) {
  const std::size_t digits = std::string("GPU-").size();
  std::string plain = uuid.substr(0, digits);
  for (const char c : uuid.substr(digits)) plain += c == '-' ? std::string() : std::string(1, c);
  return plain;
}

std::string in_capitals(const std::string& uuid) {
  std::string changed = "GPU-";
  for (const char c : uuid.substr(changed.size())) changed += static_cast<char>(std::toupper(c));
  return changed;
}

}  // namespace

TEST_CASE("a list of numbers leaves its devices visible in its order, up to the first entry that is none") {
  const ListRow row = GENERATE(values<ListRow>({
      {"", {}},
      {"0", {0}},
      {"1", {1}},
      {"1,0", {1, 0}},
      {"0,1,2", {0, 1}},
      {"0,5,1", {0}},
      {"0,-1,1", {0}},
      {"-1", {}},
      {"9", {}},
      {"all", {}},
      {",0", {}},
      {"0,", {0}},
      {"0,,1", {0}},
      {"1,zz", {1}},
  }));
  CAPTURE(row.list);
  CHECK(visible_devices(row.list, 2).numbers == row.visible);
}

TEST_CASE("a number is read as strtoul() reads it, and its low 32 bits count") {
  const ListRow row = GENERATE(values<ListRow>({
      {" 1", {1}},
      {"\t1", {1}},
      {"1 ,0", {1, 0}},
      {"0, 1", {0, 1}},
      {"1abc", {1}},
      {"0x1", {0}},
      {"01", {1}},
      {"+1", {1}},
      {"1.5", {1}},
      {"1e0", {1}},
      {"0;1", {0}},
      {"0 1", {0}},
      {"--1", {}},
      {"- 1", {}},
      {"4294967296", {0}},
      {"-4294967295", {1}},
      {"18446744073709551617", {}},
  }));
  CAPTURE(row.list);
  CHECK(visible_devices(row.list, 2).numbers == row.visible);
}

TEST_CASE("a UUID may be abbreviated, in capitals and without dashes; nothing after a whole one counts") {
  const std::string tail = kSecond.substr(0, kSecond.size() - 1);
  const ListRow row = GENERATE_COPY(values<ListRow>({
      {kFirst, {0}},
      {kSecond + "," + kFirst, {1, 0}},
      {in_capitals(kSecond), {1}},
      {without_dashes(kSecond), {1}},
      {kSecond + "xyz", {1}},
      {kSecond + "-", {1}},
      {kSecond + "/0/0", {1}},
      {kFirst + "0", {0}},
      {tail, {}},  // that both begin with
      {"GPU-", {}},
      {"GPU", {}},
      {"GPU-z", {}},
      {"gpu-" + kFirst.substr(4), {}},
      {kFirst.substr(4), {}},
      {" " + kFirst, {}},
      {tail + " ", {}},
      {"MIG-" + kFirst, {}},
      {"MIG-" + kFirst + "/0/0", {}},
      {kFirst + ", " + kSecond, {0}},
      {kFirst + ",zz," + kSecond, {0}},
      {kFirst + "," + kSecond + ",GPU-", {0, 1}},
  }));
  CAPTURE(row.list);
  CHECK(visible_devices(row.list, 2).numbers == row.visible);
}

TEST_CASE("the first entry decides whether a list is of numbers or of UUIDs") {
  CHECK(visible_devices("0," + kSecond, 2).numbers == Numbers{0});
  CHECK(visible_devices(kFirst + ",1", 2).numbers == Numbers{0});
}

TEST_CASE("an abbreviated UUID is one that no other device begins with") {
  const std::string ten = uuid_text(uuid_of(0x10));
  const std::string digits = ten.substr(0, ten.size() - 1);  // 0x10 to 0x1f
  CHECK(visible_devices(digits, 0x11).numbers == Numbers{0x10});
  CHECK(visible_devices(digits, 0x12).numbers.empty());
}

TEST_CASE("a device that is named twice leaves none visible, unless the list has ended before") {
  const std::string list =
      GENERATE_COPY(values<std::string>({"0,0", "0,1,0", "1,1,5", "1,0,1,0", kFirst + "," + kFirst}));
  CAPTURE(list);
  CHECK(visible_devices(list, 2).named_twice);
  CHECK(visible_devices(list, 2).numbers.empty());
  const std::string ended = GENERATE(values<std::string>({"0,5,0", "0,-1,0", "0,9,1,1"}));
  CAPTURE(ended);
  CHECK_FALSE(visible_devices(ended, 2).named_twice);
  CHECK(visible_devices(ended, 2).numbers == Numbers{0});
}

TEST_CASE("a program sees all devices where nothing is said") {
  CHECK(all_devices(3).numbers == Numbers{0, 1, 2});
  CHECK_FALSE(all_devices(3).named_twice);
}

TEST_CASE("the UUID of a device has the form that nvidia-smi prints") {
  CHECK(uuid_text(uuid_of(0)) == "GPU-77617270-6669-6265-7200-000000000000");
  CHECK(uuid_text(uuid_of(63)) == "GPU-77617270-6669-6265-7200-00000000003f");
}

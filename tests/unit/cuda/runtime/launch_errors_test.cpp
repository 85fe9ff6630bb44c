// SPDX-License-Identifier: Apache-2.0
// Launches that are refused before anything runs: CUDA's code, and a message with the limit, the request and the
// device.
#include <functional>
#include <string>
#include <vector>

#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;
using Catch::Matchers::ContainsSubstring;

namespace {

struct Refusal {
  const char* name;
  LaunchConfig config;
  Error error;
  std::vector<std::string> said;
};

const Refusal kRefusals[] = {
    {"no blocks", {.grid = 0}, Error::invalid_value, {"grid of (0,1,1) has no blocks"}},
    {"no blocks along z", {.grid = {4, 4, 0}}, Error::invalid_value, {"grid of (4,4,0)"}},
    {"no threads", {.block = 0}, Error::invalid_value, {"block of (0,1,1) has no threads"}},
    {"no threads along y", {.block = {32, 0}}, Error::invalid_value, {"block of (32,0,1)"}},
    {"too many threads", {.block = 1025}, Error::invalid_value, {"1,025 threads", "H200 (model)", "1,024"}},
    {"far too many threads", {.block = 1'000'000}, Error::invalid_value, {"1,000,000 threads", "1,024"}},
    {"too many threads in all dimensions",
     {.block = {32, 32, 2}},
     Error::invalid_value,
     {"(32,32,2)", "2,048", "1,024"}},
    {"threads whose product wraps", {.block = {65536, 65536, 1}}, Error::invalid_value, {"(65536,65536,1)", "1,024"}},
    {"too long along z", {.block = {1, 1, 65}}, Error::invalid_value, {"(1,1,65)", "(1024,1024,64)"}},
    {"a grid too wide", {.grid = 2'147'483'648U}, Error::invalid_value, {"(2147483648,1,1)", "2147483647"}},
    {"a grid too high", {.grid = {1, 65'536}}, Error::invalid_value, {"(1,65536,1)", "65535"}},
    {"too much dynamic shared memory",
     {.dynamic_shared = 232'449},
     Error::invalid_value,
     {"232,449 bytes", "H200 (model)", "227 KiB"}},
    {"gigabytes of shared memory",
     {.dynamic_shared = std::size_t{2} << 30},
     Error::invalid_value,
     {"2 GiB", "227 KiB"}},
    {"a cluster without blocks",
     {.grid = 4, .cluster = {2, 0, 1}},
     Error::invalid_cluster_size,
     {"cluster of (2,0,1)"}},
    {"a cluster that does not divide the grid",
     {.grid = 5, .cluster = 2},
     Error::invalid_cluster_size,
     {"cluster of (2,1,1) does not divide the grid of (5,1,1)"}},
    {"a cluster too large",
     {.grid = 64, .cluster = 32},
     Error::invalid_cluster_size,
     {"32 blocks", "H200 (model)", "8"}},
    {"a cluster on a device without",
     {.grid = 4, .cluster = 2, .device = find_device("A100")},
     Error::invalid_cluster_size,
     {"A100", "does not support clusters"}},
    {"a cooperative grid too large",
     {.grid = 1000, .block = 1024, .cooperative = true},
     Error::cooperative_launch_too_large,
     {"1,000 blocks", "holds 264 at a time", "132"}},
    {"a cooperative grid too large for its shared memory",
     {.grid = 133, .dynamic_shared = 200'000, .cooperative = true},
     Error::cooperative_launch_too_large,
     {"133 blocks", "holds 132 at a time", "shared memory"}},
    {"too many registers",
     {.block = 1024, .registers = 128},
     Error::launch_out_of_resources,
     {"128 registers", "65,536"}},
    {"a warp too wide", {.warp_size = 65}, Error::invalid_value, {"a warp of 65 lanes", "1 to 64"}},
    {"an unknown policy", {.policy = "sideways"}, Error::invalid_value, {"sideways"}},
    {"a policy without its depth", {.policy = "pct:0"}, Error::invalid_value, {"pct"}},
    {"a recording that is not there", {.policy = "replay:/no/such/file"}, Error::invalid_value, {"/no/such/file"}},
    {"an unknown convergence",
     {.convergence = "sometimes"},
     Error::invalid_value,
     {"sometimes", "full, random, random-masks or none"}},
};

}  // namespace

TEST_CASE("a launch that asks for the impossible is refused with CUDA's code and a reason") {
  const Refusal& refusal = kRefusals[GENERATE(range(std::size_t{0}, std::size(kRefusals)))];
  CAPTURE(refusal.name);
  int runs = 0;
  const LaunchResult result = failed_launch(refusal.config, [&runs] { ++runs; });
  CHECK(runs == 0);
  CHECK(std::string(error_name(result.error())) == error_name(refusal.error));
  CHECK(std::string(result.finding()) == "launch-error");
  for (const std::string& text : refusal.said) CHECK_THAT(result.message(), ContainsSubstring(text));
  CHECK(last_error() == refusal.error);
}

TEST_CASE("a null kernel is refused") {
  void (*const kernel)(int*) = nullptr;
  const LaunchResult result = failed_launch({.grid = 2}, kernel, nullptr);
  CHECK(result.error() == Error::invalid_device_function);
  CHECK_THAT(result.message(), ContainsSubstring("null pointer"));
  last_error();
}

TEST_CASE("a grid of billions of blocks is not run as a few") {
  // 65,535 squared fits; 2^32 blocks of one thread would take too long, so it must end for another reason.
  std::vector<int> runs(1);
  const LaunchResult result = failed_launch({.grid = {2'147'483'647U, 2, 1}, .workers = 1}, [&runs] {
    if (++runs[0] == 1000) __trap();
  });
  CHECK(std::string(result.finding()) == "trap");
  CHECK(runs[0] == 1000);
  last_error();
}

TEST_CASE("the last error is told once, and success does not hide it") {
  last_error();
  failed_launch({.block = 0}, [] {});
  CHECK(last_error() == Error::invalid_value);
  CHECK(last_error() == Error::success);
}

TEST_CASE("results can be kept, copied and moved") {
  LaunchResult good = launch({}, [] {});
  LaunchResult bad = launch({.block = 0}, [] {});
  last_error();
  const std::string text = bad.message();
  CHECK(good.ok());
  CHECK(static_cast<bool>(good));
  CHECK(std::string(good.message()).empty());
  CHECK(std::string(good.finding()).empty());
  const LaunchResult copy = bad;
  good = bad;
  bad = LaunchResult();
  CHECK(bad.ok());
  CHECK(good.message() == text);
  const LaunchResult moved = std::move(good);
  CHECK(moved.message() == text);
  CHECK(copy.message() == text);
  CHECK(copy.error() == Error::invalid_value);
}

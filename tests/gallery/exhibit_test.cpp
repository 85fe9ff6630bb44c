// SPDX-License-Identifier: Apache-2.0
//
// The accounts an exhibit keeps: differences are told, failures stay failures, threads are counted.
#include "exhibit.hpp"

#include "support/catch.hpp"

using Catch::Matchers::ContainsSubstring;
using gallery::grouped;
using gallery::Record;
using gallery::Setting;
using gallery::Trial;

namespace {

__global__ void set_to_index(unsigned* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x * blockDim.x + threadIdx.x;
}

__global__ void trap() {
  __trap();
}

}  // namespace

TEST_CASE("numbers are grouped by thousands") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(grouped(1234567) == "1,234,567");
}

TEST_CASE("samples repeat and keep to their range") {
  const auto values = gallery::sample<int>(1000, 7, 10);
  CHECK(values == gallery::sample<int>(1000, 7, 10));
  CHECK(values != gallery::sample<int>(1000, 8, 10));
  for (const int value : values) CHECK((value >= 0 && value < 10));
}

TEST_CASE("equal arrays pass and the first difference is told") {
  Trial trial{Setting{}};
  CHECK(trial.compare<int>({1, 2, 3}, {1, 2, 3}).passed);
  const Record other = trial.compare<int>({1, 5, 3}, {1, 2, 4});
  CHECK(!other.passed);
  CHECK(other.result == "[1] 5");
  CHECK(other.reference == "[1] 2");
  const Record shorter = trial.compare<int>({1}, {1, 2});
  CHECK(!shorter.passed);
  CHECK(shorter.result == "[1] missing");
}

TEST_CASE("a trial counts the threads of its launches") {
  warpfiber::Buffer<unsigned> out(60);
  Trial trial{Setting{}};
  CHECK(trial.launch<set_to_index>({.grid = 3, .block = 20}, out.data()));
  CHECK(trial.launch<set_to_index>({.grid = 2, .block = 5}, out.data()));
  std::vector<unsigned> expected;
  for (unsigned i = 0; i < 60; ++i) expected.push_back(i);
  const Record record = trial.compare(out.download(), expected);
  CHECK(record.passed);
  CHECK(record.threads == 70);
}

TEST_CASE("a trial that failed launches nothing more and does not pass") {
  warpfiber::Buffer<unsigned> out(1);
  out.fill(7);
  Trial trial{Setting{}};
  CHECK(!trial.launch<trap>({.grid = 1, .block = 1}));
  CHECK(!trial.launch<set_to_index>({.grid = 1, .block = 1}, out.data()));
  CHECK(trial.failed());
  CHECK(out.download()[0] == 7);
  const Record record = trial.conclude("1", "1", true);
  CHECK(!record.passed);
  CHECK(record.result == "trap");
  CHECK_THAT(record.message, ContainsSubstring("trap"));
}

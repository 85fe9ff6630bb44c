// SPDX-License-Identifier: Apache-2.0
// Device memory as a value.
#include <new>
#include <numeric>
#include <vector>

#include "memory/global_heap.hpp"
#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

namespace {

std::vector<int> counting(std::size_t size) {
  std::vector<int> values(size);
  std::iota(values.begin(), values.end(), 1);
  return values;
}

}  // namespace

TEST_CASE("what is uploaded is what kernels see and what comes back") {
  const std::size_t size = GENERATE(std::size_t{1}, 100, 10'000);
  CAPTURE(size);
  Buffer<int> buffer(counting(size));
  CHECK(buffer.size() == size);
  CHECK(buffer.download() == counting(size));
  good_launch({.grid = static_cast<unsigned>((size + 63) / 64), .block = 64}, [data = buffer.data(), size] {
    const auto i = global_rank();
    if (i < size) data[i] *= 2;
  });
  std::vector<int> doubled = counting(size);
  for (int& value : doubled) value *= 2;
  CHECK(buffer.download() == doubled);
}

TEST_CASE("an upload never goes beyond the buffer") {
  Buffer<int> buffer(3);
  buffer.upload(counting(10));
  CHECK(buffer.download() == counting(3));
  buffer.fill(7);
  buffer.upload(std::vector<int>{1});
  CHECK(buffer.download() == std::vector<int>{1, 7, 7});
}

TEST_CASE("a buffer of nothing is a buffer") {
  Buffer<double> buffer(0);
  buffer.upload(std::vector<double>{});
  CHECK(buffer.size() == 0);
  CHECK(buffer.download().empty());
}

TEST_CASE("memory moves with its buffer and is freed once") {
  Buffer<int> first(counting(5));
  const int* const place = first.data();
  Buffer<int> second(std::move(first));
  CHECK(second.data() == place);
  Buffer<int> third(1);
  const int* const freed = third.data();
  third = std::move(second);
  CHECK(third.data() == place);
  CHECK(third.download() == counting(5));
  CHECK(memory::global_heap().find(place).has_value());
  CHECK_FALSE(memory::global_heap().find(freed).has_value());
}

TEST_CASE("memory that the host does not have is refused by an exception") {
  CHECK_THROWS_AS(Buffer<int>(std::size_t{1} << 60), std::bad_alloc);
  CHECK_THROWS_AS(Buffer<char>(~std::size_t{0}), std::bad_alloc);
  CHECK_THROWS_AS(Buffer<double>((std::size_t{1} << 61) + 1), std::bad_alloc);
  check_correct_launch();
}

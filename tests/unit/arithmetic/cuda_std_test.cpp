// SPDX-License-Identifier: Apache-2.0
//
// cuda::std in kernels: one use of every header, so that each is there and reaches the host's library.
#include <cuda/std/algorithm>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/bitset>
#include <cuda/std/cassert>
#include <cuda/std/cfloat>
#include <cuda/std/chrono>
#include <cuda/std/climits>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/concepts>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/cstdlib>
#include <cuda/std/cstring>
#include <cuda/std/ctime>
#include <cuda/std/functional>
#include <cuda/std/initializer_list>
#include <cuda/std/iterator>
#include <cuda/std/limits>
#include <cuda/std/memory>
#include <cuda/std/numbers>
#include <cuda/std/numeric>
#include <cuda/std/optional>
#include <cuda/std/ranges>
#include <cuda/std/ratio>
#include <cuda/std/source_location>
#include <cuda/std/span>
#include <cuda/std/string_view>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cuda/std/variant>
#include <cuda/std/version>

#include <warpfiber/warpfiber.hpp>

#include "support/catch.hpp"

namespace {

namespace stdc = cuda::std;

struct Answers {
  int largest, sum, ones, either, folded, elements, whole;
  double size, third;
  bool same_bytes, signed_zero;
};

template <stdc::integral T>
stdc::optional<T> half_of_even(T x) {
  return x % 2 == 0 ? stdc::optional<T>(x / 2) : stdc::nullopt;
}

int total(stdc::initializer_list<int> numbers) {
  return stdc::accumulate(stdc::begin(numbers), stdc::end(numbers), 0, stdc::plus<int>());
}

void ask(Answers* out) {
  stdc::array<int, 4> numbers{4, 2, 3, 1};
  const stdc::span<int> view(numbers);
  stdc::variant<int, float> either = 2.5F;
  const auto pair = stdc::make_tuple(stdc::int32_t{7}, stdc::size_t{1});
  const float bytes = 1;
  float copy = 0;
  stdc::memcpy(&copy, stdc::addressof(bytes), sizeof(copy));
  assert(stdc::abs(-1) == 1);
  stdc::sort(view.begin(), view.end());
  out->largest = stdc::max(view.back(), half_of_even(6).value_or(0));
  out->sum = total({1, 2, 3});
  out->ones = static_cast<int>(stdc::bitset<8>(stdc::popcount(255U)).count());
  out->either = static_cast<int>(either.index());
  out->folded = stdc::get<0>(pair) + INT_MAX % 2;
  out->elements =
      static_cast<int>(stdc::ranges::count(numbers, 3)) + static_cast<int>(stdc::string_view("four").size());
  out->whole = static_cast<int>(stdc::chrono::milliseconds(stdc::chrono::seconds(2)).count());
  out->size = stdc::norm(stdc::complex<double>(3, 4)) + stdc::numbers::pi - stdc::numbers::pi;
  out->third = static_cast<double>(stdc::ratio<2, 6>::num) / stdc::ratio<2, 6>::den;
  out->same_bytes = copy == bytes && stdc::is_same_v<decltype(copy), float>;
  out->signed_zero = stdc::signbit(-0.0F) && stdc::numeric_limits<float>::digits == FLT_MANT_DIG;
}

}  // namespace

TEST_CASE("kernels use the host's library as cuda::std") {
  warpfiber::Buffer<Answers> answers(1);
  REQUIRE(warpfiber::launch({.grid = 1, .block = 1}, ask, answers.data()));
  const Answers got = answers.download()[0];
  CHECK(got.largest == 4);
  CHECK(got.sum == 6);
  CHECK(got.ones == 1);
  CHECK(got.either == 1);
  CHECK(got.folded == 8);
  CHECK(got.elements == 5);
  CHECK(got.whole == 2000);
  CHECK(got.size == 25);
  CHECK(got.third == 1.0 / 3);
  CHECK(got.same_bytes);
  CHECK(got.signed_zero);
}

TEST_CASE("cuda::std has the host's types, not copies of them") {
  STATIC_REQUIRE(std::is_same_v<stdc::tuple<int>, std::tuple<int>>);
  STATIC_REQUIRE(std::is_same_v<stdc::clock_t, clock_t>);
  const auto here = stdc::source_location::current();
  CHECK(here.line() > 0);
  CHECK(stdc::exchange(*std::make_unique<int>(3), 4) == 3);
  CHECK(stdc::strtol("12", nullptr, 10) == 12);
}

// SPDX-License-Identifier: Apache-2.0
// What of a straight-line kernel only the compiler can decide: whether its operators are the language's own.
#include <warpfiber/translated/kernels.hpp>

#include "support/catch.hpp"

namespace {

struct Number {
  float value;
};
enum class Choice { one };

template <bool kSaid>
struct About {
  static constexpr bool is_straight_line() { return kSaid; }
};
struct AboutNothing {};

template <class About, class... Parameters>
bool runs_as_straight_line() {
  using Signature = void(Parameters...);
  const auto body = [](Parameters...) {};
  using Pack = warpfiber::cuda::detail::Packing<decltype(body), Signature, Signature,
                                                warpfiber::cuda::detail::is_straight_line<About>()>;
  return warpfiber::detail::kStraightLine<typename Pack::Closure>;
}

}  // namespace

TEST_CASE("a straight-line kernel takes numbers and pointers to numbers") {
  CHECK(runs_as_straight_line<About<true>>());
  CHECK(runs_as_straight_line<About<true>, int, float, const float*, float*>());
  CHECK(runs_as_straight_line<About<true>, const unsigned long long, const volatile char*, bool* const>());
  CHECK_FALSE(runs_as_straight_line<About<true>, Number>());
  CHECK_FALSE(runs_as_straight_line<About<true>, int, const Number*>());
  CHECK_FALSE(runs_as_straight_line<About<true>, Choice>());
  CHECK_FALSE(runs_as_straight_line<About<true>, void (*)(int)>());
}

TEST_CASE("a kernel is straight-line code only where the translator says so") {
  CHECK_FALSE(runs_as_straight_line<About<false>, int>());
  CHECK_FALSE(runs_as_straight_line<AboutNothing, int>());
}

// SPDX-License-Identifier: Apache-2.0
//
// Jumps along the sequences of cuRAND's pseudorandom generators, against as many single steps, and against each other
// where no number of steps would reach: n jumps of one length are one of n times that.
#include <warpfiber/cuda/curand/uniform.hpp>

#include "support/catch.hpp"

namespace {

template <class State>
State made(unsigned long long seed, unsigned long long subsequence, unsigned long long offset) {
  State state;
  curand_init(seed, subsequence, offset, &state);
  return state;
}

template <class State>
bool go_on_alike(State a, State b) {
  for (int i = 0; i < 20; ++i) {
    if (curand(&a) != curand(&b)) return false;
  }
  return true;
}

constexpr unsigned long long kHalf = 1ull << 63;
constexpr unsigned long long kLast = ~0ull;

}  // namespace

TEMPLATE_TEST_CASE("an offset is as many numbers that are left out", "", curandStateXORWOW_t,
                   curandStatePhilox4_32_10_t, curandStateMRG32k3a_t) {
  auto stepped = made<TestType>(99, 7, 0);
  for (unsigned offset = 0; offset < 5000; ++offset) {
    if (offset < 70 || offset % 499 == 0) {
      INFO("offset " << offset);
      CHECK(go_on_alike(stepped, made<TestType>(99, 7, offset)));
    }
    curand(&stepped);
  }
}

TEMPLATE_TEST_CASE("jumps add up", "", curandStateXORWOW_t, curandStatePhilox4_32_10_t, curandStateMRG32k3a_t) {
  const unsigned long long n = GENERATE(1ull, 5ull, 31ull, 32ull, 1000003ull, (1ull << 40) + 77, kHalf - 1);
  auto twice = made<TestType>(5, 3, 1);
  auto once = twice;
  skipahead(n, &twice);
  skipahead(n, &twice);
  skipahead(2 * n, &once);
  CHECK(go_on_alike(twice, once));
  skipahead_sequence(n, &twice);
  skipahead_sequence(n, &twice);
  skipahead_sequence(2 * n, &once);
  CHECK(go_on_alike(twice, once));
}

TEST_CASE("2^67 numbers of XORWOW are one subsequence") {
  auto around = made<curandStateXORWOW_t>(77, 4, 0);
  for (int i = 0; i < 8; ++i) skipahead(kLast, &around);
  skipahead(8ull, &around);
  CHECK(go_on_alike(around, made<curandStateXORWOW_t>(77, 5, 0)));
}

TEST_CASE("2^66 numbers of Philox are one subsequence") {
  auto around = made<curandStatePhilox4_32_10_t>(77, 4, 0);
  for (int i = 0; i < 4; ++i) skipahead(kLast, &around);
  skipahead(4ull, &around);
  CHECK(go_on_alike(around, made<curandStatePhilox4_32_10_t>(77, 5, 0)));
}

TEST_CASE("2^76 numbers of MRG32k3a are one subsequence, and 2^127 a sequence") {
  auto around = made<curandStateMRG32k3a_t>(77, 4, 0);
  for (int i = 0; i < 1 << 13; ++i) skipahead(kHalf, &around);
  CHECK(go_on_alike(around, made<curandStateMRG32k3a_t>(77, 5, 0)));
  auto far = made<curandStateMRG32k3a_t>(77, 4, 0);
  auto farther = far;
  skipahead_subsequence(1ull << 51, &far);
  skipahead_sequence(1ull, &farther);
  CHECK(go_on_alike(far, farther));
}

TEST_CASE("Philox makes four numbers from any place in a group") {
  for (unsigned offset = 0; offset < 9; ++offset) {
    auto one = made<curandStatePhilox4_32_10_t>(42, 1, offset);
    auto four = one;
    for (int i = 0; i < 5; ++i) {
      const uint4 numbers = curand4(&four);
      CHECK(numbers.x == curand(&one));
      CHECK(numbers.y == curand(&one));
      CHECK(numbers.z == curand(&one));
      CHECK(numbers.w == curand(&one));
    }
  }
}

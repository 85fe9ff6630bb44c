// SPDX-License-Identifier: Apache-2.0
//
// jump_mrg32k3a of <warpfiber/cuda/curand/jumps.hpp>: the powers 2^0 to 2^190 of the matrices of both recurrences,
// which the compiler computes. Called by kernels and host code through that header only.
#include <warpfiber/cuda/curand/mrg32k3a.hpp>

#include <array>
#include <cstdint>

namespace warpfiber::random {
namespace {

constexpr unsigned kPowers = 127 + 64;

using Matrix = std::array<std::array<std::uint32_t, 3>, 3>;
using MatrixPowers = std::array<Matrix, kPowers>;

template <std::uint64_t kModulus>
constexpr Matrix square(const Matrix& a) {
  Matrix result{};
  for (unsigned row = 0; row < 3; ++row) {
    for (unsigned column = 0; column < 3; ++column) {
      std::uint64_t sum = 0;
      for (unsigned k = 0; k < 3; ++k) {
        sum = (sum + std::uint64_t{a[row][k]} * a[k][column] % kModulus) % kModulus;
      }
      result[row][column] = static_cast<std::uint32_t>(sum);
    }
  }
  return result;
}

template <std::uint64_t kModulus>
constexpr MatrixPowers powers_of(const Matrix& matrix) {
  MatrixPowers powers{matrix};
  for (unsigned i = 1; i < kPowers; ++i) powers[i] = square<kModulus>(powers[i - 1]);
  return powers;
}

// The next number of a recurrence from the last three, oldest first.
constexpr MatrixPowers kFirst = powers_of<kModulus1>({{{0, 1, 0}, {0, 0, 1}, {kModulus1 - 810728, 1403580, 0}}});
constexpr MatrixPowers kSecond = powers_of<kModulus2>({{{0, 1, 0}, {0, 0, 1}, {kModulus2 - 1370589, 0, 527612}}});

template <std::uint64_t kModulus>
void multiply(const Matrix& matrix, std::uint32_t (&state)[3]) {
  std::uint32_t next[3];
  for (unsigned row = 0; row < 3; ++row) {
    const std::uint64_t rest =
        std::uint64_t{matrix[row][0]} * state[0] % kModulus + std::uint64_t{matrix[row][1]} * state[1] % kModulus;
    next[row] = static_cast<std::uint32_t>((rest + std::uint64_t{matrix[row][2]} * state[2] % kModulus) % kModulus);
  }
  for (unsigned row = 0; row < 3; ++row) state[row] = next[row];
}

}  // namespace

void jump_mrg32k3a(unsigned int (&first)[3], unsigned int (&second)[3], unsigned long long count,
                   unsigned int exponent) noexcept {
  for (unsigned i = exponent; count != 0; ++i, count >>= 1) {
    if ((count & 1) == 0) continue;
    multiply<kModulus1>(kFirst[i], first);
    multiply<kModulus2>(kSecond[i], second);
  }
}

}  // namespace warpfiber::random

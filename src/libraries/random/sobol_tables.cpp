// SPDX-License-Identifier: Apache-2.0
//
// The recurrence of Bratley and Fox ("Algorithm 659: implementing Sobol's quasirandom sequence generator", ACM TOMS 14,
// 1988) over the tables of Boost.Random. Numbers of 32 bits are the upper halves of those of 64.
#include "random/sobol_tables.hpp"

#include <warpfiber/cuda/curand/philox.hpp>

#include <boost/random/detail/sobol_table.hpp>

#include <array>
#include <bit>
#include <vector>

namespace warpfiber::random {
namespace {

using BoostTable = boost::random::detail::qrng_tables::sobol;
using Row32 = unsigned int[32];
using Row64 = unsigned long long[64];

constexpr unsigned kBits = 64;

template <class Row>
struct DirectionTable {
  std::vector<std::array<std::remove_extent_t<Row>, std::extent_v<Row>>> rows{kSobolRows};

  const Row* begin() const { return reinterpret_cast<const Row*>(rows.data()); }
};

using Directions = std::array<unsigned long long, kBits>;

/// The direction numbers of a dimension, from 1 on, that belong to a polynomial.
Directions directions_of(std::size_t dimension) {
  const unsigned long long polynomial = BoostTable::polynomial(dimension - 1);
  const unsigned degree = static_cast<unsigned>(std::bit_width(polynomial)) - 1;
  Directions numbers{};
  for (unsigned i = 0; i < kBits; ++i) {
    if (i < degree) {
      numbers[i] = static_cast<unsigned long long>(BoostTable::minit(dimension - 1, i)) << (kBits - 1 - i);
      continue;
    }
    numbers[i] = numbers[i - degree] ^ numbers[i - degree] >> degree;
    for (unsigned k = 1; k < degree; ++k) {
      if ((polynomial >> (degree - k) & 1) != 0) numbers[i] ^= numbers[i - k];
    }
  }
  return numbers;
}

DirectionTable<Row64> plain_table() {
  DirectionTable<Row64> table;
  for (unsigned i = 0; i < kBits; ++i) table.rows[0][i] = 1ull << (kBits - 1 - i);
  for (std::size_t dimension = 1; dimension < kSobolDimensions; ++dimension) {
    table.rows[dimension] = directions_of(dimension);
  }
  return table;
}

/// 64 random bits for a place in a table. Scrambles are the same in every process.
unsigned long long scramble_bits(std::size_t row, unsigned place) {
  const uint4 bits = philox({place, static_cast<unsigned>(row), 0, 0}, {0x534f424f, 0x4c363400});
  return static_cast<unsigned long long>(bits.x) << 32 | bits.y;
}

/// A triangular matrix with ones on its diagonal: a bit of a number changes lower ones only. Columns, highest bit
/// first.
Directions scramble_matrix(std::size_t row) {
  Directions columns{};
  for (unsigned i = 0; i < kBits; ++i) {
    const unsigned long long bit = 1ull << (kBits - 1 - i);
    columns[i] = bit | (scramble_bits(row, i) & (bit - 1));
  }
  return columns;
}

unsigned long long product(const Directions& columns, unsigned long long number) {
  unsigned long long sum = 0;
  for (unsigned i = 0; i < kBits; ++i) {
    if ((number >> (kBits - 1 - i) & 1) != 0) sum ^= columns[i];
  }
  return sum;
}

const DirectionTable<Row64>& plain_directions() {
  static const DirectionTable<Row64> table = plain_table();
  return table;
}

DirectionTable<Row64> scrambled_table() {
  DirectionTable<Row64> table;
  for (std::size_t row = 0; row < kSobolDimensions; ++row) {
    const Directions columns = scramble_matrix(row);
    const auto& plain = plain_directions().rows[row];
    for (unsigned i = 0; i < kBits; ++i) table.rows[row][i] = product(columns, plain[i]);
  }
  return table;
}

const DirectionTable<Row64>& scrambled_directions() {
  static const DirectionTable<Row64> table = scrambled_table();
  return table;
}

DirectionTable<Row32> upper_halves(const DirectionTable<Row64>& table) {
  DirectionTable<Row32> halves;
  for (std::size_t row = 0; row < kSobolDimensions; ++row) {
    for (unsigned i = 0; i < 32; ++i) halves.rows[row][i] = static_cast<unsigned>(table.rows[row][i] >> 32);
  }
  return halves;
}

std::vector<unsigned long long> constants() {
  std::vector<unsigned long long> made(kSobolRows);
  for (std::size_t row = 0; row < kSobolRows; ++row) made[row] = scramble_bits(row, kBits);
  return made;
}

}  // namespace

const std::size_t kSobolDimensions = BoostTable::max_dimension;

const unsigned long long (*sobol_directions64(bool scrambled))[64] {
  return (scrambled ? scrambled_directions() : plain_directions()).begin();
}

const unsigned int (*sobol_directions32(bool scrambled))[32] {
  if (scrambled) {
    static const DirectionTable<Row32> table = upper_halves(scrambled_directions());
    return table.begin();
  }
  static const DirectionTable<Row32> table = upper_halves(plain_directions());
  return table.begin();
}

const unsigned long long* sobol_constants64() {
  static const std::vector<unsigned long long> made = constants();
  return made.data();
}

const unsigned int* sobol_constants32() {
  static const std::vector<unsigned int> made = [] {
    std::vector<unsigned int> halves;
    for (std::size_t row = 0; row < kSobolRows; ++row) {
      halves.push_back(static_cast<unsigned int>(sobol_constants64()[row] >> 32));
    }
    return halves;
  }();
  return made.data();
}

}  // namespace warpfiber::random

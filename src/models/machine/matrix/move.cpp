// SPDX-License-Identifier: Apache-2.0
// Source: PTX ISA 9.0, "ldmatrix", "stmatrix", "movmatrix".
#include "machine/matrix/multiply.hpp"

namespace warpfiber::machine {
namespace {

using detail::kMatrixLanes;
using detail::MatrixMove;

constexpr unsigned kRows = 8;
constexpr unsigned kMostMatrices = 4;
constexpr unsigned kWordsOfRow = 4;

using Elements = std::uint16_t[kMostMatrices][kRows][kRows];

/// visit(lane, word, matrix, row, column) for each word, whose two elements are neighbours in their row.
template <class Visit>
void each_word(bool by_rows, unsigned matrices, const Visit& visit) {
  for (unsigned matrix = 0; matrix < matrices; ++matrix) {
    for (unsigned row = 0; row < kRows; ++row) {
      for (unsigned word = 0; word < kWordsOfRow; ++word) {
        if (by_rows) {
          visit(kRows * matrix + row, word, matrix, row, 2 * word);
        } else {
          visit(kWordsOfRow * row + word, matrix, matrix, row, 2 * word);
        }
      }
    }
  }
}

/// visit(lane, word, byte, matrix, row, column) for each byte of the fragments of matrices in memory whose rows have 16
/// bytes; with 16 rows or with 8.
template <class Visit>
void each_byte(bool has_sixteen, unsigned matrices, const Visit& visit) {
  for (unsigned matrix = 0; matrix < matrices; ++matrix) {
    for (unsigned lane = 0; lane < kMatrixLanes; ++lane) {
      const unsigned g = lane / 4, t = lane % 4;
      for (unsigned byte = 0; byte < 4; ++byte) {
        if (has_sixteen) {
          for (unsigned half = 0; half < 2; ++half)
            visit(lane, 2 * matrix + half, byte, matrix, 4 * t + byte, g + 8 * half);
        } else {
          visit(lane, matrix, byte, matrix, 2 * t + byte % 2, g + 8 * (byte / 2));
        }
      }
    }
  }
}

void move_bytes(const MatrixMove& any, const MatrixMove* const* lanes) {
  const unsigned rows = any.from_rows ? 2 * kRows : kRows;
  each_byte(any.from_rows, any.matrices,
            [&](unsigned lane, unsigned word, unsigned byte, unsigned matrix, unsigned row, unsigned column) {
              const unsigned with_row = rows * matrix + row;
              const unsigned from_lane = any.from_rows ? with_row : lane, to_lane = any.from_rows ? lane : with_row;
              const unsigned from_byte = any.from_rows ? column : 4 * word + byte;
              const unsigned to_byte = any.from_rows ? 4 * word + byte : column;
              if (lanes[to_lane] == nullptr) return;
              const std::uint32_t brought = lanes[from_lane] != nullptr ? lanes[from_lane]->from[from_byte / 4] : 0;
              std::uint32_t& to = lanes[to_lane]->to[to_byte / 4];
              const unsigned place = 8 * (to_byte % 4);
              to = (to & ~(0xffU << place)) | (brought >> (8 * (from_byte % 4)) & 0xff) << place;
            });
}

}  // namespace

void move(const MatrixMove* const* lanes) {
  const MatrixMove* any = nullptr;
  for (unsigned lane = 0; lane < kMatrixLanes && any == nullptr; ++lane) any = lanes[lane];
  if (any->of_bytes) return move_bytes(*any, lanes);
  Elements elements = {};
  each_word(any->from_rows, any->matrices,
            [&](unsigned lane, unsigned word, unsigned matrix, unsigned row, unsigned column) {
              const std::uint32_t brought = lanes[lane] != nullptr ? lanes[lane]->from[word] : 0;
              for (unsigned i = 0; i < 2; ++i) {
                auto& to = any->transposes ? elements[matrix][column + i][row] : elements[matrix][row][column + i];
                to = static_cast<std::uint16_t>(brought >> (16 * i));
              }
            });
  each_word(any->to_rows, any->matrices,
            [&](unsigned lane, unsigned word, unsigned matrix, unsigned row, unsigned column) {
              if (lanes[lane] == nullptr) return;
              const std::uint16_t* const pair = &elements[matrix][row][column];
              lanes[lane]->to[word] = pair[0] | static_cast<std::uint32_t>(pair[1]) << 16;
            });
}

}  // namespace warpfiber::machine

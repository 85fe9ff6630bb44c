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

}  // namespace

void move(const MatrixMove* const* lanes) {
  const MatrixMove* any = nullptr;
  for (unsigned lane = 0; lane < kMatrixLanes && any == nullptr; ++lane) any = lanes[lane];
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

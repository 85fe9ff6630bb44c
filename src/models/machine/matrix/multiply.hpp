// SPDX-License-Identifier: Apache-2.0
// Products of matrices as a GPU computes them, to the last bit, and their ways from lane to lane.
#pragma once

#include <warpfiber/detail/matrix.hpp>

namespace warpfiber::machine {

/// The words of a matrix that the lanes hold, by lane.
using LaneWords = const std::uint32_t* const*;

/// What the lanes bring to a product. The metadata of a sparse A is a word of each lane.
struct ProductSources {
  LaneWords a;
  LaneWords b;
  LaneWords c;
  const std::uint32_t* metadata = nullptr;
  unsigned selector = 0;
};

/// Computes what every lane gets. All operands are read before the first word is written, so `d` may be `c`.
void multiply(const detail::MatrixProduct& product, detail::ComputeCapability capability, const ProductSources& from,
              std::uint32_t* const* d);

/// Gives each lane its words of the matrices in their new distribution. Null: a lane that takes no part; of what it
/// would bring, zeros arrive. All words are read before the first is written.
void move(const detail::MatrixMove* const* lanes);

}  // namespace warpfiber::machine

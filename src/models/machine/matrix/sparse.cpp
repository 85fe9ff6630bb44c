// SPDX-License-Identifier: Apache-2.0
// Reads the metadata of a sparse A.
#include "machine/matrix/sparse.hpp"

#include <algorithm>

#include "machine/matrix/numbers.hpp"

namespace warpfiber::machine {
namespace {

using detail::Element;
using detail::MatrixProduct;

/// Elements that two of four bits of metadata mean.
struct Groups {
  unsigned elements;  // in a group
  unsigned together;  // that are there together, by one number of two bits
};

Groups groups_of(Element element) {
  if (element == Element::tf32) return {2, 1};
  return detail::bits_of(element) == 4 ? Groups{8, 2} : Groups{4, 1};
}

/// The four bits of a group.
unsigned metadata_of(const MatrixProduct& product, const std::uint32_t* metadata, unsigned selector, unsigned row,
                     unsigned group) {
  const std::uint32_t* const quad = metadata + row % 8 * 4;
  const unsigned half = row / 8;
  // A word has four groups of two rows, or of small elements eight groups of one row.
  if (detail::bits_of(product.a) >= 16) {
    return quad[selector * product.metadata_lanes() + group / 4] >> (half * 16 + group % 4 * 4) & 15;
  }
  return quad[selector * 2 + half + group / 8 * 2] >> group % 8 * 4 & 15;
}

}  // namespace

void spread_sparse(const MatrixProduct& product, const std::uint32_t* metadata, unsigned selector, MatrixWords& words) {
  const unsigned bits = detail::bits_of(product.a);
  const unsigned depth = product.k * bits / 32;
  const Groups of = groups_of(product.a);
  std::uint32_t packed[kMostWords];
  std::copy_n(words.a, product.m * depth / 2, packed);
  std::fill_n(words.a, product.m * depth, 0U);
  std::fill_n(words.is_there, product.m * product.k, false);
  for (unsigned row = 0; row < product.m; ++row) {
    const std::uint32_t* const from = packed + row * depth / 2;
    for (unsigned i = 0; i < product.k / 2U; ++i) {
      const unsigned group = i / (of.elements / 2);
      const unsigned in_group = i % (of.elements / 2);
      const unsigned code = metadata_of(product, metadata, selector, row, group);
      const unsigned place = product.a == Element::tf32 ? (code & 3) / 2 : code >> in_group / of.together * 2 & 3;
      const unsigned at = group * of.elements + place * of.together + in_group % of.together;
      words.a[row * depth + at * bits / 32] |= element_at(from, i, bits) << at * bits % 32;
      words.is_there[row * product.k + at] = true;
    }
  }
}

}  // namespace warpfiber::machine

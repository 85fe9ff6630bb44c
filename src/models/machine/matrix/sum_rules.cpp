// SPDX-License-Identifier: Apache-2.0
// The rules by compute capability.
#include "machine/matrix/sum_rules.hpp"

#include <algorithm>

namespace warpfiber::machine {
namespace {

using detail::Element;

constexpr unsigned kSingle = 23;  // fraction bits of f32

bool is_narrow(Element element) {
  return element == Element::e4m3 || element == Element::e5m2;
}

}  // namespace

SumRule sum_rule(detail::ComputeCapability capability, const detail::MatrixProduct& product) {
  // Of a sparse A two terms count as one.
  const unsigned times = product.is_sparse ? 2 : 1;
  const unsigned k = product.k;
  // wmma's products of tf32, the only ones with 16 columns, are two of mma.m16n8k4 also where mma.m16n8k8 is one sum.
  const bool is_wide = product.a == Element::tf32;
  const unsigned of_wide = product.n == 2 * detail::kTileColumns ? 4 : 8;
  if (capability.major >= 9) {
    if (is_narrow(product.a)) return {k / 2, 25, kSingle, AddsC::afterwards, true, true};
    return {std::min(k, times * (is_wide ? of_wide : 16U)), 25, kSingle};
  }
  if (is_narrow(product.a)) return {times * 16, 13, 13};
  if (capability.major == 8) return {std::min(k, times * (is_wide ? 4U : 8U)), 24, kSingle};
  return capability.minor >= 5 ? SumRule{std::min(k, 8U), 24, kSingle} : SumRule{4, 23, kSingle};
}

}  // namespace warpfiber::machine

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

SumRule sum_rule(detail::ComputeCapability capability, Element element, unsigned k) {
  const bool wide = element == Element::tf32;
  if (capability.major >= 9) {
    if (is_narrow(element)) return {16, 25, kSingle, AddsC::afterwards, true};
    return {std::min(k, wide ? 8U : 16U), 25, kSingle};
  }
  if (is_narrow(element)) return {16, 13, 13};
  if (capability.major == 8) return {std::min(k, wide ? 4U : 8U), 24, kSingle};
  return capability.minor >= 5 ? SumRule{std::min(k, 8U), 24, kSingle} : SumRule{4, 23, kSingle};
}

}  // namespace warpfiber::machine

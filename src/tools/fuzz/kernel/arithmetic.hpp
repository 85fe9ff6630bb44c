// SPDX-License-Identifier: Apache-2.0
//
// What a thread computes alone: integer functions whose results CUDA defines to the bit. Device code.
#pragma once

#include "tools/fuzz/kernel/thread_state.hpp"

namespace warpfiber::tools::fuzz {

FUZZ_FAMILY inline std::uint64_t computed(Arithmetic how, std::uint64_t a, std::uint64_t b) {
  const auto low = unsigned(a);
  const auto other = unsigned(b);
  switch (how) {
    case Arithmetic::add: return a + b;
    case Arithmetic::multiply: return a * b;
    case Arithmetic::rotate: return a << (b & 63) | a >> (-b & 63);
    case Arithmetic::select: return a < b ? ~a : b;
    case Arithmetic::population: return std::uint64_t(__popcll(a)) << 8 | unsigned(__popc(other));
    case Arithmetic::leading_zeroes: return std::uint64_t(__clzll((long long)a)) << 8 | unsigned(__ffs(int(other)));
    case Arithmetic::reverse: return __brevll(a) ^ __brev(other);
    case Arithmetic::permute_bytes: return __byte_perm(low, other, unsigned(a >> 32));
    case Arithmetic::funnel_shift: return __funnelshift_l(low, other, unsigned(b >> 32));
    case Arithmetic::high_product: return __umulhi(low, other);
    case Arithmetic::wide_high_product: return __umul64hi(a, b);
    case Arithmetic::absolute_differences: return __usad(low, other, unsigned(a >> 32));
    case Arithmetic::dot_product: return __dp4a(low, other, unsigned(b >> 32));
    default: return __vadd4(low, other);
  }
}

}  // namespace warpfiber::tools::fuzz

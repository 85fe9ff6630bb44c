// SPDX-License-Identifier: Apache-2.0
//
// CUDA's integer intrinsics under CUDA's names: counting and reversing bits, byte selection, funnel shifts, high and
// 24-bit products, averages, absolute differences, dot products (CUDA Math API, "Integer Intrinsics"). Brings the other
// integer families with it: min and max, SIMD in a word, DPX, loads and stores with cache hints.
// Every function is defined for every argument, as the instruction behind it is: shifts of 32 and more, the most
// negative numbers and overflow do what the hardware does. Kernels and host code may call all of them.
#pragma once

#include <warpfiber/detail/host_instructions.hpp>
#include <warpfiber/detail/vector_types.hpp>
#include <warpfiber/intrinsics/cache_access.hpp>
#include <warpfiber/intrinsics/dpx.hpp>
#include <warpfiber/intrinsics/min_max.hpp>
#include <warpfiber/intrinsics/simd.hpp>

namespace warpfiber::intrinsics {

__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

/// Exchanges neighbouring groups of `width` bits; `mask` selects the lower group of each pair.
template <class T>
constexpr T swap_bit_groups(T x, T mask, int width) noexcept {
  return static_cast<T>(((x >> width) & mask) | ((x & mask) << width));
}

constexpr unsigned selected_byte(unsigned long long bytes, unsigned selector) noexcept {
  return static_cast<unsigned>(bytes >> (8 * (selector & 7))) & 0xffU;
}

constexpr int signed_byte(int packed, int index) noexcept {
  return static_cast<signed char>(static_cast<unsigned>(packed) >> (8 * index));
}

constexpr unsigned unsigned_byte(unsigned packed, int index) noexcept {
  return (packed >> (8 * index)) & 0xffU;
}

/// A sum that wraps modulo 2^32, as the accumulator of a dot product does.
constexpr int wrapping_sum(int a, int b) noexcept {
  return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}

}  // namespace warpfiber::intrinsics

/// Number of bits that are 1.
constexpr int __popc(unsigned int x) noexcept {
  return __builtin_is_constant_evaluated() ? __builtin_popcount(x) : warpfiber::detail::ones_in(x);
}
constexpr int __popcll(unsigned long long x) noexcept {
  return __builtin_is_constant_evaluated() ? __builtin_popcountll(x) : warpfiber::detail::ones_in(x);
}

/// Position of the lowest bit that is 1, counted from 1; 0 for 0.
constexpr int __ffs(int x) noexcept {
  return __builtin_ffs(x);
}
constexpr int __ffsll(long long x) noexcept {
  return __builtin_ffsll(x);
}

/// Number of zero bits above the highest bit that is 1; the width of the type for 0.
constexpr int __clz(int x) noexcept {
  return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x));
}
constexpr int __clzll(long long x) noexcept {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}

/// The bits in reverse order.
constexpr unsigned int __brev(unsigned int x) noexcept {
  using warpfiber::intrinsics::swap_bit_groups;
  return __builtin_bswap32(
      swap_bit_groups(swap_bit_groups(swap_bit_groups(x, 0x55555555U, 1), 0x33333333U, 2), 0x0f0f0f0fU, 4));
}
constexpr unsigned long long __brevll(unsigned long long x) noexcept {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 |
         __brev(static_cast<unsigned>(x >> 32));
}

/// Four of the eight bytes of y:x. Bits 2:0 of each of the lowest four nibbles of `s` select one; bit 3 has no meaning.
constexpr unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int s) noexcept {
  using warpfiber::intrinsics::selected_byte;
  const unsigned long long bytes = static_cast<unsigned long long>(y) << 32 | x;
  return selected_byte(bytes, s) | selected_byte(bytes, s >> 4) << 8 | selected_byte(bytes, s >> 8) << 16 |
         selected_byte(bytes, s >> 12) << 24;
}

/// Upper word of hi:lo shifted left by shift modulo 32.
constexpr unsigned int __funnelshift_l(unsigned int lo, unsigned int hi, unsigned int shift) noexcept {
  return static_cast<unsigned>(((static_cast<unsigned long long>(hi) << 32 | lo) << (shift & 31)) >> 32);
}
/// Upper word of hi:lo shifted left by min(shift, 32).
constexpr unsigned int __funnelshift_lc(unsigned int lo, unsigned int hi, unsigned int shift) noexcept {
  return shift >= 32 ? lo : __funnelshift_l(lo, hi, shift);
}
/// Lower word of hi:lo shifted right by shift modulo 32.
constexpr unsigned int __funnelshift_r(unsigned int lo, unsigned int hi, unsigned int shift) noexcept {
  return static_cast<unsigned>((static_cast<unsigned long long>(hi) << 32 | lo) >> (shift & 31));
}
/// Lower word of hi:lo shifted right by min(shift, 32).
constexpr unsigned int __funnelshift_rc(unsigned int lo, unsigned int hi, unsigned int shift) noexcept {
  return shift >= 32 ? hi : __funnelshift_r(lo, hi, shift);
}

/// The upper half of the product.
constexpr int __mulhi(int x, int y) noexcept {
  return static_cast<int>((static_cast<long long>(x) * y) >> 32);
}
constexpr unsigned int __umulhi(unsigned int x, unsigned int y) noexcept {
  return static_cast<unsigned>((static_cast<unsigned long long>(x) * y) >> 32);
}
constexpr long long __mul64hi(long long x, long long y) noexcept {
  return static_cast<long long>((static_cast<warpfiber::intrinsics::Int128>(x) * y) >> 64);
}
constexpr unsigned long long __umul64hi(unsigned long long x, unsigned long long y) noexcept {
  return static_cast<unsigned long long>((static_cast<warpfiber::intrinsics::UInt128>(x) * y) >> 64);
}

/// The lower 32 bits of the product of the lower 24 bits of each factor.
constexpr unsigned int __umul24(unsigned int x, unsigned int y) noexcept {
  return (x & 0xffffffU) * (y & 0xffffffU);
}
constexpr int __mul24(int x, int y) noexcept {
  const int x24 = static_cast<int>(static_cast<unsigned>(x) << 8) >> 8;
  const int y24 = static_cast<int>(static_cast<unsigned>(y) << 8) >> 8;
  return static_cast<int>(static_cast<unsigned>(x24) * static_cast<unsigned>(y24));
}

/// |x - y| + z, modulo 2^32.
constexpr unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) noexcept {
  return (x > y ? x - y : y - x) + z;
}
constexpr unsigned int __sad(int x, int y, unsigned int z) noexcept {
  const unsigned a = static_cast<unsigned>(x);
  const unsigned b = static_cast<unsigned>(y);
  return (x > y ? a - b : b - a) + z;
}

/// The average without overflow in between: rounded down (__hadd, __uhadd) or up (__rhadd, __urhadd).
constexpr int __hadd(int x, int y) noexcept {
  return (x & y) + ((x ^ y) >> 1);
}
constexpr int __rhadd(int x, int y) noexcept {
  return (x | y) - ((x ^ y) >> 1);
}
constexpr unsigned int __uhadd(unsigned int x, unsigned int y) noexcept {
  return (x & y) + ((x ^ y) >> 1);
}
constexpr unsigned int __urhadd(unsigned int x, unsigned int y) noexcept {
  return (x | y) - ((x ^ y) >> 1);
}

/// Position of the |offset|-th bit of `mask` that is 1, seen from `base` upwards (offset > 0) or downwards (offset <
/// 0), base included; with offset 0 base itself where it is 1. 0xffffffff where there is none.
constexpr unsigned int __fns(unsigned int mask, unsigned int base, int offset) noexcept {
  const int step = offset < 0 ? -1 : 1;
  unsigned left = offset < 0 ? 0U - static_cast<unsigned>(offset) : static_cast<unsigned>(offset);
  if (offset == 0) return base < 32 && ((mask >> base) & 1) != 0 ? base : 0xffffffffU;
  for (int at = static_cast<int>(base); at >= 0 && at < 32; at += step) {
    if (((mask >> at) & 1) != 0 && --left == 0) return static_cast<unsigned>(at);
  }
  return 0xffffffffU;
}

/// c plus the products of the four byte pairs, modulo 2^32.
constexpr int __dp4a(int a, int b, int c) noexcept {
  using warpfiber::intrinsics::signed_byte;
  int sum = 0;
  for (int i = 0; i < 4; ++i) sum += signed_byte(a, i) * signed_byte(b, i);
  return warpfiber::intrinsics::wrapping_sum(c, sum);
}
constexpr unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) noexcept {
  using warpfiber::intrinsics::unsigned_byte;
  for (int i = 0; i < 4; ++i) c += unsigned_byte(a, i) * unsigned_byte(b, i);
  return c;
}
constexpr int __dp4a(char4 a, char4 b, int c) noexcept {
  return warpfiber::intrinsics::wrapping_sum(c, a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
}
constexpr unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c) noexcept {
  return c + static_cast<unsigned>(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
}

/// c plus the products of the two halfwords of `a` with the lower (_lo) or upper (_hi) two bytes of `b`, modulo 2^32.
constexpr int __dp2a_lo(short2 a, char4 b, int c) noexcept {
  return warpfiber::intrinsics::wrapping_sum(c, a.x * b.x + a.y * b.y);
}
constexpr int __dp2a_hi(short2 a, char4 b, int c) noexcept {
  return warpfiber::intrinsics::wrapping_sum(c, a.x * b.z + a.y * b.w);
}
constexpr unsigned int __dp2a_lo(ushort2 a, uchar4 b, unsigned int c) noexcept {
  return c + static_cast<unsigned>(a.x * b.x + a.y * b.y);
}
constexpr unsigned int __dp2a_hi(ushort2 a, uchar4 b, unsigned int c) noexcept {
  return c + static_cast<unsigned>(a.x * b.z + a.y * b.w);
}
constexpr int __dp2a_lo(int a, int b, int c) noexcept {
  return __dp2a_lo(__builtin_bit_cast(short2, a), __builtin_bit_cast(char4, b), c);
}
constexpr int __dp2a_hi(int a, int b, int c) noexcept {
  return __dp2a_hi(__builtin_bit_cast(short2, a), __builtin_bit_cast(char4, b), c);
}
constexpr unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int c) noexcept {
  return __dp2a_lo(__builtin_bit_cast(ushort2, a), __builtin_bit_cast(uchar4, b), c);
}
constexpr unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int c) noexcept {
  return __dp2a_hi(__builtin_bit_cast(ushort2, a), __builtin_bit_cast(uchar4, b), c);
}

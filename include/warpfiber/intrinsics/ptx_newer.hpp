// SPDX-License-Identifier: Apache-2.0
//
// PTX instructions and special registers since sm_70: clusters, state spaces, elections, packed numbers, masks of bits.
// A part of ptx.hpp.
#pragma once

#include <warpfiber/intrinsics/address_spaces.hpp>
#include <warpfiber/intrinsics/cluster_intrinsics.hpp>
#include <warpfiber/intrinsics/dpx.hpp>
#include <warpfiber/intrinsics/ptx_arithmetic.hpp>
#include <warpfiber/intrinsics/simd.hpp>
#include <warpfiber/intrinsics/warp.hpp>

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>

namespace warpfiber::ptx {

#define WARPFIBER_PTX_CLUSTER(name, function) \
  inline u32 name##_x() {                     \
    return ::function().x;                    \
  }                                           \
  inline u32 name##_y() {                     \
    return ::function().y;                    \
  }                                           \
  inline u32 name##_z() {                     \
    return ::function().z;                    \
  }
WARPFIBER_PTX_CLUSTER(clusterid, __clusterIdx)
WARPFIBER_PTX_CLUSTER(nclusterid, __clusterGridDimInClusters)
WARPFIBER_PTX_CLUSTER(cluster_ctaid, __clusterRelativeBlockIdx)
WARPFIBER_PTX_CLUSTER(cluster_nctaid, __clusterDim)
#undef WARPFIBER_PTX_CLUSTER
inline u32 cluster_ctarank() {
  return ::__clusterRelativeBlockRank();
}
inline u32 cluster_nctarank() {
  return ::__clusterSizeInBlocks();
}

#define WARPFIBER_PTX_SPACE(space, function)                                                     \
  inline pred isspacep_##space(u64 address) {                                                    \
    return ::function(reinterpret_cast<const void*>(static_cast<std::uintptr_t>(address))) != 0; \
  }
WARPFIBER_PTX_SPACE(const, __isConstant)
WARPFIBER_PTX_SPACE(global, __isGlobal)
WARPFIBER_PTX_SPACE(local, __isLocal)
WARPFIBER_PTX_SPACE(shared, __isShared)
WARPFIBER_PTX_SPACE(shared_cta, __isCtaShared)
WARPFIBER_PTX_SPACE(shared_cluster, __isClusterShared)
#undef WARPFIBER_PTX_SPACE

/// The manual leaves open which of the lanes is elected: here the lowest.
inline u32 elect_sync(pred& elected, u32 lanes, Site site = Site::here()) {
  ::__syncwarp(lanes, site);
  const u32 leader = static_cast<u32>(std::countr_zero(lanes));
  elected = detail::lane_id() == leader;
  return leader;
}

/// `width` ones from bit `first` on; a place or a width of 32 or more counts modulo 32.
template <class T>
inline T bmsk_wrap(T first, T width) {
  const u32 end = (first & 31) + (width & 31);
  return (~0U << (first & 31)) & ~(end >= 32 ? 0U : ~0U << end);
}
/// The same where a place of 32 or more is past the end, and a width of 32 or more reaches it.
template <class T>
inline T bmsk_clamp(T first, T width) {
  if (first >= 32) return 0;
  return width >= 32 ? ~0U << first : bmsk_wrap<T>(first, width);
}

inline u32 add_u16x2(u32 a, u32 b) {
  return ::__vadd2(a, b);
}
inline u32 add_s16x2(u32 a, u32 b) {
  return ::__vadd2(a, b);
}
inline u32 min_u16x2(u32 a, u32 b) {
  return ::__vminu2(a, b);
}
inline u32 min_s16x2(u32 a, u32 b) {
  return ::__vmins2(a, b);
}
inline u32 max_u16x2(u32 a, u32 b) {
  return ::__vmaxu2(a, b);
}
inline u32 max_s16x2(u32 a, u32 b) {
  return ::__vmaxs2(a, b);
}
inline u32 min_relu_s16x2(u32 a, u32 b) {
  return ::__vimin_s16x2_relu(a, b);
}
inline u32 max_relu_s16x2(u32 a, u32 b) {
  return ::__vimax_s16x2_relu(a, b);
}

/// The lowest bits of `a`, as many as `bits` says (modulo 32), extended with zeros or the sign.
template <class T>
inline T szext_wrap(T a, u32 bits) {
  const u32 unused = 32 - (bits & 31);
  return unused == 32 ? T{0} : static_cast<T>(static_cast<T>(static_cast<u32>(a) << unused) >> unused);
}
/// The same where all bits are taken for 32 or more.
template <class T>
inline T szext_clamp(T a, u32 bits) {
  return bits >= 32 ? a : szext_wrap<T>(a, bits);
}

// prmt with a mode: bytes from the selector's on, upwards or downwards; one byte four times; the edges of a funnel;
// one half twice.
template <class T>
inline T prmt_f4e(T a, T b, u32 selector) {
  return prmt<T>(a, b, 0x3210U + 0x1111U * (selector & 3));
}
template <class T>
inline T prmt_b4e(T a, T b, u32 selector) {
  constexpr u32 kOrders[] = {0x5670, 0x6701, 0x7012, 0x0123};
  return prmt<T>(a, b, kOrders[selector & 3]);
}
template <class T>
inline T prmt_rc8(T a, T b, u32 selector) {
  return prmt<T>(a, b, 0x1111U * (selector & 3));
}
template <class T>
inline T prmt_ecl(T a, T b, u32 selector) {
  constexpr u32 kOrders[] = {0x3210, 0x3211, 0x3222, 0x3333};
  return prmt<T>(a, b, kOrders[selector & 3]);
}
template <class T>
inline T prmt_ecr(T a, T b, u32 selector) {
  constexpr u32 kOrders[] = {0x0000, 0x1110, 0x2210, 0x3210};
  return prmt<T>(a, b, kOrders[selector & 3]);
}
template <class T>
inline T prmt_rc16(T a, T b, u32 selector) {
  return prmt<T>(a, b, (selector & 1) == 0 ? 0x1010U : 0x3232U);
}
inline u32 fns(u32 mask, u32 base, u32 offset) {
  return ::__fns(mask, base, static_cast<s32>(offset));
}

/// Two integers as numbers of `kBits` bits each, or the nearest of those, above them the lowest bits of `rest`. `b` is
/// the lower of the two.
template <unsigned kBits, bool kSigned>
inline u32 pack_saturated(u32 a, u32 b, u32 rest) {
  constexpr s32 kLeast = kSigned ? -(1 << (kBits - 1)) : 0;
  constexpr s32 kMost = kSigned ? (1 << (kBits - 1)) - 1 : (1 << kBits) - 1;
  const auto field = [](u32 bits) {
    const s32 x = static_cast<s32>(bits);
    return static_cast<u32>(x < kLeast ? kLeast : x > kMost ? kMost : x) & ((1U << kBits) - 1);
  };
  const u32 both = field(a) << kBits | field(b);
  if constexpr (kBits == 16) return both;
  return rest << (2 * kBits) % 32 | both;
}
inline u32 cvt_pack_sat_u16_s32(u32 a, u32 b) {
  return pack_saturated<16, false>(a, b, 0);
}
inline u32 cvt_pack_sat_s16_s32(u32 a, u32 b) {
  return pack_saturated<16, true>(a, b, 0);
}
#define WARPFIBER_PTX_PACK(type, bits, is_signed)                    \
  inline u32 cvt_pack_sat_##type##_s32_b32(u32 a, u32 b, u32 rest) { \
    return pack_saturated<bits, is_signed>(a, b, rest);              \
  }
WARPFIBER_PTX_PACK(u8, 8, false)
WARPFIBER_PTX_PACK(s8, 8, true)
WARPFIBER_PTX_PACK(u4, 4, false)
WARPFIBER_PTX_PACK(s4, 4, true)
WARPFIBER_PTX_PACK(u2, 2, false)
WARPFIBER_PTX_PACK(s2, 2, true)
#undef WARPFIBER_PTX_PACK

/// `b` with the sign of `a`.
template <class T>
inline T copysign(T a, T b) {
  return std::copysign(b, a);
}
#define WARPFIBER_PTX_TEST(name, condition) \
  template <class T>                        \
  inline pred testp_##name(T a) {           \
    return condition;                       \
  }
WARPFIBER_PTX_TEST(finite, std::isfinite(a))
WARPFIBER_PTX_TEST(infinite, std::isinf(a))
WARPFIBER_PTX_TEST(number, !std::isnan(a))
WARPFIBER_PTX_TEST(notanumber, std::isnan(a))
WARPFIBER_PTX_TEST(normal, std::isnormal(a))
WARPFIBER_PTX_TEST(subnormal, std::fpclassify(a) == FP_SUBNORMAL)
#undef WARPFIBER_PTX_TEST

/// Policies of caches change nothing here.
inline u64 createpolicy_fractional(u32 = 0) {
  return 0;
}
inline u64 createpolicy_cvt(u32) {
  return 0;
}

/// Two floats in a word of 64 bits, the first in the lower half.
struct f32x2 {
  u64 bits_of_it;

  f32x2() = default;
  f32x2(f32 low, f32 high) : bits_of_it(static_cast<u64>(std::bit_cast<u32>(high)) << 32 | std::bit_cast<u32>(low)) {}
  f32 low() const { return std::bit_cast<f32>(static_cast<u32>(bits_of_it)); }
  f32 high() const { return std::bit_cast<f32>(static_cast<u32>(bits_of_it >> 32)); }
};
#define WARPFIBER_PTX_F32X2(rounding)                                                                         \
  template <class T>                                                                                          \
  requires std::same_as<T, f32x2>                                                                             \
  inline T add##rounding(T a, T b) {                                                                          \
    return {add##rounding<f32>(a.low(), b.low()), add##rounding<f32>(a.high(), b.high())};                    \
  }                                                                                                           \
  template <class T>                                                                                          \
  requires std::same_as<T, f32x2>                                                                             \
  inline T sub##rounding(T a, T b) {                                                                          \
    return {sub##rounding<f32>(a.low(), b.low()), sub##rounding<f32>(a.high(), b.high())};                    \
  }                                                                                                           \
  template <class T>                                                                                          \
  requires std::same_as<T, f32x2>                                                                             \
  inline T mul##rounding(T a, T b) {                                                                          \
    return {mul##rounding<f32>(a.low(), b.low()), mul##rounding<f32>(a.high(), b.high())};                    \
  }                                                                                                           \
  template <class T>                                                                                          \
  requires std::same_as<T, f32x2>                                                                             \
  inline T fma##rounding(T a, T b, T c) {                                                                     \
    return {fma##rounding<f32>(a.low(), b.low(), c.low()), fma##rounding<f32>(a.high(), b.high(), c.high())}; \
  }
WARPFIBER_PTX_F32X2()
WARPFIBER_PTX_F32X2(_rz)
WARPFIBER_PTX_F32X2(_rm)
WARPFIBER_PTX_F32X2(_rp)
#undef WARPFIBER_PTX_F32X2

}  // namespace warpfiber::ptx

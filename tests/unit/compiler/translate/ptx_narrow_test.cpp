// SPDX-License-Identifier: Apache-2.0
//
// Inline PTX on numbers of 16 bits. The expected values are worked out from the PTX ISA and the formats.
#include <warpfiber/intrinsics/ptx.hpp>

#include <cmath>
#include <limits>
#include <string>

#include "support/catch.hpp"
#include "translate/ptx/emit.hpp"

namespace warpfiber::ptx::test {
namespace {

using translate::ptx::emit;

constexpr f16 kOne{0x3c00}, kTwo{0x4000}, kThree{0x4200}, kMinusOne{0xbc00}, kNan{0x7e00}, kInfinity{0x7c00};
constexpr f16 kLargest{0x7bff}, kLeast{0x0001};

TEST_CASE("ptx: instructions on numbers of 16 bits are known") {
  for (const std::string text : {"ex2.approx.f16 %0, %1;",
                                 "ex2.approx.f16x2 %0, %1;",
                                 "ex2.approx.ftz.bf16 %0, %1;",
                                 "ex2.approx.ftz.bf16x2 %0, %1;",
                                 "tanh.approx.f16 %0, %1;",
                                 "tanh.approx.f16x2 %0, %1;",
                                 "tanh.approx.bf16 %0, %1;",
                                 "cvt.rni.sat.s8.f16 %0, %1;",
                                 "add.rn.f16x2 %0, %1, %2;",
                                 "sub.bf16x2 %0, %1, %2;",
                                 "mul.rn.ftz.f16 %0, %1, %2;",
                                 "fma.rn.relu.f16x2 %0, %1, %2, %2;",
                                 "fma.rn.bf16x2 %0, %1, %2, %2;",
                                 "min.NaN.f16x2 %0, %1, %2;",
                                 "max.bf16 %0, %1, %2;",
                                 "neg.f16x2 %0, %1;",
                                 "abs.bf16x2 %0, %1;",
                                 "cvt.rn.f16.f32 %0, %1;",
                                 "cvt.f32.f16 %0, %1;",
                                 "cvt.rn.bf16x2.f32 %0, %1, %2;",
                                 "cvt.rn.relu.f16x2.f32 %0, %1, %2;",
                                 "cvt.rz.bf16.f32 %0, %1;",
                                 "cvt.rna.tf32.f32 %0, %1;",
                                 "red.gpu.global.add.noftz.f16x2 [%0], %1;",
                                 "atom.relaxed.gpu.global.add.noftz.bf16 %0, [%1], %2;",
                                 "{ .reg .f16 h; mov.b16 h, %1; .reg .pred p; setp.lt.f16 p, h, %2; }"}) {
    INFO(text);
    CHECK(emit(text, 3).wrong.empty());
  }
  for (const std::string text :
       {"add.rz.f16 %0, %1, %2;", "fma.rn.relu.f32 %0, %1, %2, %2;", "cvt.rn.f16x2.f16x2 %0, %1;",
        "cvt.rm.bf16x2.f32 %0, %1, %2;", "cvt.rna.f16.f32 %0, %1;", "cvt.sat.tf32.f32 %0, %1;",
        "mul.lo.f16 %0, %1, %2;", "red.global.add.f16x2 [%0], %1;", "red.global.add.noftz.f32 [%0], %1;",
        "atom.global.min.noftz.f16 %0, [%1], %2;", "min.NaN.u32 %0, %1, %2;", "setp.lo.f16 %0, %1, %2;",
        "cvt.rn.bf16x2.f32 %0, %1;"}) {
    INFO(text);
    CHECK(emit(text, 3).wrong != "");
  }
}

TEST_CASE("ptx: sums and products of 16 bits are rounded once") {
  CHECK(add<f16>(kOne, kTwo).bits_of_it == kThree.bits_of_it);
  CHECK(sub<f16>(kOne, kTwo).bits_of_it == kMinusOne.bits_of_it);
  CHECK(add<f16>(kLargest, kLargest).bits_of_it == kInfinity.bits_of_it);
  CHECK(mul<f16>(kLeast, f16{0x3800}).bits_of_it == 0);  // half of the least: to even
  CHECK(add<f16>(kOne, kLeast).bits_of_it == kOne.bits_of_it);
  // (1 + 3 * 2^-10)^2 - 1 = 6 * 2^-10 + 9 * 2^-20: of the square alone the last part would be rounded away.
  const f16 next{0x3c03};
  CHECK(fma<f16>(next, next, kMinusOne).bits_of_it == 0x1e02);
  CHECK(fma_relu<f16>(kOne, kMinusOne, f16{0}).bits_of_it == 0);
  CHECK(fma_sat<f16>(kTwo, kTwo, kOne).bits_of_it == kOne.bits_of_it);
  CHECK(add_sat<f16>(kNan, kOne).bits_of_it == 0);
  CHECK(add<bf16>({0x3f80}, {0x4000}).bits_of_it == 0x4040);
}

TEST_CASE("ptx: a NaN of 16 bits loses against a number, unless asked for") {
  CHECK(min<f16>(kNan, kTwo).bits_of_it == kTwo.bits_of_it);
  CHECK(max<f16>(kOne, kNan).bits_of_it == kOne.bits_of_it);
  CHECK(min_NaN<f16>(kNan, kTwo).bits_of_it == 0x7fff);
  CHECK(max_NaN<f16>(kOne, kTwo).bits_of_it == kTwo.bits_of_it);
  CHECK(std::isnan(max_NaN<f32>(1, std::numeric_limits<float>::quiet_NaN())));
  CHECK(min_NaN<f32>(1, 2) == 1);
  CHECK(neg<f16>(kOne).bits_of_it == kMinusOne.bits_of_it);
  CHECK(abs<f16>(kMinusOne).bits_of_it == kOne.bits_of_it);
  CHECK_FALSE(setp_lt<f16>(kNan, kOne));
  CHECK(setp_ltu<f16>(kNan, kOne));
  CHECK(setp_gt<f16>(kTwo, kOne));
}

TEST_CASE("ptx: both halves of a pair compute, the first in the lower bits") {
  const f16x2 pair(kOne, kTwo);
  CHECK(pair.bits_of_it == 0x40003c00);
  CHECK(add<f16x2>(pair, f16x2(kTwo, kMinusOne)).bits_of_it == 0x3c004200);
  CHECK(ex2<f16x2>(pair).bits_of_it == 0x44004000);
  CHECK(ex2<bf16>({0xbf80}).bits_of_it == 0x3f00);
  CHECK(tanh<f16>(kInfinity).bits_of_it == kOne.bits_of_it);
  CHECK(tanh<f16>({0x3800}).bits_of_it == 0x3765);  // 0.46212 is 946.4 / 2048
}

TEST_CASE("ptx: numbers of 16 bits are added in memory") {
  f16x2 pair(kOne, kLargest);
  CHECK(atom_add_noftz<f16x2>(&pair, f16x2(kTwo, kLargest)).bits_of_it == f16x2(kOne, kLargest).bits_of_it);
  CHECK(pair.bits_of_it == f16x2(kThree, kInfinity).bits_of_it);
  bf16 number{0x3f80};
  red_add_noftz<bf16>(&number, {0x4000});
  CHECK(number.bits_of_it == 0x4040);
}

TEST_CASE("ptx: conversions to and from 16 bits are rounded as they say") {
  CHECK(cvt<f16, float>(1.0F / 3).bits_of_it == 0x3555);
  CHECK(cvt_rz<bf16, float>(1.0F / 3).bits_of_it == 0x3eaa);
  CHECK(cvt<bf16, float>(1.0F / 3).bits_of_it == 0x3eab);
  CHECK(cvt<f16, int>(2049).bits_of_it == 0x6800);  // 2048: to even
  CHECK(cvt_rp<f16, int>(2049).bits_of_it == 0x6801);
  CHECK(cvt<bf16, f16>(kThree).bits_of_it == 0x4040);
  CHECK(cvt<float, f16>(kThree) == 3);
  CHECK(cvt_relu<f16, float>(-1).bits_of_it == 0);
  CHECK(cvt_sat<f16, float>(3).bits_of_it == kOne.bits_of_it);
  CHECK(cvt<f16x2, float>(2, 1).bits_of_it == 0x40003c00);
  CHECK(cvt_rni_sat<s8, f16>({0x5b00}) == 127);  // 224
  CHECK(cvt_rni_sat<s8, f16>({0xc100}) == -2);   // -2.5: to even
  CHECK(cvt_rzi<s32, f16>({0xc100}) == -2);
  CHECK(cvt_rna<tf32, float>(1 + 0x1p-11F).bits_of_it == 0x3f802000);
  CHECK(cvt<tf32, float>(1 + 0x1p-11F).bits_of_it == 0x3f800000);
  CHECK(cvt_rz<tf32, float>(1 + 0x1.8p-11F).bits_of_it == 0x3f800000);
}

TEST_CASE("ptx: integers are packed, and cut off where the type ends") {
  for (const std::string text : {"cvt.pack.sat.s16.s32 %0, %1, %2;", "cvt.pack.sat.u8.s32.b32 %0, %1, %2, %0;",
                                 "cvt.pack.sat.s4.s32.b32 %0, %1, %2, %0;", "cvt.pack.sat.u2.s32.b32 %0, %1, %2, 0;"}) {
    INFO(text);
    CHECK(emit(text, 3).wrong.empty());
  }
  CHECK(emit("cvt.pack.sat.u8.s32 %0, %1, %2;", 3).wrong != "");
  CHECK(cvt_pack_sat_s16_s32(1, 40000) == 0x00017fff);
  CHECK(cvt_pack_sat_u16_s32(static_cast<u32>(-1), 40000) == 0x00009c40);
  CHECK(cvt_pack_sat_s8_s32_b32(static_cast<u32>(-200), 5, 0x12345678) == 0x56788005);
  CHECK(cvt_pack_sat_u8_s32_b32(300, 255, 0) == 0xffff);
  CHECK(cvt_pack_sat_s4_s32_b32(static_cast<u32>(-3), 9, 0xabcdef01) == 0xcdef01d7);
  CHECK(cvt_pack_sat_u4_s32_b32(static_cast<u32>(-3), 9, 1) == 0x109);
  CHECK(cvt_pack_sat_u2_s32_b32(7, 2, 1) == 0x1e);
  CHECK(cvt_pack_sat_s2_s32_b32(static_cast<u32>(-7), 7, 0) == 0x9);
}

}  // namespace
}  // namespace warpfiber::ptx::test

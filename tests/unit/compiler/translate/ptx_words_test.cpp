// SPDX-License-Identifier: Apache-2.0
//
// Inline PTX that sets words by comparisons, video instructions, and forms that an H200 has not (the others are
// compared with its results by tests/programs/recorded_forms.cu). The expected values are worked out from the PTX ISA.
#include <warpfiber/intrinsics/ptx.hpp>

#include <cmath>
#include <limits>
#include <string>

#include "support/catch.hpp"
#include "translate/ptx/emit.hpp"

namespace warpfiber::ptx::test {
namespace {

using translate::ptx::emit;

constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();

bool is_known(const std::string& text) {
  return emit("{ .reg .pred p, q; .reg .b8 e; .reg .b128 w; " + text + " }", 8).wrong.empty();
}

TEST_CASE("ptx: comparisons that set words have the types of the manual") {
  for (const std::string text :
       {"set.lt.u32.f32 %0, %1, %2;", "set.eq.s32.b64 %0, %1, %2;", "set.lt.and.f32.s32 %0, %1, %2, p;",
        "set.geu.xor.u32.f64 %0, %1, %2, !p;", "set.lt.f16.f64 %0, %1, %2;", "set.nan.u16.bf16 %0, %1, %2;",
        "set.lt.bf16x2.bf16x2 %0, %1, %2;", "set.lt.u32.f16x2 %0, %1, %2;", "setp.lt.or.f16x2 p|q, %1, %2, p;",
        "slct.u64.s32 %0, %1, %2, %3;", "slct.ftz.f32.f32 %0, %1, %2, %3;"}) {
    INFO(text);
    CHECK(is_known(text));
  }
  for (const std::string text :
       {"set.u32.f32 %0, %1, %2;", "set.lt.u32 %0, %1, %2;", "set.lt.f32.f16 %0, %1, %2;", "set.lt.u16.f32 %0, %1, %2;",
        "set.lt.f16.bf16 %0, %1, %2;", "set.lt.bf16x2.f16x2 %0, %1, %2;", "set.lt.u64.u32 %0, %1, %2;",
        "set.ltu.u32.s32 %0, %1, %2;", "set.lt.u32.b32 %0, %1, %2;", "slct.f32 %0, %1, %2, %3;",
        "slct.f32.u32 %0, %1, %2, %3;", "set.lt.and.u32.f32 %0, %1, %2;"}) {
    INFO(text);
    CHECK_FALSE(is_known(text));
  }
}

TEST_CASE("ptx: a comparison sets all bits, or 1 where the result is real") {
  CHECK(truth<u32>(true) == ~0U);
  CHECK(truth<s16>(true) == -1);
  CHECK(truth<f32>(true) == 1.0F);
  CHECK(truth<f32>(false) == 0.0F);
  CHECK(truth<bf16>(true).bits_of_it == 0x3f80);
  CHECK(truth<f16x2>(true, false).bits_of_it == 0x00003c00);
  CHECK(truth<u32>(false, true) == 0xffff0000U);
  CHECK(slct<s32, f32>(1, 2, -0.0F) == 1);
  CHECK(slct<s32, f32>(1, 2, kNotANumber) == 2);
  CHECK(slct<f64, s32>(1, 2, -1) == 2);
}

TEST_CASE("ptx: video instructions select parts that there are") {
  for (const std::string text : {"vadd.u32.s32.u32.sat %0, %1.b0, %2.h1;", "vsub.s32.s32.s32 %0.b3, %1, %2, %3;",
                                 "vmin.u32.u32.u32.max %0, %1, %2, %3;", "vshl.u32.u32.u32.wrap %0, %1, %2;",
                                 "vset.s32.u32.ge.add %0, %1, %2, %3;", "vmad.s32.s32.s32.sat.shr7 %0, -%1.h0, %2, %3;",
                                 "vmad.u32.u32.u32.po %0, %1, %2, %3;", "vavrg4.s32.s32.s32 %0.b30, %1.b7654, %2, %3;",
                                 "vset2.u32.u32.lt %0, %1, %2, %3;", "vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;",
                                 "vadd2.s32.s32.s32.sat %0.h1, %1.h31, %2, %3;"}) {
    INFO(text);
    CHECK(is_known(text));
  }
  for (const std::string text :
       {"vadd.u32.u32 %0, %1, %2;", "vadd.u32.u32.u16 %0, %1, %2;", "vadd.u32.u32.u32 %0, %1.b4, %2;",
        "vadd.u32.u32.u32 %0.b0, %1, %2;", "vadd.u32.u32.u32 %0, %1, %2, %3;", "vadd.u32.u32.u32.add %0, %1, %2;",
        "vadd.u32.u32.u32.add %0.b0, %1, %2, %3;", "vshl.u32.u32.u32 %0, %1, %2;", "vshl.u32.u32.s32.wrap %0, %1, %2;",
        "vset.u32.u32 %0, %1, %2;", "vavrg.u32.u32.u32 %0, %1, %2;", "vadd4.u32.u32.u32 %0, %1, %2;",
        "vadd4.u32.u32.u32.min %0, %1, %2, %3;", "vadd2.u32.u32.u32 %0, %1.h4, %2, %3;",
        "vadd2.u32.u32.u32 %0, %1.h40, %2, %3;", "vmad.s32.s32.s32.po %0, -%1, %2, %3;",
        "vadd.u32.u32.u32 %0, -%1, %2;"}) {
    INFO(text);
    CHECK_FALSE(is_known(text));
  }
}

TEST_CASE("ptx: forms since sm_100 are known") {
  for (const std::string text :
       {"add.rz.f32.f16 %0, %1, %2;", "sub.rp.sat.f32.bf16 %0, %1, %2;", "fma.rn.f32.bf16 %0, %1, %2, %3;",
        "min.NaN.abs.f32 %0, %1, %2, %3;", "max.f32 %0, %1, %2, %3;", "min.f32 %0, %1, %2;",
        "sub.rm.ftz.f32x2 %0, %1, %2;", "cvt.rn.relu.satfinite.bf16x2.f32 %0, %1, %2;",
        "cvt.rn.satfinite.e2m1x2.f32 e, %1, %2;", "cvt.rn.relu.f16x2.e2m1x2 %0, e;",
        "cvt.rz.satfinite.ue8m0x2.bf16x2 %0, %1;", "mov.b128 w, {%0, %1};", "ld.global.b128 w, [%0];",
        "ld.global.v8.b32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%0];", "st.bulk.weak.shared::cta [%0], 64, 0;",
        "atom.global.v2.f32.add {%0, %1}, [%2], {%3, %4};", "red.global.add.noftz.v4.bf16 [%0], {%1, %2, %3, %4};",
        "redux.sync.max.abs.NaN.f32 %0, %1, -1;"}) {
    INFO(text);
    CHECK(is_known(text));
  }
  for (const std::string text :
       {"add.f16.f32 %0, %1, %2;", "mul.f32.f16 %0, %1, %2;", "min.abs.f32 %0, %1, %2;", "min.xorsign.f32 %0, %1, %2;",
        "min.xorsign.abs.f64 %0, %1, %2;", "min.relu.u32 %0, %1, %2;", "add.sat.f32x2 %0, %1, %2;",
        "cvt.rm.satfinite.bf16x2.f32 %0, %1, %2;", "cvt.rn.satfinite.e2m3x2.f16x2 %0, %1;",
        "cvt.rn.ue8m0x2.f32 %0, %1, %2;", "cvt.satfinite.s32.f32 %0, %1;", "ld.relaxed.gpu.b128 w, [%0];",
        "red.global.v2.u32.add [%0], {%1, %2};", "redux.sync.add.f32 %0, %1, -1;",
        "redux.sync.min.abs.s32 %0, %1, -1;"}) {
    INFO(text);
    CHECK_FALSE(is_known(text));
  }
}

TEST_CASE("ptx: forms since sm_100 compute as the manual says") {
  CHECK(add<f32, f16>(f16{0x3c00}, 0x1p-24F) == 1.0F);
  CHECK(add_rp<f32, f16>(f16{0x3c00}, 0x1p-24F) == std::nextafter(1.0F, 2.0F));
  CHECK(sub<f32, bf16>(bf16{0x3f80}, 3.0F) == -2.0F);
  CHECK(fma_sat<f32, f16>(f16{0x4000}, f16{0x4000}, 0.5F) == 1.0F);
  CHECK(max_abs<f32>(1, -3, 2) == 3);
  CHECK(min<f32>(1, kNotANumber, -2) == -2);
  CHECK(std::isnan(min_NaN_abs<f32>(1, kNotANumber, -2)));
  CHECK(cvt_satfinite<bf16, f32>(std::numeric_limits<float>::infinity()).bits_of_it == 0x7f7f);
  CHECK(cvt_satfinite_relu<f16, f32>(-1e10F).bits_of_it == 0);
  CHECK(cvt_satfinite<tf32, f32>(-std::numeric_limits<float>::max()).bits_of_it == 0xff7fe000);
  CHECK(cvt_satfinite<e2m1x2, f32>(-5.0F, 0.25F).bits_of_it == 0xe0);  // both are middles
  CHECK(cvt_satfinite_relu<e2m3x2, f32>(-1.0F, 100.0F).bits_of_it == 0x001f);
  CHECK(cvt_satfinite<e3m2x2, f32>(kNotANumber, 0.0625F).bits_of_it == 0x1f01);
  CHECK(cvt<f16x2, e3m2x2>(cvt_satfinite<e3m2x2, f32>(28.0F, -0.25F)).bits_of_it == 0x4f00b400);
  CHECK(cvt_rp<ue8m0x2, f32>(1.5F, 1.0F).bits_of_it == 0x807f);
  CHECK(cvt_rz<ue8m0x2, f32>(1.5F, 0.0F).bits_of_it == 0x7f00);
  CHECK(cvt<bf16x2, ue8m0x2>(ue8m0x2{0x807f}).bits_of_it == 0x40003f80);
  CHECK(part<b64>(pack<b128>(u64{1}, u64{2}), 1) == 2);
  for (const float x : {-1e30F, -1.0F, -0.0F, 0.0F, 0x1p-149F, 2.0F, 1e38F}) {
    CHECK(with_rank(rank_of(x, 0)) == x);
    CHECK(rank_of(x, 0) < rank_of(std::nextafter(x, std::numeric_limits<float>::infinity()), ~0U));
  }
  CHECK(std::isnan(with_rank(rank_of(kNotANumber, 0))));
}

}  // namespace
}  // namespace warpfiber::ptx::test

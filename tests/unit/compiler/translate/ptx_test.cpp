// SPDX-License-Identifier: Apache-2.0
//
// Inline PTX: what an asm statement becomes, and what the functions it becomes compute. The expected values are worked
// out from the PTX ISA.
#include <warpfiber/intrinsics/ptx.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "translate/ptx/emit.hpp"
#include "translate/ptx/matrix.hpp"
#include "translate/ptx/parse.hpp"
#include "translate/ptx/table.hpp"
#include "translate/ptx/video.hpp"
#include "unit/compiler/translate/sample.hpp"

namespace warpfiber::translate::test {
namespace {

using ptx::emit;

TEST_CASE("ptx: a text is instructions, registers and blocks") {
  const auto all = ptx::parse("{ .reg .pred p; // comment\n\t@!p ld.global.v2.u32 {%0, %1}, [%2 + 16]; }");
  REQUIRE(all.size() == 4);
  CHECK(all[1].kind == ptx::InstructionKind::registers);
  CHECK(all[2].guard == "!p");
  CHECK(all[2].opcode == std::vector<std::string>{"ld", "global", "v2", "u32"});
  CHECK(all[2].operands == std::vector<std::string>{"{%0,%1}", "[%2+16]"});
}

TEST_CASE("ptx: operands stay where they are and are evaluated once") {
  CHECK(translated("__device__ void f(unsigned a) {\n  asm volatile(\"mov.u32 %0, %%laneid;\"\n : \"=r\"(a));\n}") ==
        "           void f(unsigned a) {\n  []([[maybe_unused]] auto& warpfiber_0) { "
        "::warpfiber::ptx::write(warpfiber_0, "
        "::warpfiber::ptx::read<::warpfiber::ptx::u32>(::warpfiber::ptx::laneid())); }(\n(a));\n}");
  CHECK(translated("__global__ void k() { if (1) asm(\"trap;\"); else asm volatile (\"membar.gl;\" ::: \"memory\"); }")
            .find("if (1) []() { ::warpfiber::ptx::trap(); }(); else []() { ::warpfiber::ptx::membar_gl(); }(); ") !=
        std::string::npos);
}

TEST_CASE("ptx: asm of the host stays") {
  const std::string text = "void f() { asm volatile(\"rdtsc\" : \"=a\"(x)); } __warpfiber_device__ int g();";
  CHECK(translate(text, "").text.find("asm volatile(\"rdtsc\" : \"=a\"(x));") != std::string::npos);
}

TEST_CASE("ptx: labels and branches are those of the function") {
  CHECK(emit("{ .reg .pred p; again: setp.eq.u32 p, %0, 0; @p bra over; bra.uni again; over: }", 1).text ==
        "{ [[maybe_unused]] ::warpfiber::ptx::pred warpfiber_r_p{}; warpfiber_l_again: ; "
        "::warpfiber::ptx::write(warpfiber_r_p, ::warpfiber::ptx::setp_eq<::warpfiber::ptx::u32>(::warpfiber::ptx::"
        "read<::warpfiber::ptx::u32>(warpfiber_0), ::warpfiber::ptx::read<::warpfiber::ptx::u32>(0))); "
        "if (::warpfiber::ptx::read<::warpfiber::ptx::pred>(warpfiber_r_p)) { goto warpfiber_l_over; } "
        "goto warpfiber_l_again; warpfiber_l_over: ; } ");
}

TEST_CASE("ptx: atomics keep their order") {
  const auto order_of = [](const std::string& opcode) {
    const std::string text = emit(opcode + " %0, [%1], 1;", 2).text;
    const std::size_t at = text.find("u32, ");
    return at == std::string::npos ? "" : text.substr(at + 5, text.find('>', at) - at - 5);
  };
  CHECK(order_of("atom.relaxed.gpu.add.u32").empty());
  CHECK(order_of("atom.add.acquire.cta.u32") == "::warpfiber::ptx::acquire");
  CHECK(order_of("atom.acq_rel.sys.global.exch.u32") == "::warpfiber::ptx::acq_rel");
  CHECK(emit("red.release.gpu.global.add.s32 [%0], 1;", 1).text.find("::warpfiber::ptx::release>") !=
        std::string::npos);
}

TEST_CASE("ptx: a text that is none is refused") {
  for (const std::string text :
       {"st.;", ".;", "..add.s32. %0, %1, %2;", "add.s32 %0, %1, !;", "add.s32 %0, %1, !!%2;"}) {
    INFO(text);
    CHECK(emit(text, 5).text.empty());
    CHECK_FALSE(emit(text, 5).wrong.empty());
  }
  CHECK_FALSE(emit("add.s32 %0, %1, " + std::string(1000000, '!') + "%2;", 5).wrong.empty());
}

TEST_CASE("ptx: a text may be of any length", "[growth]") {
  const std::string blanks(1000000, ' ');
  CHECK(emit(blanks + "{" + blanks + "add.s32 %0," + blanks + "%1, %2;" + blanks + "}", 5).wrong.empty());
}

TEST_CASE("ptx: instructions of real programs are known") {
  for (const std::string text : {"mov.u32 %0, %warpid;",
                                 "mov.u32 %0, %tid.x;",
                                 "mov.u64 %0, %globaltimer;",
                                 "mov.u64 %0, %clock64;",
                                 "mov.b64 {%0, %1}, %2;",
                                 "mov.b64 %0, {%1, %2};",
                                 "bfind.u32 %0, %1;",
                                 "bfind.shiftamt.s32 %0, %1;",
                                 "vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;",
                                 "ld.acquire.gpu.u32 %0, [%1];",
                                 "ld.global.cg.u32 %0, [%1];",
                                 "ld.volatile.global.v4.f32 {%0,%1,%2,%3}, [%4+16];",
                                 "st.release.sys.global.u32 [%0], %1;",
                                 "st.cg.u32 [%0], %1;",
                                 "st.shared.v2.u32 [%0], {%1, %2};",
                                 "cp.async.cg.shared.global [%0], [%1], 16;",
                                 "cp.async.commit_group;",
                                 "cp.async.wait_group 0;",
                                 "cp.async.ca.shared.global.L2::128B [%0], [%1], %2, %3;",
                                 "lop3.b32 %0, %1, %2, %3, 0xe8;",
                                 "ex2.approx.ftz.f32 %0, %1;",
                                 "lg2.approx.f32 %0, %1;",
                                 "rcp.approx.ftz.f32 %0, %1;",
                                 "tanh.approx.f32 %0, %1;",
                                 "shfl.sync.down.b32 %0, %1, %2, 0x1f, 0xffffffff;",
                                 "mad.lo.cc.u32 %0, %1, %2, %3;",
                                 "add.cc.u32 %0, %1, %2; addc.cc.u32 %3, %1, 0; addc.u32 %4, 0, 0;",
                                 "sub.cc.u64 %0, %1, %2; subc.cc.u64 %3, %1, %2; subc.u32 %4, 0, 0;",
                                 "madc.hi.cc.u32 %0, %1, %2, %3; madc.lo.u64 %4, %1, %2, 0;",
                                 "match.any.sync.b32 %0, %1, %2;",
                                 "redux.sync.add.u32 %0, %1, 0xffffffff;",
                                 "membar.gpu;",
                                 "{ .reg .pred p; setp.ne.u32 p, %1, 0; selp.u32 %0, 1, 2, p; }",
                                 "{ .reg .pred p; setp.ne.b32 p, %0, 0; @p cp.async.cg.shared.global [%1], [%2], 16; }",
                                 "{ .reg .pred p; setp.neu.f32 p, %0, %1; }",
                                 "{ .reg .u32 r<2>; shfl.sync.up.b32 r0|r1, %1, 1, 0, -1; }",
                                 "trap;",
                                 "atom.global.gpu.relaxed.add.u32 %0, [%1], %2;",
                                 "red.global.add.f32 [%0], %1;",
                                 "atom.cas.b64 %0, [%1], %2, %3;",
                                 "cvt.rzi.s32.f32 %0, %1;",
                                 "cvta.to.shared.u64 %0, %1;",
                                 "bar.sync 0;",
                                 "bar.sync %0, 64;",
                                 "barrier.cta.sync.aligned %0, %1;",
                                 "bar.arrive 1, %0;",
                                 "mul.wide.u32 %0, %1, %2;",
                                 "mad.wide.s32 %0, %1, %2, %3;",
                                 "prmt.b32 %0, %1, %2, 0x3210;",
                                 "@p bra L;",
                                 "fence.acq_rel.gpu;",
                                 "activemask.b32 %0;",
                                 "vote.sync.ballot.b32 %0, p, -1;"}) {
    INFO(text);
    const ptx::Emitted emitted = emit(text, 5);
    const bool unknown = text.find("bra") != std::string::npos || text.find("ballot") != std::string::npos;
    CHECK(emitted.wrong.empty() == !unknown);
    CHECK(emitted.text.empty() == unknown);
  }
}

TEST_CASE("ptx: instructions since sm_70 are known") {
  for (const std::string text :
       {"mov.u32 %0, %clusterid.x;", "mov.u32 %0, %cluster_ctarank;", "isspacep.shared::cta p, %1;",
        "isspacep.global p, %1;", "elect.sync _|p, %0;", "bmsk.clamp.b32 %0, %1, %2;", "add.u16x2 %0, %1, %2;",
        "max.s16x2 %0, %1, %2;", "add.f32x2 %0, %1, %2;", "fma.rn.f32x2 %0, %1, %2, %3;", "mov.pred p, p;",
        "fence.proxy.async.shared::cta;", "fence.mbarrier_init.release.cluster;",
        "prefetch.global.L2::evict_last [%0];", "discard.global.L2 [%0], 128;",
        "cp.async.bulk.prefetch.L2.global [%0], %1;", "ld.shared::cta.u32 %0, [%1];",
        "ld.relaxed.cluster.shared::cluster.u32 %0, [%1];", "red.relaxed.cluster.shared::cluster.add.u32 [%0], %1;"}) {
    INFO(text);
    CHECK(emit("{ .reg .pred p; " + text + " }", 5).wrong.empty());
  }
  for (const std::string text : {"isspacep p, %1;", "bmsk.b32 %0, %1, %2;", "fence.proxy.none;"}) {
    INFO(text);
    CHECK_FALSE(emit("{ .reg .pred p; " + text + " }", 5).wrong.empty());
  }
}

TEST_CASE("ptx: masks of bits and packed numbers compute as the manual says") {
  namespace x = ::warpfiber::ptx;
  CHECK(x::bmsk_clamp<x::b32>(4, 8) == 0xff0U);
  CHECK(x::bmsk_clamp<x::b32>(28, 8) == 0xf0000000U);
  CHECK(x::bmsk_clamp<x::b32>(32, 8) == 0);
  CHECK(x::bmsk_clamp<x::b32>(4, 32) == 0xfffffff0U);
  CHECK(x::bmsk_wrap<x::b32>(36, 40) == 0xff0U);
  CHECK(x::bmsk_wrap<x::b32>(4, 32) == 0);
  CHECK(x::add_u16x2(0x0001ffffU, 0x00020001U) == 0x00030000U);
  CHECK(x::add_s16x2(0x7fff0001U, 0x0001ffffU) == 0x80000000U);
  CHECK(x::min_u16x2(0xffff0001U, 0x00010002U) == 0x00010001U);
  CHECK(x::min_s16x2(0xffff0001U, 0x00010002U) == 0xffff0001U);
  CHECK(x::max_u16x2(0xffff0001U, 0x00010002U) == 0xffff0002U);
  CHECK(x::max_s16x2(0xffff0001U, 0x00010002U) == 0x00010002U);
  const x::f32x2 a(1.5F, -2.0F);
  const x::f32x2 b(0.25F, 8.0F);
  CHECK(x::add<x::f32x2>(a, b).bits_of_it == x::f32x2(1.75F, 6.0F).bits_of_it);
  CHECK(x::sub<x::f32x2>(a, b).bits_of_it == x::f32x2(1.25F, -10.0F).bits_of_it);
  CHECK(x::mul<x::f32x2>(a, b).bits_of_it == x::f32x2(0.375F, -16.0F).bits_of_it);
  CHECK(x::fma<x::f32x2>(a, b, a).bits_of_it == x::f32x2(1.875F, -18.0F).bits_of_it);
  const x::f32x2 least(0x1p-60F, -0x1p-60F);
  CHECK(x::add_rp<x::f32x2>(a, least).bits_of_it == x::f32x2(std::nextafter(1.5F, 2.0F), -2.0F).bits_of_it);
  CHECK(x::add_rm<x::f32x2>(a, least).bits_of_it == x::f32x2(1.5F, std::nextafter(-2.0F, -3.0F)).bits_of_it);
}

TEST_CASE("ptx: reductions at barriers have the result of their operation") {
  for (const std::string text : {"bar.red.popc.pred %0, 1, 64, p;", "bar.red.and.u32 %0, 1, p;",
                                 "bar.red.u32 %0, 1, p;", "bar.red.xor.pred q, 1, p;", "bar.red.popc.u32 %0, 1;"}) {
    INFO(text);
    CHECK_FALSE(emit("{ .reg .pred p, q; " + text + " }", 5).wrong.empty());
  }
}

TEST_CASE("ptx: what is not known is an error where it is reached") {
  const std::string asks = "__device__ void f() { asm(\"wgmma.fence.sync.aligned;\"); }\n";
  const std::string becomes = "::warpfiber::ptx::unknown(\"wgmma.fence.sync.aligned\");";
  for (const std::string header : {"/usr/include/h.h\" 1 3", "/opt/cccl/cub/cub/h.cuh\" 1", "own.cuh\" 1"}) {
    INFO(header);
    const std::string text = with_tokens("# 1 \"a.cu\"\n# 1 \"" + header + "\n" + asks + "# 2 \"a.cu\" 2\n");
    const Translation result = translate(text, "");
    CHECK_THAT(result.text, Catch::Matchers::ContainsSubstring(becomes));
    CHECK(result.diagnostics.empty());
    CHECK(result.warnings.size() == (header.starts_with("own") ? 1 : 0));
  }
}

TEST_CASE("ptx: a warning quotes what is not known, at the first line of each opcode") {
  const Translation result = translate_sample(
      "__device__ void f(int x) {\n\n  asm(\"wgmma.fence.sync.aligned; trap;\");\n  asm(\"ldmatrix.of %0, x;\" :: "
      "\"r\"(x));\n}\ntemplate <class T> __device__ void g() {\n  asm(\"{ wgmma.fence.sync.aligned; }\");\n}");
  REQUIRE(result.diagnostics.empty());
  REQUIRE(result.warnings.size() == 2);
  CHECK(to_text(result.warnings[0], "warning") ==
        "sample.cu:3:3: warning: inline PTX that is not modelled: \"wgmma.fence.sync.aligned\" (here and at 1 more "
        "place); a thread that reaches it ends the launch (warpfiber explain trap)");
  CHECK(to_text(result.warnings[1], "warning") ==
        "sample.cu:4:3: warning: inline PTX that is not modelled: \"ldmatrix.of\"; a thread that reaches it ends the "
        "launch (warpfiber explain trap)");
  CHECK(emit("mov.u64 %0, %gridid;", 1).wrong == "mov.u64 %0, %gridid");
  CHECK(emit("add.u32 %0, %1, %7;", 2).wrong == "add.u32 %0, %1, %7");
  CHECK(emit("add.u32 %0, q, 1;", 2).wrong == "add.u32 %0, q, 1");
  CHECK(emit("add.rz.f16 %0, %1, %1;", 2).wrong == "add.rz.f16 %0, %1, %1");
  CHECK(emit("{ .reg .pred p; setp.lt.b32 p, %0, 1; }", 1).wrong == "setp.lt.b32 p, %0, 1");
  CHECK(emit("{ .reg .pred p; setp.ltu.s32 p, %0, 1; }", 1).wrong == "setp.ltu.s32 p, %0, 1");
  CHECK(emit("add.u32 %0, %1;", 2).wrong == "add.u32 %0, %1");
  CHECK(emit("}", 0).wrong == "}");
  CHECK(emit("{ trap;", 0).wrong == "{");
}

TEST_CASE("ptx: predicates guard instructions") {
  CHECK(emit("{ .reg .pred p; setp.lt.s32 p, %0, 3; @!p trap; }", 1)
            .text.find(
                "if (!::warpfiber::ptx::read<::warpfiber::ptx::pred>(warpfiber_r_p)) { ::warpfiber::ptx::trap(); }") !=
        std::string::npos);
}

TEST_CASE("ptx: integer instructions compute as the manual says") {
  namespace x = ::warpfiber::ptx;
  CHECK(x::mul_hi<x::u32>(0xffffffffU, 0xffffffffU) == 0xfffffffeU);
  CHECK(x::mul_wide<x::s32>(-2, 3) == -6);
  CHECK(x::mad_lo<x::s32>(0x7fffffff, 2, 3) == 1);
  CHECK(x::mad_wide<x::u32>(0xffffffffU, 2, 1) == 0x1ffffffffULL);
  CHECK(x::add_sat<x::s32>(0x7fffffff, 1) == 0x7fffffff);
  CHECK(x::bfind<x::u32>(0) == 0xffffffffU);
  CHECK(x::bfind<x::u32>(0x80) == 7);
  CHECK(x::bfind<x::s32>(-1) == 0xffffffffU);
  CHECK(x::bfind<x::s32>(-256) == 7);
  CHECK(x::bfind_shiftamt<x::u32>(0x80) == 24);
  CHECK(x::bfe<x::u32>(0xabcd1234U, 8, 8) == 0x12);
  CHECK(x::bfe<x::s32>(0x00000080, 4, 4) == -8);
  CHECK(x::bfe<x::u32>(0xffffffffU, 0, 0) == 0);
  CHECK(x::bfe<x::u32>(0xf0000000U, 28, 20) == 0xf);
  CHECK(x::bfi<x::b32>(0xff, 0, 8, 4) == 0xf00);
  CHECK(x::bfi<x::b32>(1, 5, 40, 4) == 5);
  CHECK(x::prmt<x::b32>(0x33221100U, 0x77665544U, 0x7410) == 0x77441100U);
  CHECK(x::prmt<x::b32>(0x80U, 0, 0x8888) == 0xffffffffU);
  CHECK(x::lop3<x::b32>(0xf0f0f0f0U, 0xccccccccU, 0xaaaaaaaaU, 0xe8) == 0xe8e8e8e8U);
  CHECK(x::shl<x::b32>(1, 32) == 0);
  CHECK(x::shr<x::s32>(-8, 40) == -1);
  CHECK(x::div<x::s32>(std::numeric_limits<int>::min(), -1) == std::numeric_limits<int>::min());
  CHECK(x::sad<x::u32>(3, 5, 7) == 9);
  CHECK(x::popc<x::b64>(~0ULL) == 64);
  CHECK(x::clz<x::b32>(1) == 31);
  CHECK(x::brev<x::b32>(1) == 0x80000000U);
}

TEST_CASE("ptx: carries and borrows are those of unsigned numbers") {
  namespace x = ::warpfiber::ptx;
  const unsigned values[] = {0, 1, 2, 0x7fffffffU, 0x80000000U, 0xfffffffeU, 0xffffffffU};
  for (const unsigned a : values) {
    for (const unsigned b : values) {
      for (const unsigned in : {0U, 1U}) {
        bool out = false;
        const unsigned long long sum = 0ULL + a + b + in;
        CHECK(x::add_carry<x::u32>(a, b, in == 1, out) == static_cast<unsigned>(sum));
        CHECK(out == (sum >> 32 != 0));
        const long long difference = 0LL + a - b - in;
        CHECK(x::subtract_borrow<x::s32>(static_cast<int>(a), static_cast<int>(b), in == 1, out) ==
              static_cast<int>(difference));
        CHECK(out == (difference < 0));
      }
    }
  }
  bool out = false;
  CHECK(x::add_carry<x::u64>(~0ULL, ~0ULL, true, out) == ~0ULL);
  CHECK(out);
}

TEST_CASE("ptx: conversions saturate and keep bits where sizes agree") {
  namespace x = ::warpfiber::ptx;
  CHECK(x::cvt_rzi<x::s32, x::f32>(-2.7F) == -2);
  CHECK(x::cvt_rni<x::s32, x::f32>(2.5F) == 2);
  CHECK(x::cvt_rzi<x::u32, x::f32>(-1.0F) == 0);
  CHECK(x::cvt_rzi<x::s32, x::f32>(1e20F) == std::numeric_limits<int>::max());
  CHECK(x::cvt_rzi<x::s32, x::f32>(std::nanf("")) == 0);
  CHECK(x::cvt_rpi<x::u64, x::f64>(1e30) == std::numeric_limits<x::u64>::max());
  CHECK(x::cvt_sat<x::u8, x::s32>(300) == 255);
  CHECK(x::read<x::u32>(1.0F) == 0x3f800000U);
  CHECK(x::read<x::u64>(-1) == ~0ULL);
  float real = 0;
  x::write(real, 0x40000000U);
  CHECK(real == 2.0F);
  CHECK(x::pack<x::b64>(1U, 2U) == 0x200000001ULL);
  CHECK(x::part<x::b32>(0x200000001ULL, 1) == 2);
  CHECK(x::bits_of_f32(0x3f800000) == 1.0F);
  CHECK(x::ex2<x::f32>(3.0F) == 8.0F);
  const float nan = std::nanf("");
  CHECK_FALSE(x::setp_ne<x::f32>(nan, 1.0F));
  CHECK(x::setp_neu<x::f32>(nan, 1.0F));
  CHECK(x::setp_equ<x::f32>(nan, 1.0F));
  CHECK_FALSE(x::setp_equ<x::f32>(2.0F, 1.0F));
  CHECK(x::setp_geu<x::f64>(1.0, nan));
  CHECK_FALSE(x::setp_ltu<x::f64>(1.0, 1.0));
  CHECK(x::setp_nan<x::f32>(1.0F, nan));
  CHECK_FALSE(x::setp_num<x::f32>(1.0F, nan));
}

TEST_CASE("ptx: every function that the table can name exists and takes what is passed") {
  std::string code;
  for (const std::string text : {"add.s32 %0, %1, %2;",
                                 "mul.wide.u16 %0, %1, %2;",
                                 "mad.wide.s32 %3, %1, %2, %3;",
                                 "bfe.u64 %3, %3, 3, 4;",
                                 "and.pred p, p, p;",
                                 "not.b64 %3, %3;",
                                 "selp.f32 %4, 0f3F800000, %4, p;",
                                 "setp.gtu.f32 p, %4, %4;",
                                 "setp.eq.b64 p, %3, %3;",
                                 "setp.ge.and.f32 p|q, %4, %4, !p;",
                                 "ld.relaxed.gpu.global.v2.u32 {%0, %1}, [%3+8];",
                                 "st.release.gpu.u64 [%3], %3;",
                                 "atom.add.f32 %4, [%3], %4;",
                                 "red.shared.max.s32 [%0], %1;",
                                 "atom.cas.b32 %0, [%3], 1, 2;",
                                 "cp.async.ca.shared.global [%0], [%3], 8, 4;",
                                 "shfl.sync.idx.b32 %0|p, %1, 3, 31, -1;",
                                 "mov.b64 {%0, %1}, %3;",
                                 "mov.b64 %3, {%0, %1};",
                                 "cvt.rn.f32.s32 %4, %0;",
                                 "cvt.u64.u32 %3, %0;",
                                 "@p bar.sync 0;",
                                 "barrier.sync %0, %1;",
                                 "bar.cta.arrive 2, 64;",
                                 "bar.red.popc.u32 %0, 1, 64, p;",
                                 "bar.red.popc.u32 %0, %0, !p;",
                                 "bar.cta.red.and.pred q, 0, p;",
                                 "barrier.red.or.pred q, %0, %1, !p;",
                                 "barrier.cta.red.popc.aligned.u32 %0, 3, 32, p;",
                                 "vote.sync.ballot.b32 %0, p, -1;",
                                 "activemask.b32 %0;",
                                 "cvta.to.shared.u64 %3, %3;",
                                 "fma.rn.f32 %4, %4, %4, %4;",
                                 "tanh.approx.f32 %4, %4;",
                                 "mov.u32 %0, %lanemask_lt;",
                                 "mov.u32 %0, %nctaid.z;",
                                 "mov.u32 %0, %clock;",
                                 "nanosleep.u32 100;",
                                 "red.add.u64 [%3], 1;",
                                 "atom.exch.b64 %3, [%3], %3;",
                                 "atom.or.b32 %0, [%3], %1;",
                                 "atom.inc.u32 %0, [%3], %1;",
                                 "fence.sc.gpu;",
                                 "membar.sys;",
                                 "membar.gpu;",
                                 "add.cc.u32 %0, %1, %2;",
                                 "addc.s32 %0, %1, %2;",
                                 "addc.cc.u64 %3, %3, 1;",
                                 "sub.cc.s64 %3, %3, 1;",
                                 "subc.u32 %0, %1, 0;",
                                 "subc.cc.u32 %0, %1, 0;",
                                 "mad.lo.cc.u32 %0, %0, %1, %2;",
                                 "mad.hi.cc.s64 %3, %3, %3, %3;",
                                 "madc.lo.u64 %3, %3, %3, %3;",
                                 "madc.hi.u32 %0, %0, %1, %2;",
                                 "madc.lo.cc.u32 %0, %0, %1, %2;",
                                 "madc.hi.cc.u32 %0, %0, %1, %2;",
                                 "match.any.sync.b64 %0, %3, -1;",
                                 "match.all.sync.b32 %0|p, %1, -1;",
                                 "match.all.sync.b64 %0, %3, -1;",
                                 "redux.sync.add.s32 %0, %1, -1;",
                                 "redux.sync.min.s32 %0, %1, -1;",
                                 "redux.sync.max.u32 %0, %1, -1;",
                                 "redux.sync.and.b32 %0, %1, -1;",
                                 "redux.sync.or.b32 %0, %1, -1;",
                                 "redux.sync.xor.b32 %0, %1, -1;",
                                 "dp4a.s32.s32 %0, %0, %1, %2;",
                                 "atom.cas.acquire.gpu.global.b16 %0, [%3], 1, 2;",
                                 "mbarrier.init.shared::cta.b64 [%0], %1;",
                                 "mbarrier.arrive.release.cta.shared::cta.b64 %3, [%0];",
                                 "mbarrier.arrive.b64 %3, [%3], 2;",
                                 "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];",
                                 "mbarrier.arrive.noComplete.shared.b64 %3, [%0], 1;",
                                 "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;",
                                 "mbarrier.arrive_drop.shared.b64 _, [%0];",
                                 "mbarrier.arrive_drop.noComplete.shared.b64 %3, [%0], 1;",
                                 "mbarrier.arrive_drop.expect_tx.shared.b64 %3, [%0], 16;",
                                 "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 16;",
                                 "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 16;",
                                 "mbarrier.test_wait.shared.b64 p, [%0], %3;",
                                 "mbarrier.test_wait.parity.acquire.cta.shared::cta.b64 p, [%0], 1;",
                                 "mbarrier.try_wait.shared.b64 p, [%0], %3;",
                                 "mbarrier.try_wait.parity.shared.b64 p, [%0], 0, 1000;",
                                 "mbarrier.pending_count.b64 %0, %3;",
                                 "mbarrier.inval.shared.b64 [%0];",
                                 "cp.async.mbarrier.arrive.shared::cta.b64 [%0];",
                                 "cp.async.mbarrier.arrive.noinc.shared.b64 [%0];",
                                 "cp.async.wait_all;",
                                 "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%0], [%3], 64, [%0];",
                                 "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster."
                                 "L2::cache_hint [%0], [%3], 64, [%0], 3, %3;",
                                 "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%0], "
                                 "64, [%0];",
                                 "cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%3], [%0], 64, %3;",
                                 "cp.async.bulk.commit_group;",
                                 "cp.async.bulk.wait_group.read 1;",
                                 "mapa.shared::cluster.u32 %0, %0, 1;",
                                 "mapa.u64 %3, %3, %1;",
                                 "getctarank.shared::cluster.u32 %0, %0;",
                                 "getctarank.u64 %0, %3;",
                                 "barrier.cluster.arrive.relaxed.aligned;",
                                 "barrier.cluster.wait.acquire.aligned;",
                                 "setmaxnreg.inc.sync.aligned.u32 240;"}) {
    const ptx::Emitted emitted = emit("{ .reg .pred p, q; setp.eq.u32 p, 1, 1; " + text + " }", 5);
    INFO(text);
    CHECK(emitted.wrong.empty());
    code += emitted.text + "\n";
  }
  const Outcome outcome = compile(
      "#include <warpfiber/intrinsics/ptx.hpp>\nvoid f(unsigned& warpfiber_0, int warpfiber_1, unsigned warpfiber_2, "
      "unsigned long long& warpfiber_3, float& warpfiber_4) {\n" +
      code + "}\n");
  INFO(outcome.output);
  CHECK(outcome.status == 0);
}

/// Operands for a form: registers t of its type, u of 32, a of 64 bits, p.
std::string operands_of(const ptx::Form& form, const std::string& opcode) {
  const std::string type = form.types.empty() ? "u" : "t";
  switch (form.shape) {
    case ptx::InstructionShape::nothing: return "";
    case ptx::InstructionShape::branch: return "end";
    case ptx::InstructionShape::move: return "t, t";
    case ptx::InstructionShape::load: return "t, [a]";
    case ptx::InstructionShape::store: return "[a], t";
    case ptx::InstructionShape::copy: return "[u], [a], 16";
    case ptx::InstructionShape::compare: return form.types.size() == 2 ? "t, t, t" : "p, t, t";
    case ptx::InstructionShape::barrier:
      return form.sources != "up" ? "0, 64" : opcode.find("popc") != std::string::npos ? "u, 0, p" : "p, 0, p";
    default: break;
  }
  const bool is_test = opcode.find("isspacep") == 0 || opcode.find("_wait") != std::string::npos ||
                       opcode.find("vote.sync.a") == 0 || opcode.find("vote.sync.uni") == 0;
  std::string list;
  const auto add = [&list](const std::string& operand) { list += (list.empty() ? "" : ", ") + operand; };
  const bool has_result = form.shape != ptx::InstructionShape::action && form.shape != ptx::InstructionShape::reduction;
  if (has_result) add(form.shape == ptx::InstructionShape::shuffle ? "u|p" : is_test ? "p" : type);
  if (form.shape == ptx::InstructionShape::atomic || form.shape == ptx::InstructionShape::reduction) add("[a]");
  for (const char letter : form.sources) {
    if (letter == 'm' || letter == 'G') add("[a]");
    if (letter == 'S') add("[u]");
    if (letter == 'T' || letter == 'D') add("t");
    if (letter == 'W' || letter == 'a') add("a");
    if (letter == 'u') add("u");
    if (letter == 'p') add("p");
  }
  return list;
}

/// The opcodes between back quotes, in parts.
std::vector<std::vector<std::string>> opcodes_in(const std::string& text) {
  std::vector<std::vector<std::string>> opcodes;
  for (std::size_t open = text.find('`'); open != std::string::npos; open = text.find('`', open + 1)) {
    const std::size_t close = text.find('`', open + 1);
    std::istringstream parts(text.substr(open + 1, close - open - 1));
    opcodes.emplace_back();
    for (std::string part; std::getline(parts, part, '.');) opcodes.back().push_back(part);
    open = close;
  }
  return opcodes;
}

bool is_modelled(const std::vector<std::string>& opcode) {
  return ptx::find_video_form(opcode).has_value() || ptx::find_form(opcode).has_value() ||
         ptx::find_matrix_form(opcode).has_value();
}

TEST_CASE("ptx: the page lists what is modelled and what is not") {
  std::ifstream page(WARPFIBER_PUBLIC_HEADERS "/../docs/ptx.md");
  std::size_t listed = 0;
  for (std::string line; std::getline(page, line);) {
    const std::size_t first = line.find(" | ");
    if (!line.starts_with("| ") || first == std::string::npos) continue;
    const std::size_t second = line.find("| ", first + 3);
    for (const auto& opcode : opcodes_in(line.substr(first, second - first))) {
      INFO(line << "\n" << opcode.back());
      CHECK(is_modelled(opcode));
      ++listed;
    }
    for (const auto& opcode : opcodes_in(line.substr(std::min(second, line.size())))) {
      INFO(line << "\n" << opcode.back());
      CHECK_FALSE(is_modelled(opcode));
    }
  }
  CHECK(listed > 150);
}

TEST_CASE("ptx: there is a function behind every form of the table") {
  std::string code = "#include <warpfiber/intrinsics/ptx.hpp>\n";
  std::size_t functions = 0;
  for (const std::vector<std::string>& parts : ptx::all_opcodes()) {
    std::string opcode;
    for (const std::string& part : parts) opcode += (opcode.empty() ? "" : ".") + part;
    const std::optional<ptx::Form> form = ptx::find_form(parts);
    REQUIRE(form);
    const bool of_type = parts.front() == "bar" || parts.front() == "barrier";
    const std::string type = form->types.empty() ? "u32" : form->types.back();
    const std::string what = of_type && form->sources == "up"
                                 ? opcode + (opcode.find("popc") != std::string::npos ? ".u32" : ".pred")
                                 : opcode;
    const ptx::Emitted emitted = emit("{ .reg .pred p; .reg .u32 u; .reg .u64 a; .reg ." + type + " t; " + what + " " +
                                          operands_of(*form, opcode) + (opcode == "bra" ? "; end: }" : "; }"),
                                      0);
    INFO(what << " " << operands_of(*form, opcode));
    REQUIRE(emitted.wrong.empty());
    code += "#line 1 \"" + what + "\"\nvoid f" + std::to_string(functions++) + "() { " + emitted.text + " }\n";
  }
  CHECK(functions > 400);
  const Outcome outcome = compile(code);
  INFO(outcome.output);
  CHECK(outcome.status == 0);
}

TEST_CASE("ptx: matrices of bytes have the shapes of the manual") {
  const auto known = [](const std::string& text) { return emit(text, 5).wrong.empty(); };
  const std::string two = " {%0, %1}, [%2];";
  const std::string four = " {%0, %1, %2, %3}, [%4];";
  CHECK(known("ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8" + two));
  CHECK(known("ldmatrix.sync.aligned.m16n16.x2.trans.shared::cta.b8" + four));
  CHECK(known("ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.b6x16_p32" + two));
  CHECK(known("ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b4x16_p64" + four));
  CHECK(known("stmatrix.sync.aligned.m16n8.x2.trans.shared.b8 [%0], {%1, %2};"));
  CHECK_FALSE(known("ldmatrix.sync.aligned.m16n16.x1.shared.b8" + two));
  CHECK_FALSE(known("ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8" + two));
  CHECK_FALSE(known("ldmatrix.sync.aligned.m8n16.x2.trans.shared.b8x16.b6x16_p32" + two));
  CHECK_FALSE(known("ldmatrix.sync.aligned.m8n16.x2.shared.b8" + two));
  CHECK_FALSE(known("ldmatrix.sync.aligned.m8n8.x2.shared.b8" + two));
  CHECK_FALSE(known("stmatrix.sync.aligned.m16n16.x1.trans.shared.b8 [%0], {%1, %2};"));
}

TEST_CASE("ptx: satfinite of a product stands before its types or behind them") {
  const std::string operands = " {%0, %1}, {%2}, {%3}, {%0, %1};";
  const auto before = emit("mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.u8.s32" + operands, 4);
  const auto behind = emit("mma.sync.aligned.m8n8k16.row.col.s32.s8.u8.s32.satfinite" + operands, 4);
  CHECK(before.wrong.empty());
  CHECK(before.text == behind.text);
  CHECK(emit("mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.u8.s32.satfinite" + operands, 4).wrong != "");
}

}  // namespace
}  // namespace warpfiber::translate::test

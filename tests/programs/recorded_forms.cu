// SPDX-License-Identifier: Apache-2.0
//
// PTX of words: set, slct, products of 24 bits and of bytes, the smaller and the larger one, roundings, conversions that
// stay finite, video instructions; for 16,384 operands each, among them limits, equal ones and NaN. The hashes are those
// of an H200's results (driver 580.159, CUDA 13.0). With a path as argument the results are written to that file.
#include "common.h"

using u16 = unsigned short;
using u32 = unsigned;
using u64 = unsigned long long;

const unsigned kCount = 16384;

__device__ u32 scrambled(u32 x)
{
    x ^= x >> 16;
    x *= 0x7feb352d;
    x ^= x >> 15;
    x *= 0x846ca68b;
    return x ^ x >> 16;
}

/// Word `which` of operand set i: any bits, a small whole number, a float near 1, or a limit of some type.
__device__ u32 operand(u32 i, u32 which)
{
    const u32 limits[] = {0, 0x80000000, 0x7f800000, 0xff800000, 0x7fffffff, 0xffffffff, 1, 0x80000001,
                          0x3f800000, 0xbf800000, 0x7f7fffff, 0x00800000, 0x7c00fc00, 0x7e00ffff, 0x7f807fff, 0x80007fff};
    const u32 bits = scrambled(i * 4 + which), pick = scrambled(bits);
    switch (pick & 3) {
    case 0: return bits;
    case 1: return u32(int(bits) >> (pick >> 2) % 32);
    case 2: return (bits & 0x80ffffff) | 0x3f000000;
    default: return limits[pick >> 2 & 15];
    }
}

/// The second operand equals the first in one of eight sets.
__device__ u32 second(u32 i)
{
    return (scrambled(i) & 7) == 0 ? operand(i, 0) : operand(i, 1);
}

// A kernel that writes what the instruction makes of operand set i.
#define KERNEL(name, type, d, s, a, b, c, text)                                                     \
    __global__ void name(u64 *out)                                                                  \
    {                                                                                               \
        const u32 i = blockIdx.x * blockDim.x + threadIdx.x;                                        \
        type result;                                                                                \
        asm(text : "=" d(result) : s(type(a)), s(type(b)), s(type(c)), "r"(operand(i, 3) & 1));     \
        out[i] = result;                                                                            \
    }
#define WORD(name, text) KERNEL(name, u32, "r", "r", operand(i, 0), second(i), operand(i, 2), text)
#define HALF(name, text) KERNEL(name, u16, "h", "h", operand(i, 0), second(i), operand(i, 2), text)
#define LONG(name, text) \
    KERNEL(name, u64, "l", "l", u64(operand(i, 0)) << 32 | operand(i, 1), second(i), operand(i, 2), text)

#define INSTRUCTIONS(X) \
    X(WORD, form_0, "set.lt.u32.f32 %0, %1, %2;", 0x22c830a26ea53b73ull) \
    X(WORD, form_1, "set.neu.s32.f32 %0, %1, %2;", 0xaf6cfff4b073363ull) \
    X(WORD, form_2, "set.num.f32.f32 %0, %1, %2;", 0x18856c9db9e00383ull) \
    X(WORD, form_3, "set.ge.f32.s32 %0, %1, %2;", 0x1e766a623de00383ull) \
    X(WORD, form_4, "set.hi.u32.u32 %0, %1, %2;", 0x34d9ab7ff17de115ull) \
    X(WORD, form_5, "set.eq.u32.b32 %0, %1, %2;", 0xdd2cb27b13d820e0ull) \
    X(WORD, form_6, "{ .reg .pred p; setp.ne.u32 p, %4, 0; set.le.and.u32.f32 %0, %1, %2, p; }", 0x4d1330ebf861f29ull) \
    X(WORD, form_7, "{ .reg .pred p; setp.ne.u32 p, %4, 0; set.ltu.or.f32.f32 %0, %1, %2, p; }", 0x53bd4fc962600383ull) \
    X(WORD, form_8, "{ .reg .pred p; setp.ne.u32 p, %4, 0; set.gt.xor.s32.s32 %0, %1, %2, p; }", 0x5dfd49d23be73bbull) \
    X(WORD, form_9, "{ .reg .pred p; setp.ne.u32 p, %4, 0; set.lt.and.u32.f32 %0, %1, %2, !p; }", 0x8bd12985dd949e1cull) \
    X(WORD, form_10, "set.lt.f16x2.f16x2 %0, %1, %2;", 0x947ee1909c39bf83ull) \
    X(WORD, form_11, "set.geu.u32.f16x2 %0, %1, %2;", 0xf93537c7c1045f2aull) \
    X(WORD, form_12, "set.ne.bf16x2.bf16x2 %0, %1, %2;", 0x7f5ae919bb505d03ull) \
    X(WORD, form_13, "set.gt.s32.bf16x2 %0, %1, %2;", 0x3af2a6c013e591a8ull) \
    X(WORD, form_14, "{ .reg .pred p; setp.ne.u32 p, %4, 0; set.eq.xor.f16x2.f16x2 %0, %1, %2, p; }", 0x65a4fff0f6403b83ull) \
    X(HALF, form_15, "set.lt.f16.f16 %0, %1, %2;", 0x7859e86c839bf83ull) \
    X(HALF, form_16, "set.nan.u16.f16 %0, %1, %2;", 0xa9bfe2170a087a2cull) \
    X(HALF, form_17, "set.gtu.bf16.bf16 %0, %1, %2;", 0xb478e80d560f1603ull) \
    X(HALF, form_18, "set.le.s16.bf16 %0, %1, %2;", 0x947ce53d68a45016ull) \
    X(WORD, form_19, "{ .reg .pred p, q; setp.lt.f16x2 p|q, %1, %2; selp.u32 %0, 1, 2, p; @q add.u32 %0, %0, 4; }", 0x34f461045e3cce7aull) \
    X(WORD, form_20, "{ .reg .pred p, q, s; setp.ne.u32 s, %4, 0; setp.ge.or.bf16x2 p|q, %1, %2, s; selp.u32 %0, 1, 2, p; @q add.u32 %0, %0, 4; }", 0xe59054adcb1491bcull) \
    X(WORD, form_21, "slct.u32.s32 %0, %1, %2, %3;", 0xe571a2fe0026ae8bull) \
    X(WORD, form_22, "slct.f32.f32 %0, %1, %2, %3;", 0x411ac8fe0a41d524ull) \
    X(WORD, form_23, "slct.b32.f32 %0, %1, %2, %3;", 0x411ac8fe0a41d524ull) \
    X(WORD, form_24, "mad24.lo.u32 %0, %1, %2, %3;", 0x106eda63b5934f31ull) \
    X(WORD, form_25, "mad24.lo.s32 %0, %1, %2, %3;", 0xc17945c57c934f31ull) \
    X(WORD, form_26, "mad24.hi.u32 %0, %1, %2, %3;", 0xa867b29165abccccull) \
    X(WORD, form_27, "mad24.hi.s32 %0, %1, %2, %3;", 0xbd9deac1234a0fccull) \
    X(WORD, form_28, "mad24.hi.sat.s32 %0, %1, %2, %3;", 0xad542fc7464c3f2bull) \
    X(WORD, form_29, "mad.hi.sat.s32 %0, %1, %2, %3;", 0xd0c1fca32f02b7c6ull) \
    X(WORD, form_30, "dp2a.lo.u32.u32 %0, %1, %2, %3;", 0xc57802cfaab1ad4dull) \
    X(WORD, form_31, "dp2a.hi.u32.u32 %0, %1, %2, %3;", 0x98ecc2b122e3a9a9ull) \
    X(WORD, form_32, "dp4a.u32.u32 %0, %1, %2, %3;", 0x99293d83e3106218ull) \
    X(WORD, form_33, "dp2a.lo.u32.s32 %0, %1, %2, %3;", 0xa7c670eba5294b4dull) \
    X(WORD, form_34, "dp2a.hi.u32.s32 %0, %1, %2, %3;", 0xd1529cf597f8f8a9ull) \
    X(WORD, form_35, "dp4a.u32.s32 %0, %1, %2, %3;", 0xb7a02844e1aa1f18ull) \
    X(WORD, form_36, "dp2a.lo.s32.u32 %0, %1, %2, %3;", 0x1388d844f245ad4dull) \
    X(WORD, form_37, "dp2a.hi.s32.u32 %0, %1, %2, %3;", 0x6dbf56b6b6b0a9a9ull) \
    X(WORD, form_38, "dp4a.s32.u32 %0, %1, %2, %3;", 0x4ae7aeef1fb26f18ull) \
    X(WORD, form_39, "dp2a.lo.s32.s32 %0, %1, %2, %3;", 0x10bb8ff8c5c74b4dull) \
    X(WORD, form_40, "dp2a.hi.s32.s32 %0, %1, %2, %3;", 0xf989c32a8433f8a9ull) \
    X(WORD, form_41, "dp4a.s32.s32 %0, %1, %2, %3;", 0xc5a43d8bb0fa1018ull) \
    X(WORD, form_42, "min.relu.s32 %0, %1, %2;", 0x5e764210e1579070ull) \
    X(WORD, form_43, "max.relu.s32 %0, %1, %2;", 0xde735328ac65c1d8ull) \
    X(WORD, form_44, "min.relu.s16x2 %0, %1, %2;", 0xd767624acbdaa2a7ull) \
    X(WORD, form_45, "max.relu.s16x2 %0, %1, %2;", 0x84640bbd5490278eull) \
    X(WORD, form_46, "min.xorsign.abs.f32 %0, %1, %2;", 0x9e4efa68aad41736ull) \
    X(WORD, form_47, "min.NaN.xorsign.abs.f32 %0, %1, %2;", 0x3633727be95eab07ull) \
    X(WORD, form_48, "min.xorsign.abs.f16x2 %0, %1, %2;", 0xf3f640a8643be9d0ull) \
    X(WORD, form_49, "min.NaN.xorsign.abs.bf16x2 %0, %1, %2;", 0x2dfc5896c09c8524ull) \
    X(WORD, form_50, "min.NaN.f32 %0, %1, %2;", 0x842dbe5938814317ull) \
    X(WORD, form_51, "max.xorsign.abs.f32 %0, %1, %2;", 0xee24414416b26746ull) \
    X(WORD, form_52, "max.NaN.xorsign.abs.f32 %0, %1, %2;", 0x34ec0557f123df5bull) \
    X(WORD, form_53, "max.xorsign.abs.f16x2 %0, %1, %2;", 0xc3ff28a8f806a6cfull) \
    X(WORD, form_54, "max.NaN.xorsign.abs.bf16x2 %0, %1, %2;", 0xb4fe2ed1dd8fcc72ull) \
    X(WORD, form_55, "max.NaN.f32 %0, %1, %2;", 0x57926b2a84ea1a57ull) \
    X(WORD, form_56, "rcp.rz.f32 %0, %1;", 0x2b53b9852638bf3dull) \
    X(LONG, form_57, "rcp.rz.f64 %0, %1;", 0x55a291f31592e645ull) \
    X(WORD, form_58, "rcp.rm.f32 %0, %1;", 0x5b27ce53b2043252ull) \
    X(LONG, form_59, "rcp.rm.f64 %0, %1;", 0xa51d8bf8d62274dcull) \
    X(WORD, form_60, "rcp.rp.f32 %0, %1;", 0x981a73491591fd16ull) \
    X(LONG, form_61, "rcp.rp.f64 %0, %1;", 0x2ce3d32c615befc9ull) \
    X(WORD, form_62, "sqrt.rz.f32 %0, %1;", 0x1680116e6b3c96d7ull) \
    X(LONG, form_63, "sqrt.rz.f64 %0, %1;", 0x6a8ec5826d927e18ull) \
    X(WORD, form_64, "sqrt.rm.f32 %0, %1;", 0x1680116e6b3c96d7ull) \
    X(LONG, form_65, "sqrt.rm.f64 %0, %1;", 0x6a8ec5826d927e18ull) \
    X(WORD, form_66, "sqrt.rp.f32 %0, %1;", 0x16bf18f5474fe377ull) \
    X(LONG, form_67, "sqrt.rp.f64 %0, %1;", 0x7e06a0e09f254e51ull) \
    X(WORD, form_68, "fma.rn.oob.f16x2 %0, %1, %2, %3;", 0xbea5e7dba9818e57ull) \
    X(WORD, form_69, "fma.rn.oob.relu.bf16x2 %0, %1, %2, %3;", 0xf62c269c05dd0f51ull) \
    X(WORD, form_70, "{ .reg .pred p, q; setp.ne.u32 q, %4, 0; lop3.or.b32 %0|p, %1, %2, %3, 0x80, q; @p xor.b32 %0, %0, 0x55; }", 0xacb9fff847d69746ull) \
    X(WORD, form_71, "{ .reg .pred p, q; setp.ne.u32 q, %4, 0; lop3.and.b32 %0|p, %1, %2, %3, 0x80, q; @p xor.b32 %0, %0, 0x55; }", 0x88143fefefbbdfefull) \
    X(WORD, form_72, "cvt.rn.satfinite.bf16x2.f32 %0, %1, %2;", 0x138f98cf002af9beull) \
    X(WORD, form_73, "cvt.rn.satfinite.relu.bf16x2.f32 %0, %1, %2;", 0x6e484e04a695febbull) \
    X(WORD, form_74, "cvt.rz.satfinite.bf16x2.f32 %0, %1, %2;", 0x14694c0885b57884ull) \
    X(WORD, form_75, "cvt.rn.satfinite.f16x2.f32 %0, %1, %2;", 0x41ac0e75d39baa3aull) \
    X(WORD, form_76, "cvt.rz.satfinite.relu.f16x2.f32 %0, %1, %2;", 0x6512738e6874bc1dull) \
    X(WORD, form_77, "cvt.rna.satfinite.tf32.f32 %0, %1;", 0xaec459eac5950383ull) \
    X(WORD, form_78, "{ .reg .b16 d; cvt.rn.satfinite.f16.f32 d, %1; cvt.u32.u16 %0, d; }", 0xff791ca80f672f93ull) \
    X(WORD, form_79, "{ .reg .b16 d; cvt.rn.satfinite.relu.bf16.f32 d, %1; cvt.u32.u16 %0, d; }", 0x3c21069d73eba142ull) \
    X(WORD, form_80, "{ .reg .b16 d; cvt.rz.satfinite.bf16.f32 d, %1; cvt.u32.u16 %0, d; }", 0x3fe8e822d3fc9adull) \
    X(WORD, form_81, "vadd.u32.s32.u32 %0, %1, %2;", 0x1859c1a2495007cbull) \
    X(WORD, form_82, "vadd.s32.s32.s32 %0, %1, %2;", 0x1859c1a2495007cbull) \
    X(WORD, form_83, "vsub.s32.s32.u32.sat %0, %1, %2;", 0xac66acba354c5ddfull) \
    X(WORD, form_84, "vsub.u32.u32.u32 %0, %1, %2;", 0xd7013953b8f43109ull) \
    X(WORD, form_85, "vmin.s32.u32.s32 %0, %1, %2;", 0xde79011871753044ull) \
    X(WORD, form_86, "vmax.u32.s32.s32.sat %0, %1, %2;", 0xde735328ac65c1d8ull) \
    X(WORD, form_87, "vabsdiff.u32.s32.u32 %0, %1, %2;", 0x2579f63664c924efull) \
    X(WORD, form_88, "vabsdiff.s32.u32.u32.sat %0, %1, %2;", 0x959d820ae021cadfull) \
    X(WORD, form_89, "vshl.u32.u32.u32.clamp %0, %1, %2;", 0xe37fda4fb2f72927ull) \
    X(WORD, form_90, "vshl.s32.s32.u32.clamp %0, %1, %2;", 0xe37fda4fb2f72927ull) \
    X(WORD, form_91, "vshl.u32.s32.u32.wrap %0, %1, %2;", 0xae5bd7dd56f1658eull) \
    X(WORD, form_92, "vshr.s32.s32.u32.clamp %0, %1, %2;", 0xa156d8dad0f208e0ull) \
    X(WORD, form_93, "vshr.u32.u32.u32.wrap %0, %1, %2;", 0xb206a89058c2ff39ull) \
    X(WORD, form_94, "vset.u32.s32.lt %0, %1, %2;", 0x68b64c27ef509641ull) \
    X(WORD, form_95, "vset.s32.s32.ge %0, %1, %2;", 0x3408d6e73524fa63ull) \
    X(WORD, form_96, "vset.u32.u32.ne %0, %1, %2;", 0x812d3659e7f4eeaull) \
    X(WORD, form_97, "vadd.u32.u32.u32.add %0, %1, %2, %3;", 0x2314db72975b4925ull) \
    X(WORD, form_98, "vsub.s32.s32.s32.sat.min %0, %1, %2, %3;", 0x25a01ab206e6d2d2ull) \
    X(WORD, form_99, "vmin.u32.u32.u32.max %0, %1, %2, %3;", 0x4145f6375a56139aull) \
    X(WORD, form_100, "vmax.s32.s32.s32.add %0, %1, %2, %3;", 0x8021a39fad7209bbull) \
    X(WORD, form_101, "vabsdiff.s32.s32.s32.max %0, %1, %2, %3;", 0x814c8f457323fcfbull) \
    X(WORD, form_102, "vshl.u32.u32.u32.clamp.add %0, %1, %2, %3;", 0x19375c0d894f9873ull) \
    X(WORD, form_103, "vshr.s32.s32.u32.wrap.min %0, %1, %2, %3;", 0x10ef8811b3cf2b1dull) \
    X(WORD, form_104, "vset.s32.u32.le.add %0, %1, %2, %3;", 0x957ddef2e0356528ull) \
    X(WORD, form_105, "vset.u32.u32.eq.max %0, %1, %2, %3;", 0xd2c966aa2edf913cull) \
    X(WORD, form_106, "vadd.u32.s32.s32.sat %0, %1.b1, %2.h1;", 0x5fff20171ab5de69ull) \
    X(WORD, form_107, "vsub.s32.u32.s32 %0, %1.b3, %2.h0;", 0x20cfa6d9d5f97aa6ull) \
    X(WORD, form_108, "vmax.s32.s32.u32.add %0, %1.h0, %2.b2, %3;", 0x38444f78c9a084d5ull) \
    X(WORD, form_109, "vshl.s32.s32.u32.wrap %0, %1.h1, %2.b0;", 0x2c1f28c01c39892cull) \
    X(WORD, form_110, "vadd.s32.s32.s32 %0.b1, %1.h0, %2.b3, %3;", 0x9f602d068b3ba887ull) \
    X(WORD, form_111, "vabsdiff.u32.u32.u32 %0.b3, %1.b0, %2.b1, %3;", 0xe71493656a632c87ull) \
    X(WORD, form_112, "vshr.u32.u32.u32.clamp %0.h0, %1, %2.b0, %3;", 0x16d59d88baa13817ull) \
    X(WORD, form_113, "vset.s32.s32.gt %0.b2, %1.b2, %2.b2, %3;", 0xc8606bef05772c87ull) \
    X(WORD, form_114, "vmad.u32.u32.u32 %0, %1, %2, %3;", 0x57d62d138b934f31ull) \
    X(WORD, form_115, "vmad.s32.s32.u32 %0, %1, %2, %3;", 0x57d62d138b934f31ull) \
    X(WORD, form_116, "vmad.s32.s32.s32.sat %0, %1, %2, %3;", 0x141be345be711239ull) \
    X(WORD, form_117, "vmad.s32.s32.s32.shr7 %0, %1, %2, %3;", 0x3396323e1bb2badcull) \
    X(WORD, form_118, "vmad.s32.s32.s32.sat.shr15 %0, %1, %2, %3;", 0xac916bd92c40bdc0ull) \
    X(WORD, form_119, "vmad.s32.s32.s32.po %0, %1, %2, %3;", 0xd819a4728339172dull) \
    X(WORD, form_120, "vmad.s32.s32.s32 %0, -%1, %2, %3;", 0xae1dac9826b3855dull) \
    X(WORD, form_121, "vmad.s32.u32.u32.sat %0, %1.h1, %2.b1, -%3;", 0xf95522b62a02dee9ull) \
    X(WORD, form_122, "vmad.s32.s32.s32.po.shr7 %0, %1.h0, %2.h1, %3;", 0xc5e11074bb916a71ull) \
    X(WORD, form_123, "vadd2.u32.s32.u32.sat %0, %1, %2, %3;", 0xb0efcae9b4da328aull) \
    X(WORD, form_124, "vadd2.s32.s32.s32 %0, %1, %2, %3;", 0xcb7bf5f5c0e307cbull) \
    X(WORD, form_125, "vsub2.s32.s32.u32.sat %0, %1, %2, %3;", 0xd29e06559b3f211ull) \
    X(WORD, form_126, "vsub2.u32.u32.s32 %0, %1, %2, %3;", 0xd594e464b1353109ull) \
    X(WORD, form_127, "vavrg2.s32.s32.s32 %0, %1, %2, %3;", 0x70f3e2638e8f487bull) \
    X(WORD, form_128, "vavrg2.u32.u32.s32 %0, %1, %2, %3;", 0x4204a5537c7df548ull) \
    X(WORD, form_129, "vmin2.s32.u32.s32 %0, %1, %2, %3;", 0x7e074e28c941262ull) \
    X(WORD, form_130, "vmax2.u32.u32.u32.sat %0, %1, %2, %3;", 0x4c02b973c232e8c7ull) \
    X(WORD, form_131, "vabsdiff2.u32.s32.s32.sat %0, %1, %2, %3;", 0x5e329f7503256e4dull) \
    X(WORD, form_132, "vset2.u32.s32.lt %0, %1, %2, %3;", 0xda6ded026f5091aaull) \
    X(WORD, form_133, "vadd2.s32.s32.s32.add %0, %1, %2, %3;", 0xee33795ba1de9f3eull) \
    X(WORD, form_134, "vsub2.s32.u32.u32.add %0, %1, %2, %3;", 0x9d3786d79e07da2cull) \
    X(WORD, form_135, "vabsdiff2.u32.u32.u32.add %0, %1, %2, %3;", 0x806a85d79b39a3a0ull) \
    X(WORD, form_136, "vset2.s32.s32.ge.add %0, %1, %2, %3;", 0x866b381043b6c6bull) \
    X(WORD, form_137, "vavrg2.u32.u32.u32.add %0, %1, %2, %3;", 0x4e737d9e69bddf35ull) \
    X(WORD, form_138, "vadd4.u32.s32.u32.sat %0, %1, %2, %3;", 0xa9a610dc9435f815ull) \
    X(WORD, form_139, "vadd4.s32.s32.s32 %0, %1, %2, %3;", 0x562894c3641d50cbull) \
    X(WORD, form_140, "vsub4.s32.s32.u32.sat %0, %1, %2, %3;", 0x1117a9fd70946ab9ull) \
    X(WORD, form_141, "vsub4.u32.u32.s32 %0, %1, %2, %3;", 0x17dc661c703f1f09ull) \
    X(WORD, form_142, "vavrg4.s32.s32.s32 %0, %1, %2, %3;", 0x869e836275e8c299ull) \
    X(WORD, form_143, "vavrg4.u32.u32.s32 %0, %1, %2, %3;", 0x8e723340da10c621ull) \
    X(WORD, form_144, "vmin4.s32.u32.s32 %0, %1, %2, %3;", 0x8b09d138c8efd9acull) \
    X(WORD, form_145, "vmax4.u32.u32.u32.sat %0, %1, %2, %3;", 0x60a4e28e22e680f6ull) \
    X(WORD, form_146, "vabsdiff4.u32.s32.s32.sat %0, %1, %2, %3;", 0x3d4bc037a73b41b5ull) \
    X(WORD, form_147, "vset4.u32.s32.lt %0, %1, %2, %3;", 0x2c33ef8cf1d8bd25ull) \
    X(WORD, form_148, "vadd4.s32.s32.s32.add %0, %1, %2, %3;", 0x57ea8208c6e2f900ull) \
    X(WORD, form_149, "vsub4.s32.u32.u32.add %0, %1, %2, %3;", 0x5253cf730019ea98ull) \
    X(WORD, form_150, "vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;", 0xc23269cd0c862ff6ull) \
    X(WORD, form_151, "vset4.s32.s32.ge.add %0, %1, %2, %3;", 0x8abfb19f9a86e48bull) \
    X(WORD, form_152, "vavrg4.u32.u32.u32.add %0, %1, %2, %3;", 0xe27194f8f7dc2fb7ull) \
    X(WORD, form_153, "vadd2.u32.u32.u32.sat %0.h1, %1.h32, %2.h01, %3;", 0xbe8556dafb652c87ull) \
    X(WORD, form_154, "vsub4.s32.s32.s32.sat %0.b20, %1.b7531, %2.b0000, %3;", 0xe1b496ba0ce8e62eull) \
    X(WORD, form_155, "vmin4.s32.s32.s32.add %0.b31, %1.b6420, %2, %3;", 0x8ec368f88b984ecfull)

#define DEFINE(kind, name, text, hash) kind(name, text)
INSTRUCTIONS(DEFINE)

struct Instruction {
    void (*kernel)(u64 *);
    const char *text;
    u64 hash;
};
#define ENTRY(kind, name, text, hash) {name, text, hash},
const Instruction kInstructions[] = {INSTRUCTIONS(ENTRY)};

int main(int argc, char **argv)
{
    FILE *file = argc > 1 ? fopen(argv[1], "wb") : nullptr;
    int wrong = 0;
    u64 *out = device_zeros<u64>(kCount);
    for (const Instruction &instruction : kInstructions) {
        instruction.kernel<<<kCount / 256, 256>>>(out);
        CHECK(cudaDeviceSynchronize());
        const std::vector<u64> results = host_copy(out, kCount);
        if (file != nullptr)
            fwrite(results.data(), sizeof(u64), kCount, file);
        u64 hash = 1469598103934665603ull;
        for (u64 word : results)
            hash = (hash ^ word) * 1099511628211ull;
        if (hash == instruction.hash)
            continue;
        printf("%s: results differ from those of the GPU, 0x%llx\n", instruction.text, hash);
        ++wrong;
    }
    if (file != nullptr)
        fclose(file);
    printf(wrong == 0 ? "PASS\n" : "FAIL\n");
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

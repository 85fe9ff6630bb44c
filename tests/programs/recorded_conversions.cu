// SPDX-License-Identifier: Apache-2.0
//
// Conversions of PTX to narrow numbers, and 2^x of them, for 65,536 operands each: all of 16 bits, or as many floats
// with all upper halves. The hashes are those of an H200's results (driver 580.159, CUDA 13.0).
#include "common.h"

using u16 = unsigned short;
using u32 = unsigned;
using u64 = unsigned long long;

__device__ u32 scrambled(u32 x)
{
    x ^= x >> 16;
    x *= 0x7feb352d;
    x ^= x >> 15;
    x *= 0x846ca68b;
    return x ^ x >> 16;
}

/// A float with the upper half `upper`; the lower one is 0, 1, a half of a bf16's last bit, all bits or random.
__device__ float with_upper(u32 upper, u32 which)
{
    const u32 pick = scrambled(upper * 2 + which) & 7;
    const u32 lower = pick == 0 ? 0 : pick == 1 ? 1 : pick == 2 ? 0x8000 : pick == 3 ? 0xffff : scrambled(upper + which * 77777) & 0xffff;
    return __uint_as_float(upper << 16 | lower);
}

// A kernel that writes what the instruction makes of operand i.
#define KERNEL(name, result, ...)                               \
    __global__ void name(u32 *out)                              \
    {                                                           \
        const u32 i = blockIdx.x * blockDim.x + threadIdx.x;    \
        [[maybe_unused]] const u32 other = i * 40503;           \
        result d;                                               \
        __VA_ARGS__;                                            \
        out[i] = d;                                             \
    }
#define HALF(name, text) KERNEL(name, u16, asm(text " %0, %1;" : "=h"(d) : "h"(u16(i))))
#define HALF_TO_WORD(name, text) KERNEL(name, u32, asm(text " %0, %1;" : "=r"(d) : "h"(u16(i))))
#define WORD_TO_HALF(name, text) KERNEL(name, u16, asm(text " %0, %1;" : "=h"(d) : "r"(i | other << 16)))
#define FLOAT_TO_WORD(name, text) KERNEL(name, u32, asm(text " %0, %1;" : "=r"(d) : "f"(with_upper(i, 0))))
#define TWO_TO_HALF(name, text) \
    KERNEL(name, u16, asm(text " %0, %1, %2;" : "=h"(d) : "f"(with_upper(i, 0)), "f"(with_upper(other & 0xffff, 1))))
#define TWO_TO_WORD(name, text) \
    KERNEL(name, u32, asm(text " %0, %1, %2;" : "=r"(d) : "f"(with_upper(i, 0)), "f"(with_upper(other & 0xffff, 1))))

#define INSTRUCTIONS(X) \
    X(HALF, ex2_f16, "ex2.approx.f16", 0x96b0739ef4deeb4cull) \
    X(HALF, ex2_bf16, "ex2.approx.ftz.bf16", 0x896d503c1e143960ull) \
    X(TWO_TO_HALF, e4m3, "cvt.rn.satfinite.e4m3x2.f32", 0x590e161f04527237ull) \
    X(TWO_TO_HALF, e5m2, "cvt.rn.satfinite.e5m2x2.f32", 0xb8d6639f8ea45ce7ull) \
    X(TWO_TO_HALF, e4m3_relu, "cvt.rn.satfinite.relu.e4m3x2.f32", 0x80337c95c73bae4aull) \
    X(TWO_TO_HALF, e5m2_relu, "cvt.rn.satfinite.relu.e5m2x2.f32", 0xa3c2b0cd13209b2bull) \
    X(WORD_TO_HALF, e4m3_h, "cvt.rn.satfinite.e4m3x2.f16x2", 0x9a3f483d046f4503ull) \
    X(WORD_TO_HALF, e5m2_h, "cvt.rn.satfinite.e5m2x2.f16x2", 0x38fea61b38032503ull) \
    X(WORD_TO_HALF, e4m3_hr, "cvt.rn.satfinite.relu.e4m3x2.f16x2", 0xd8d2ce0d817e98fcull) \
    X(WORD_TO_HALF, e5m2_hr, "cvt.rn.satfinite.relu.e5m2x2.f16x2", 0x87ee62a041c08d78ull) \
    X(HALF_TO_WORD, h_e4m3, "cvt.rn.f16x2.e4m3x2", 0x6dcb86aec11c0383ull) \
    X(HALF_TO_WORD, h_e5m2, "cvt.rn.f16x2.e5m2x2", 0x59d8269d293f0383ull) \
    X(HALF_TO_WORD, h_e4m3r, "cvt.rn.relu.f16x2.e4m3x2", 0xb7f8bde9776f0383ull) \
    X(HALF_TO_WORD, h_e5m2r, "cvt.rn.relu.f16x2.e5m2x2", 0x48634099f5370383ull) \
    X(TWO_TO_WORD, h2, "cvt.rn.f16x2.f32", 0xd647507d19c82695ull) \
    X(TWO_TO_WORD, h2z, "cvt.rz.f16x2.f32", 0x610622c149aefc62ull) \
    X(TWO_TO_WORD, h2r, "cvt.rn.relu.f16x2.f32", 0xf8486671118d2ed4ull) \
    X(TWO_TO_WORD, b2, "cvt.rn.bf16x2.f32", 0x824178198e2e6c60ull) \
    X(TWO_TO_WORD, b2z, "cvt.rz.bf16x2.f32", 0x7db28417b84ea69cull) \
    X(TWO_TO_WORD, b2r, "cvt.rn.relu.bf16x2.f32", 0xaf978884ac316ea4ull) \
    X(FLOAT_TO_WORD, tf32a, "cvt.rna.tf32.f32", 0xc5e4b2941acfa383ull) \
    X(FLOAT_TO_WORD, tf32n, "cvt.rn.tf32.f32", 0xd814757539416383ull) \
    X(FLOAT_TO_WORD, tf32z, "cvt.rz.tf32.f32", 0xffa93c7a80dfe383ull) \
    X(FLOAT_TO_WORD, tf32nr, "cvt.rn.relu.tf32.f32", 0x73cd7d19df802383ull)

#define DEFINE(kind, name, text, hash) kind(name, text)
INSTRUCTIONS(DEFINE)

struct Instruction {
    void (*kernel)(u32 *);
    const char *text;
    u64 hash;
};
#define ENTRY(kind, name, text, hash) {name, text, hash},
const Instruction kInstructions[] = {INSTRUCTIONS(ENTRY)};

int main()
{
    int wrong = 0;
    u32 *out = device_zeros<u32>(65536);
    for (const Instruction &instruction : kInstructions) {
        instruction.kernel<<<256, 256>>>(out);
        CHECK(cudaDeviceSynchronize());
        u64 hash = 1469598103934665603ull;
        for (u32 word : host_copy(out, 65536))
            hash = (hash ^ word) * 1099511628211ull;
        if (hash == instruction.hash)
            continue;
        printf("%s: results differ from those of the GPU\n", instruction.text);
        ++wrong;
    }
    printf(wrong == 0 ? "PASS\n" : "FAIL\n");
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

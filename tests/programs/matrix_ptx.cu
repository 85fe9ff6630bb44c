// SPDX-License-Identifier: Apache-2.0
//
// mma.sync of every type and shape, ldmatrix, stmatrix and movmatrix in inline PTX, with sums that are exact. Where an
// element is in the registers of the lanes is as PTX's manual says, one shape after another.
#include <cuda_fp16.h>
#include <cuda_bf16.h>

#include <cstring>
#include <string>
#include <vector>

#include "common.h"
#include "matrix_operands.h"

using u32 = unsigned;
using u64 = unsigned long long;

constexpr int kFirstWide = 46;  // of kForms, with elements of 64 bits

/// One instruction: what it is, and how it is called with registers of 32 bits, in pairs where an element has 64.
struct Form {
    int m, k;
    const char *a, *b, *d;
    const char *extra;
    int a_bits, d_bits;
};
const Form kForms[] = {
    {16, 8, "f16", "f16", "f16", "", 16, 16},
    {16, 8, "f16", "f16", "f32", "", 16, 32},
    {16, 8, "bf16", "bf16", "f32", "", 16, 32},
    {16, 16, "f16", "f16", "f16", "", 16, 16},
    {16, 16, "f16", "f16", "f32", "", 16, 32},
    {16, 16, "bf16", "bf16", "f32", "", 16, 32},
    {16, 4, "tf32", "tf32", "f32", "", 32, 32},
    {16, 8, "tf32", "tf32", "f32", "", 32, 32},
    {16, 16, "e4m3", "e4m3", "f16", "", 8, 16},
    {16, 16, "e4m3", "e4m3", "f32", "", 8, 32},
    {16, 16, "e4m3", "e5m2", "f16", "", 8, 16},
    {16, 16, "e4m3", "e5m2", "f32", "", 8, 32},
    {16, 16, "e5m2", "e4m3", "f16", "", 8, 16},
    {16, 16, "e5m2", "e4m3", "f32", "", 8, 32},
    {16, 16, "e5m2", "e5m2", "f16", "", 8, 16},
    {16, 16, "e5m2", "e5m2", "f32", "", 8, 32},
    {16, 32, "e4m3", "e4m3", "f16", "", 8, 16},
    {16, 32, "e4m3", "e4m3", "f32", "", 8, 32},
    {16, 32, "e4m3", "e5m2", "f16", "", 8, 16},
    {16, 32, "e4m3", "e5m2", "f32", "", 8, 32},
    {16, 32, "e5m2", "e4m3", "f16", "", 8, 16},
    {16, 32, "e5m2", "e4m3", "f32", "", 8, 32},
    {16, 32, "e5m2", "e5m2", "f16", "", 8, 16},
    {16, 32, "e5m2", "e5m2", "f32", "", 8, 32},
    {16, 16, "s8", "s8", "s32", "", 8, 32},
    {16, 16, "u8", "s8", "s32", "", 8, 32},
    {16, 16, "s8", "u8", "s32", "", 8, 32},
    {16, 16, "u8", "u8", "s32", "", 8, 32},
    {16, 32, "s8", "s8", "s32", "", 8, 32},
    {16, 32, "u8", "s8", "s32", "", 8, 32},
    {16, 32, "s8", "u8", "s32", "", 8, 32},
    {16, 32, "u8", "u8", "s32", "", 8, 32},
    {8, 16, "s8", "s8", "s32", "", 8, 32},
    {8, 16, "u8", "s8", "s32", ".satfinite", 8, 32},
    {16, 32, "s4", "s4", "s32", "", 4, 32},
    {16, 32, "u4", "s4", "s32", "", 4, 32},
    {16, 32, "u4", "u4", "s32", "", 4, 32},
    {16, 64, "s4", "s4", "s32", "", 4, 32},
    {16, 64, "u4", "s4", "s32", "", 4, 32},
    {16, 64, "u4", "u4", "s32", "", 4, 32},
    {8, 32, "s4", "u4", "s32", "", 4, 32},
    {16, 128, "b1", "b1", "s32", "xor", 1, 32},
    {16, 128, "b1", "b1", "s32", "and", 1, 32},
    {16, 256, "b1", "b1", "s32", "xor", 1, 32},
    {16, 256, "b1", "b1", "s32", "and", 1, 32},
    {8, 128, "b1", "b1", "s32", "xor", 1, 32},
    {8, 4, "f64", "f64", "f64", "", 64, 64},
    {16, 4, "f64", "f64", "f64", "", 64, 64},
    {16, 8, "f64", "f64", "f64", "", 64, 64},
    {16, 16, "f64", "f64", "f64", "", 64, 64},
};

#define MMA(number, name, d, a_count, b_count, c, a, b, k, made)                      \
    case number:                                                                      \
        asm volatile("mma.sync.aligned." name " " TEXT_##d##_##a_count##_##b_count ";" \
                     : R##d(made, c) : R##a_count(k, a), R##b_count(k, b));         \
        break;
#define NARROW(number, name, d, a_count, b_count) MMA(number, name, d, a_count, b_count, c, a, b, r, +r)
#define WIDE(number, name, d, a_count, b_count) MMA(number, name, d, a_count, b_count, v, p, q, l, +l)

__device__ void multiply(int form, const u32 *a, const u32 *b, u32 *c)
{
    switch (form) {
        NARROW(0, "m16n8k8.row.col.f16.f16.f16.f16", 2, 2, 1)
        NARROW(1, "m16n8k8.row.col.f32.f16.f16.f32", 4, 2, 1)
        NARROW(2, "m16n8k8.row.col.f32.bf16.bf16.f32", 4, 2, 1)
        NARROW(3, "m16n8k16.row.col.f16.f16.f16.f16", 2, 4, 2)
        NARROW(4, "m16n8k16.row.col.f32.f16.f16.f32", 4, 4, 2)
        NARROW(5, "m16n8k16.row.col.f32.bf16.bf16.f32", 4, 4, 2)
        NARROW(6, "m16n8k4.row.col.f32.tf32.tf32.f32", 4, 2, 1)
        NARROW(7, "m16n8k8.row.col.f32.tf32.tf32.f32", 4, 4, 2)
        NARROW(8, "m16n8k16.row.col.f16.e4m3.e4m3.f16", 2, 2, 1)
        NARROW(9, "m16n8k16.row.col.f32.e4m3.e4m3.f32", 4, 2, 1)
        NARROW(10, "m16n8k16.row.col.f16.e4m3.e5m2.f16", 2, 2, 1)
        NARROW(11, "m16n8k16.row.col.f32.e4m3.e5m2.f32", 4, 2, 1)
        NARROW(12, "m16n8k16.row.col.f16.e5m2.e4m3.f16", 2, 2, 1)
        NARROW(13, "m16n8k16.row.col.f32.e5m2.e4m3.f32", 4, 2, 1)
        NARROW(14, "m16n8k16.row.col.f16.e5m2.e5m2.f16", 2, 2, 1)
        NARROW(15, "m16n8k16.row.col.f32.e5m2.e5m2.f32", 4, 2, 1)
        NARROW(16, "m16n8k32.row.col.f16.e4m3.e4m3.f16", 2, 4, 2)
        NARROW(17, "m16n8k32.row.col.f32.e4m3.e4m3.f32", 4, 4, 2)
        NARROW(18, "m16n8k32.row.col.f16.e4m3.e5m2.f16", 2, 4, 2)
        NARROW(19, "m16n8k32.row.col.f32.e4m3.e5m2.f32", 4, 4, 2)
        NARROW(20, "m16n8k32.row.col.f16.e5m2.e4m3.f16", 2, 4, 2)
        NARROW(21, "m16n8k32.row.col.f32.e5m2.e4m3.f32", 4, 4, 2)
        NARROW(22, "m16n8k32.row.col.f16.e5m2.e5m2.f16", 2, 4, 2)
        NARROW(23, "m16n8k32.row.col.f32.e5m2.e5m2.f32", 4, 4, 2)
        NARROW(24, "m16n8k16.row.col.s32.s8.s8.s32", 4, 2, 1)
        NARROW(25, "m16n8k16.row.col.s32.u8.s8.s32", 4, 2, 1)
        NARROW(26, "m16n8k16.row.col.s32.s8.u8.s32", 4, 2, 1)
        NARROW(27, "m16n8k16.row.col.s32.u8.u8.s32", 4, 2, 1)
        NARROW(28, "m16n8k32.row.col.s32.s8.s8.s32", 4, 4, 2)
        NARROW(29, "m16n8k32.row.col.s32.u8.s8.s32", 4, 4, 2)
        NARROW(30, "m16n8k32.row.col.s32.s8.u8.s32", 4, 4, 2)
        NARROW(31, "m16n8k32.row.col.s32.u8.u8.s32", 4, 4, 2)
        NARROW(32, "m8n8k16.row.col.s32.s8.s8.s32", 2, 1, 1)
        NARROW(33, "m8n8k16.row.col.satfinite.s32.u8.s8.s32", 2, 1, 1)
        NARROW(34, "m16n8k32.row.col.s32.s4.s4.s32", 4, 2, 1)
        NARROW(35, "m16n8k32.row.col.s32.u4.s4.s32", 4, 2, 1)
        NARROW(36, "m16n8k32.row.col.s32.u4.u4.s32", 4, 2, 1)
        NARROW(37, "m16n8k64.row.col.s32.s4.s4.s32", 4, 4, 2)
        NARROW(38, "m16n8k64.row.col.s32.u4.s4.s32", 4, 4, 2)
        NARROW(39, "m16n8k64.row.col.s32.u4.u4.s32", 4, 4, 2)
        NARROW(40, "m8n8k32.row.col.s32.s4.u4.s32", 2, 1, 1)
        NARROW(41, "m16n8k128.row.col.s32.b1.b1.s32.xor.popc", 4, 2, 1)
        NARROW(42, "m16n8k128.row.col.s32.b1.b1.s32.and.popc", 4, 2, 1)
        NARROW(43, "m16n8k256.row.col.s32.b1.b1.s32.xor.popc", 4, 4, 2)
        NARROW(44, "m16n8k256.row.col.s32.b1.b1.s32.and.popc", 4, 4, 2)
        NARROW(45, "m8n8k128.row.col.s32.b1.b1.s32.xor.popc", 2, 1, 1)
    }
}

__device__ void multiply_wide(int form, const u64 *p, const u64 *q, u64 *v)
{
    switch (form) {
        WIDE(46, "m8n8k4.row.col.f64.f64.f64.f64", 2, 1, 1)
        WIDE(47, "m16n8k4.row.col.f64.f64.f64.f64", 4, 2, 1)
        WIDE(48, "m16n8k8.row.col.f64.f64.f64.f64", 4, 4, 2)
        WIDE(49, "m16n8k16.row.col.f64.f64.f64.f64", 4, 8, 4)
    }
}

__global__ void products(int form, const u32 *a, const u32 *b, u32 *c)
{
    const int lane = threadIdx.x;
    u32 mine[3][16];
    u64 wide[3][8];
    for (int i = 0; i < 16; ++i) {
        mine[0][i] = a[lane * 16 + i];
        mine[1][i] = b[lane * 16 + i];
        mine[2][i] = c[lane * 16 + i];
    }
    for (int i = 0; i < 24; ++i)
        wide[i / 8][i % 8] = mine[i / 8][i % 8 * 2] | u64(mine[i / 8][i % 8 * 2 + 1]) << 32;
    if (form < kFirstWide)
        multiply(form, mine[0], mine[1], mine[2]);
    else
        multiply_wide(form, wide[0], wide[1], wide[2]);
    for (int i = 0; form >= kFirstWide && i < 8; ++i)
        mine[2][2 * i] = u32(wide[2][i]), mine[2][2 * i + 1] = u32(wide[2][i] >> 32);
    for (int i = 0; i < 16; ++i)
        c[lane * 16 + i] = mine[2][i];
}

/// A small integer as an element, and back.
u64 encoded(const std::string &type, int value)
{
    if (type == "f64") {
        const double number = value;
        u64 bits;
        memcpy(&bits, &number, sizeof bits);
        return bits;
    }
    if (type == "f32" || type == "tf32" || type == "bf16") {
        const float number = float(value);
        u32 bits;
        memcpy(&bits, &number, sizeof bits);
        return type == "bf16" ? bits >> 16 : bits;
    }
    if (type == "f16") {
        const __half_raw raw = __float2half(float(value));
        return raw.x;
    }
    if (type == "e4m3" || type == "e5m2") {  // value is from -7 to 7: a sign, an exponent, three bits or two
        const int magnitude = value < 0 ? -value : value, fraction = type == "e4m3" ? 3 : 2, bias = type == "e4m3" ? 7 : 15;
        int exponent = 0;
        while (magnitude >> (exponent + 1))
            ++exponent;
        const u32 bits = magnitude == 0 ? 0 : (exponent + bias) << fraction | ((magnitude << fraction >> exponent) & ((1 << fraction) - 1));
        return bits | (value < 0 ? 0x80u : 0u);
    }
    return u32(value);
}

double decoded(const std::string &type, u64 bits)
{
    if (type == "f64") {
        double number;
        memcpy(&number, &bits, sizeof number);
        return number;
    }
    if (type == "f32") {
        float number;
        const u32 word = u32(bits);
        memcpy(&number, &word, sizeof number);
        return number;
    }
    if (type == "f16") {
        __half_raw raw;
        raw.x = (unsigned short)bits;
        return __half2float(__half(raw));
    }
    return int(bits);
}

/// The manual's places: row and column of element `i` of lane `lane`. Elements of one register follow each other.
struct Place {
    int row, column;
};
Place place_of_a(const Form &form, int lane, int i)
{
    const int in_register = form.a_bits < 32 ? 32 / form.a_bits : 1;
    const int word = i / in_register, group = lane / 4, in_group = lane % 4;
    if (form.m == 8)
        return {group, word * 4 * in_register + in_group * in_register + i % in_register};
    return {group + 8 * (word % 2), word / 2 * 4 * in_register + in_group * in_register + i % in_register};
}
Place place_of_b(const Form &form, int lane, int i)
{
    const int in_register = form.a_bits < 32 ? 32 / form.a_bits : 1;
    return {i / in_register * 4 * in_register + lane % 4 * in_register + i % in_register, lane / 4};
}
Place place_of_c(const Form &, int lane, int i)
{
    return {lane / 4 + 8 * (i / 2), lane % 4 * 2 + i % 2};
}

void put(std::vector<u32> &words, int lane, int i, int bits, u64 value)
{
    if (bits == 64) {
        words[lane * 16 + 2 * i] = u32(value);
        words[lane * 16 + 2 * i + 1] = u32(value >> 32);
        return;
    }
    const u32 mask = bits == 32 ? ~0u : (1u << bits) - 1;
    words[lane * 16 + i * bits / 32] |= (u32(value) & mask) << i * bits % 32;
}
u64 get(const std::vector<u32> &words, int lane, int i, int bits)
{
    if (bits == 64)
        return words[lane * 16 + 2 * i] | (u64)words[lane * 16 + 2 * i + 1] << 32;
    const u32 mask = bits == 32 ? ~0u : (1u << bits) - 1;
    return words[lane * 16 + i * bits / 32] >> i * bits % 32 & mask;
}

/// A number of the type of A or B.
int number(Random &random, const std::string &type)
{
    if (type == "b1")
        return int(random.below(2));
    if (type == "u8")
        return int(random.below(256));
    if (type == "s8")
        return int(random.below(256)) - 128;
    if (type == "u4")
        return int(random.below(16));
    if (type == "s4")
        return int(random.below(16)) - 8;
    return int(random.below(9)) - 4;
}

int test_products()
{
    int wrong = 0;
    Random random(3);
    const int forms = int(sizeof kForms / sizeof kForms[0]);
    for (int f = 0; f < forms; ++f) {
        const Form &form = kForms[f];
        const std::string extra = form.extra;
        std::vector<u32> a(32 * 16), b(32 * 16), c(32 * 16);
        std::vector<std::vector<int>> left(form.m, std::vector<int>(form.k)), right(form.k, std::vector<int>(8)),
            sum(form.m, std::vector<int>(8));
        for (int lane = 0; lane < 32; ++lane) {
            for (int i = 0; i < form.m * form.k / 32; ++i) {
                const Place at = place_of_a(form, lane, i);
                left[at.row][at.column] = number(random, form.a);
                put(a, lane, i, form.a_bits, encoded(form.a, left[at.row][at.column]));
            }
            for (int i = 0; i < 8 * form.k / 32; ++i) {
                const Place at = place_of_b(form, lane, i);
                right[at.row][at.column] = number(random, form.b);
                put(b, lane, i, form.a_bits, encoded(form.b, right[at.row][at.column]));
            }
            for (int i = 0; i < form.m * 8 / 32; ++i) {
                const Place at = place_of_c(form, lane, i);
                sum[at.row][at.column] = int(random.below(33)) - 16;
                put(c, lane, i, form.d_bits, encoded(form.d, sum[at.row][at.column]));
            }
        }
        u32 *da = device_copy(a), *db = device_copy(b), *dc = device_copy(c);
        products<<<1, 32>>>(f, da, db, dc);
        CHECK(cudaDeviceSynchronize());
        c = host_copy(dc, c.size());
        for (int lane = 0; lane < 32; ++lane)
            for (int i = 0; i < form.m * 8 / 32; ++i) {
                const Place at = place_of_c(form, lane, i);
                int want = sum[at.row][at.column];
                for (int k = 0; k < form.k; ++k) {
                    const int x = left[at.row][k], y = right[k][at.column];
                    want += extra == "xor" ? x ^ y : extra == "and" ? x & y : x * y;
                }
                const double got = decoded(form.d, get(c, lane, i, form.d_bits));
                if (got != want && wrong++ < 5)
                    printf("m%dn8k%d %s %s %s: lane %d element %d is %g and not %d\n", form.m, form.k, form.d, form.a,
                           form.b, lane, i, got, want);
            }
        CHECK(cudaFree(da));
        CHECK(cudaFree(db));
        CHECK(cudaFree(dc));
    }
    return wrong;
}

/// Four matrices are loaded by rows, one of them transposed twice, and stored transposed.
__global__ void moved(unsigned short *out)
{
    __shared__ __align__(16) unsigned short from[4 * 64], to[4 * 64];
    const int lane = threadIdx.x;
    for (int i = lane; i < 256; i += 32)
        from[i] = (unsigned short)i;
    __syncwarp();
    u32 a[4], b[2], c;
    const u32 row = u32(__cvta_generic_to_shared(from + lane * 8)), place = u32(__cvta_generic_to_shared(to + lane * 8));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]) : "r"(row));
    asm volatile("ldmatrix.sync.aligned.x2.trans.m8n8.shared.b16 {%0, %1}, [%2];" : "=r"(b[0]), "=r"(b[1]) : "r"(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(c) : "r"(row));
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(c) : "r"(c));
    out[2 * lane] = (unsigned short)a[3], out[2 * lane + 1] = (unsigned short)(a[3] >> 16);
    out[64 + 2 * lane] = (unsigned short)b[1], out[64 + 2 * lane + 1] = (unsigned short)(b[1] >> 16);
    out[128 + 2 * lane] = (unsigned short)c, out[128 + 2 * lane + 1] = (unsigned short)(c >> 16);
    asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};"
                 ::"r"(place), "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]) : "memory");
    __syncwarp();
    for (int i = lane; i < 256; i += 32)
        out[192 + i] = to[i];
}

int test_moves()
{
    unsigned short *out = device_zeros<unsigned short>(448);
    moved<<<1, 32>>>(out);
    CHECK(cudaDeviceSynchronize());
    const std::vector<unsigned short> got = host_copy(out, 448);
    int wrong = 0;
    for (int i = 0; i < 64; ++i) {
        const int transposed = i % 8 * 8 + i / 8;
        wrong += got[i] != 3 * 64 + i;
        wrong += got[64 + i] != 64 + transposed;
        wrong += got[128 + i] != transposed;
        for (int matrix = 0; matrix < 4; ++matrix)
            wrong += got[192 + matrix * 64 + i] != matrix * 64 + transposed;
    }
    if (wrong != 0)
        printf("%d elements of moved matrices are wrong\n", wrong);
    CHECK(cudaFree(out));
    return wrong;
}

int main()
{
    const int wrong = test_products() + test_moves();
    printf(wrong == 0 ? "PASS\n" : "FAIL\n");
    return wrong == 0 ? 0 : 1;
}

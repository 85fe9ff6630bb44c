// SPDX-License-Identifier: Apache-2.0
//
// mma.sync and mma.sp on random matrices: results are those that an H200 gave, to the last bit. Matrices are of eight
// categories, eight of each in turns: exponents 24 apart, close ones, cancellation, subnormal numbers, infinities, NaN,
// all exponents, and those near the largest. `recorded_mma 100000` compares so many of each instruction.
#include "common.h"
#include "matrix_operands.h"
#include "recorded_mma.h"

#include <cstring>

using u32 = unsigned;
using u64 = unsigned long long;
enum Type { F16, BF16, TF32, E4M3, E5M2, F32, F64, S8, U8, S4, U4, B1, S32 };

__host__ __device__ inline u64 mixed(u64 x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ull;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

__device__ inline int bits_of(Type type)
{
    switch (type) {
    case F16:
    case BF16:
        return 16;
    case F64:
        return 64;
    case E4M3:
    case E5M2:
    case S8:
    case U8:
        return 8;
    case S4:
    case U4:
        return 4;
    case B1:
        return 1;
    default:
        return 32;
    }
}

struct Format {
    int exponent_bits, fraction_bits;
};
__device__ inline Format format_of(Type type)
{
    switch (type) {
    case F16:
        return {5, 10};
    case BF16:
        return {8, 7};
    case E4M3:
        return {4, 3};
    case E5M2:
        return {5, 2};
    case F64:
        return {11, 52};
    default:
        return {8, 23};
    }
}

/// A floating-point number of a category from 64 random bits. `sum`: of C.
__device__ u64 real(Type type, int category, u64 random, bool sum)
{
    const int e = format_of(type).exponent_bits, m = format_of(type).fraction_bits;
    const int bias = (1 << (e - 1)) - 1, top = (1 << e) - 1;
    const u64 mask = (1ull << m) - 1;
    const u64 sign = random & 1;
    random >>= 1;
    u64 fraction = mixed(random) & mask;
    const u32 pick = u32(random & 0xff), second = u32(random >> 8 & 0xff), third = u32(random >> 16 & 0xffff);
    const int range = (bias < 12 ? bias - 1 : 12) * (sum ? 2 : 1);
    int exponent = bias;
    switch (category) {
    case 0:
        exponent = bias - range + int(third % u32(2 * range + 1));
        break;
    case 1:
        exponent = bias - 2 + int(pick % 4) + (sum ? int(second % 3) : 0);
        break;
    case 2:
        exponent = bias - 3 + int(pick % 7);
        fraction = second & 1 ? 0 : second & 2 ? 1ull << (m - 1) : fraction & ~(mask >> 2);
        if (sum && second & 4)
            exponent = bias + int(third % 12);
        if (second > 250)
            exponent = 0, fraction = 0;
        break;
    case 3:
        exponent = pick & 1 ? 0 : 1 + int(second % 3);
        if ((pick & 6) == 0)
            exponent = bias + int(second % 4);
        break;
    case 4:
    case 5:
        exponent = bias - 2 + int(pick % 5);
        if (second < (category == 4 ? 6 : 4)) {
            exponent = top;
            if (category == 4 || second & 1)
                fraction = type == E4M3 ? fraction & 6 : 0;
        }
        break;
    case 6:
        exponent = int(third % u32(top + 1));
        if (exponent == top && second < 200)
            exponent = top / 2;
        break;
    default:
        exponent = top - 1 - int(pick % 3);
        if (sum && (pick & 64))
            exponent = top - 1;
        if (second < 40)
            exponent = bias;
        break;
    }
    const int largest = category < 4 || category == 7 ? top - 1 : top;
    exponent = exponent < 0 ? 0 : exponent > largest ? largest : exponent;
    return sign << (e + m) | u64(exponent) << m | fraction;
}

/// The elements of one register.
__device__ u64 generated(Type type, int category, u64 key, bool sum)
{
    if (type >= S8 && type <= B1)
        return mixed(key) & 0xffffffffu;
    if (type == S32) {
        const u32 value = u32(mixed(key));
        if (category & 1)  // where a sum leaves the range
            return (value & 0xffff) ^ (value >> 31 ? 0x80000000u : 0x7fff0000u);
        return category == 0 ? value % 1000 : value;
    }
    const int bits = bits_of(type), count = bits < 32 ? 32 / bits : 1;
    u64 all = 0;
    for (int i = 0; i < count; ++i)
        all |= real(type, category, mixed(key + 0x9e3779b97f4a7c15ull * (i + 1)), sum) << i * bits;
    return all;
}

/// Which elements of a sparse A are there: two of four, or of tf32 one of two, in order.
__device__ u32 metadata(Type type, u64 key)
{
    const u32 codes = 0xed9c84;
    const u64 random = mixed(key);
    u32 all = 0;
    for (int i = 0; i < 8; ++i) {
        const u32 pick = u32(random >> i * 8 & 0xff);
        all |= (type == TF32 ? (pick & 1 ? 0xe : 0x4) : codes >> pick % 6 * 4 & 15) << i * 4;
    }
    return all;
}

/// Multiplies matrices and adds a hash of each result to that of its group of eight.
template <Type A, Type B, Type C, int NA, int NB, int ND, class Multiply>
__device__ void measure(u64 form, u64 *hashes, int matrices, Multiply multiply)
{
    const int lane = threadIdx.x % 32, warps = gridDim.x * blockDim.x / 32;
    for (int matrix = (blockIdx.x * blockDim.x + threadIdx.x) / 32; matrix < matrices; matrix += warps) {
        const int category = matrix / 8 % 8;
        const u64 key = mixed(form << 40 | u64(matrix) << 12 | u64(lane) << 5);
        u64 a[8] = {}, b[4] = {}, c[8] = {};
        for (int i = 0; i < NA; ++i)
            a[i] = generated(A, category, key + i, false);
        for (int i = 0; i < NB; ++i)
            b[i] = generated(B, category, key + 8 + i, false);
        for (int i = 0; i < ND; ++i)
            c[i] = generated(C, category, key + 16 + i, true);
        __syncwarp();
        multiply(a, b, c, metadata(A, key + 24));
        u64 hash = 0;
        for (int i = 0; i < ND; ++i)
            hash += mixed(c[i] * 0x100 + u64(lane * 8 + i + 1) * 0x9e3779b97f4a7c15ull + c[i]);
        for (int distance = 16; distance != 0; distance /= 2)
            hash += __shfl_xor_sync(~0u, hash, distance);
        if (lane == 0)
            atomicAdd(&hashes[matrix / 8], mixed(hash + matrix % 8));
    }
}

// The operand of the metadata of a sparse A, behind so many registers of D, A and B.
#define E_2_2_2 "%6"
#define E_4_2_2 "%8"
#define E_2_4_4 "%10"
#define E_4_4_4 "%12"

#define NARROW(ND, NA, NB, ...)                                                                           \
    u32 x[8], y[4], z[8];                                                                                 \
    for (int i = 0; i < NA; ++i)                                                                          \
        x[i] = u32(a[i]);                                                                                 \
    for (int i = 0; i < NB; ++i)                                                                          \
        y[i] = u32(b[i]);                                                                                 \
    for (int i = 0; i < ND; ++i)                                                                          \
        z[i] = u32(c[i]);                                                                                 \
    __VA_ARGS__;                                                                                          \
    for (int i = 0; i < ND; ++i)                                                                          \
        c[i] = z[i];
#define DENSE(n, name, ND, NA, NB, C, A, B)                                                               \
    __global__ void form_##n(u64 *hashes, int matrices)                                                   \
    {                                                                                                     \
        measure<A, B, C, NA, NB, ND>(n, hashes, matrices, [](u64 *a, u64 *b, u64 *c, u32) {               \
            NARROW(ND, NA, NB,                                                                            \
                   asm volatile("mma.sync.aligned." name " " TEXT_##ND##_##NA##_##NB ";"                     \
                                : R##ND(+r, z) : R##NA(r, x), R##NB(r, y)))                               \
        });                                                                                               \
    }
#define SPARSE(n, name, ND, NA, NB, C, A, B, selector)                                                    \
    __global__ void form_##n(u64 *hashes, int matrices)                                                   \
    {                                                                                                     \
        measure<A, B, C, NA, NB, ND>(n, hashes, matrices, [](u64 *a, u64 *b, u64 *c, u32 e) {             \
            NARROW(ND, NA, NB,                                                                            \
                   asm volatile("mma.sp::ordered_metadata.sync.aligned." name " " TEXT_##ND##_##NA##_##NB    \
                                ", " E_##ND##_##NA##_##NB ", " #selector ";"                              \
                                : R##ND(+r, z) : R##NA(r, x), R##NB(r, y), "r"(e)))                       \
        });                                                                                               \
    }
#define WIDE(n, name, ND, NA, NB, C, A, B)                                                                \
    __global__ void form_##n(u64 *hashes, int matrices)                                                   \
    {                                                                                                     \
        measure<A, B, C, NA, NB, ND>(n, hashes, matrices, [](u64 *x, u64 *y, u64 *z, u32) {               \
            asm volatile("mma.sync.aligned." name " " TEXT_##ND##_##NA##_##NB ";"                            \
                         : R##ND(+l, z) : R##NA(l, x), R##NB(l, y));                                      \
        });                                                                                               \
    }
RECORDED_FORMS(DENSE, WIDE, SPARSE)

struct Entry {
    const char *name;
    void (*kernel)(u64 *, int);
};
#define ENTRY(n, name, ...) {"mma.sync.aligned." name, form_##n},
#define SPARSE_ENTRY(n, name, ...) {"mma.sp.sync.aligned." name, form_##n},
const Entry kEntries[] = {RECORDED_FORMS(ENTRY, ENTRY, SPARSE_ENTRY)};

int main(int argc, char **argv)
{
    const bool all = argc > 1 && strcmp(argv[1], "100000") == 0;
    const int matrices = all ? 100000 : 1024;
    int wrong = 0;
    for (size_t form = 0; form < sizeof kEntries / sizeof *kEntries; ++form) {
        u64 *device = device_zeros<u64>(matrices / 8);
        kEntries[form].kernel<<<all ? 264 : 16, 128>>>(device, matrices);
        CHECK(cudaDeviceSynchronize());
        const std::vector<u64> hashes = host_copy(device, matrices / 8);
        CHECK(cudaFree(device));
        for (int category = 0; category < 8; ++category) {
            u32 hash = 2166136261u;
            for (int i = category; i < matrices / 8; i += 8) {
                hash = (hash ^ u32(hashes[i] >> 32)) * 16777619u;
                hash ^= hash >> 15;
            }
            if (hash == kRecorded[form][all][category])
                continue;
            printf("%s: the results of category %d differ from those of the GPU\n", kEntries[form].name, category);
            ++wrong;
        }
    }
    printf(wrong == 0 ? "PASS\n" : "FAIL\n");
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

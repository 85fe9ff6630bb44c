// SPDX-License-Identifier: Apache-2.0
//
// Conversions of cuda_fp6.h and cuda_fp4.h in kernels and on the host: all halves, all bfloat16, and floats and doubles
// with all upper halves, in every format and rounding, and every code back. The hashes are those of the functions of
// CUDA 13.0.
#include <cuda_fp4.h>
#include <cuda_fp6.h>

#include "common.h"

using u32 = unsigned;
using u64 = unsigned long long;

const u32 kCount = 65536;

/// A float with the upper half `upper`, and lower halves of several kinds.
__host__ __device__ float with_upper(u32 upper)
{
    const u32 lower[] = {0, 1, 0x8000, 0xffff};
    const u32 bits = upper << 16 | lower[(upper * 40503 >> 8) & 3];
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

struct Format {
    int bits;
    __nv_fp6_interpretation_t six;
};

/// What the four types of number i become in a format; or the halves that two codes are.
__host__ __device__ u64 converted(u32 i, Format format, cudaRoundMode rounding)
{
    const float x = with_upper(i), y = with_upper(i * 40503 & 0xffff);
    __half_raw half;
    __nv_bfloat16_raw bfloat;
    half.x = bfloat.x = static_cast<unsigned short>(i);
    if (format.bits == 6)
        return u64(__nv_cvt_halfraw_to_fp6(half, format.six, rounding)) |
               u64(__nv_cvt_bfloat16raw_to_fp6(bfloat, format.six, rounding)) << 8 |
               u64(__nv_cvt_float2_to_fp6x2(float2{x, y}, format.six, rounding)) << 16 |
               u64(__nv_cvt_double2_to_fp6x2(double2{x * 1.0000001, y * 0.9999999}, format.six, rounding)) << 32;
    return u64(__nv_cvt_halfraw_to_fp4(half, __NV_E2M1, rounding)) |
           u64(__nv_cvt_bfloat16raw_to_fp4(bfloat, __NV_E2M1, rounding)) << 8 |
           u64(__nv_cvt_float2_to_fp4x2(float2{x, y}, __NV_E2M1, rounding)) << 16 |
           u64(__nv_cvt_double2_to_fp4x2(double2{x * 1.0000001, y * 0.9999999}, __NV_E2M1, rounding)) << 24;
}

__host__ __device__ u32 halves_of(u32 i, Format format)
{
    const __half2_raw halves = format.bits == 6 ? __nv_cvt_fp6x2_to_halfraw2(static_cast<unsigned short>(i & 0x3f3f), format.six)
                                                : __nv_cvt_fp4x2_to_halfraw2(static_cast<unsigned char>(i), __NV_E2M1);
    return u32(halves.y) << 16 | halves.x;
}

/// `back`: from codes to halves.
struct Case {
    const char *name;
    Format format;
    cudaRoundMode rounding;
    bool back;
    u64 hash;
};

const Case kCases[] = {
    {"e2m3, Nearest", {6, __NV_E2M3}, cudaRoundNearest, false, 0x1ab2fab3d9d28e23ull},
    {"e2m3, Zero", {6, __NV_E2M3}, cudaRoundZero, false, 0xbd5e42acb92225a3ull},
    {"e2m3, to halves", {6, __NV_E2M3}, cudaRoundNearest, true, 0x4a0e63eb15a90383ull},
    {"e3m2, Nearest", {6, __NV_E3M2}, cudaRoundNearest, false, 0x9977df9f18d44ea3ull},
    {"e3m2, Zero", {6, __NV_E3M2}, cudaRoundZero, false, 0x30e8e8bd598b3a3ull},
    {"e3m2, to halves", {6, __NV_E3M2}, cudaRoundNearest, true, 0x5354fe05a0a90383ull},
    {"e2m1, Nearest", {4, __NV_E2M3}, cudaRoundNearest, false, 0x6b514da89cdfd38bull},
    {"e2m1, Zero", {4, __NV_E2M3}, cudaRoundZero, false, 0x2d9436321ba3698bull},
    {"e2m1, to halves", {4, __NV_E2M3}, cudaRoundNearest, true, 0x4a4eddf658a90383ull},
};

__host__ __device__ u64 result_of(u32 i, Format format, cudaRoundMode rounding, bool back)
{
    return back ? halves_of(i, format) : converted(i, format, rounding);
}

__global__ void all(u64 *out, Format format, cudaRoundMode rounding, bool back)
{
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = result_of(i, format, rounding, back);
}

u64 hash_of(const std::vector<u64> &results)
{
    u64 hash = 1469598103934665603ull;
    for (u64 word : results)
        hash = (hash ^ word) * 1099511628211ull;
    return hash;
}

/// With an argument the results of the host are printed, which needs no device.
int main(int argc, char **)
{
    bool passed = true;
    u64 *out = argc > 1 ? nullptr : device_zeros<u64>(kCount);
    for (const Case &one : kCases) {
        std::vector<u64> results(kCount);
        for (u32 i = 0; i < kCount; ++i)
            results[i] = result_of(i, one.format, one.rounding, one.back);
        if (argc > 1) {
            printf("0x%llx\n", hash_of(results));
            continue;
        }
        all<<<kCount / 256, 256>>>(out, one.format, one.rounding, one.back);
        CHECK(cudaDeviceSynchronize());
        for (const u64 hash : {hash_of(results), hash_of(host_copy(out, kCount))})
            if (hash != one.hash) {
                printf("%s: 0x%llx\n", one.name, hash);
                passed = false;
            }
    }
    return argc > 1 ? EXIT_SUCCESS : verdict(passed);
}

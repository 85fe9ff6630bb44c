// SPDX-License-Identifier: Apache-2.0
//
// shfl.sync of inline PTX with every kind of bound: segments of all widths and of bits that are no width, sources that
// the bound leaves out. CUB's reductions of part of a warp rely on them.
#include <vector>

#include "common.h"

enum Mode { up, down, bfly, idx, modes };

struct Shuffled
{
    unsigned value, in_range;
};

__device__ Shuffled shuffle(Mode mode, unsigned value, unsigned b, unsigned c)
{
    Shuffled result;
#define SHUFFLE(name)                                                                                          \
    asm volatile("{ .reg .pred p; shfl.sync." name ".b32 %0|p, %2, %3, %4, -1; selp.u32 %1, 1, 0, p; }"        \
                 : "=r"(result.value), "=r"(result.in_range) : "r"(value), "r"(b), "r"(c))
    if (mode == up)
        SHUFFLE("up");
    else if (mode == down)
        SHUFFLE("down");
    else if (mode == bfly)
        SHUFFLE("bfly");
    else
        SHUFFLE("idx");
    return result;
}

__global__ void shuffle_all(const unsigned *bs, const unsigned *cs, unsigned *out)
{
    const unsigned row = blockIdx.x * modes + blockIdx.y;
    const Shuffled got = shuffle(Mode(blockIdx.y), 1000 + threadIdx.x, bs[blockIdx.x], cs[blockIdx.x]);
    out[32 * row + threadIdx.x] = 2 * got.value + got.in_range;
}

// PTX ISA, "shfl.sync".
unsigned expected(Mode mode, int lane, unsigned b, unsigned c)
{
    const int bits = c >> 8 & 0x1f, bound = c & 0x1f, distance = b & 0x1f;
    const int first = lane & bits, limit = first | (bound & ~bits);
    const int source = mode == up ? lane - distance : mode == down ? lane + distance
                     : mode == bfly ? lane ^ distance : first | (distance & ~bits);
    const bool in_range = mode == up ? source >= limit : source <= limit;
    return 2 * (1000 + (in_range ? source : lane)) + in_range;
}

int main()
{
    std::vector<unsigned> bs, cs, want;
    for (unsigned bits : {0u, 0x10u, 0x18u, 0x1cu, 0x1eu, 0x1fu, 0x05u})
        for (unsigned bound : {0u, 1u, 6u, 15u, 16u, 30u, 31u})
            for (unsigned b : {0u, 1u, 3u, 8u, 16u, 21u, 31u, 33u}) {
                bs.push_back(b);
                cs.push_back(bits << 8 | bound);
                for (int mode = 0; mode < modes; ++mode)
                    for (int lane = 0; lane < 32; ++lane)
                        want.push_back(expected(Mode(mode), lane, b, cs.back()));
            }
    unsigned *out = device_zeros<unsigned>(want.size());
    shuffle_all<<<dim3(bs.size(), modes), 32>>>(device_copy(bs), device_copy(cs), out);
    return verdict(same("shuffles", host_copy(out, want.size()), want));
}

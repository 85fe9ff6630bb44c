// SPDX-License-Identifier: Apache-2.0
//
// ldmatrix and stmatrix of bytes, and ldmatrix of elements of 6 and 4 bits that become bytes. Where an element is in the
// registers of the lanes is as PTX's manual says.
#include <vector>

#include "common.h"

using u32 = unsigned;

constexpr u32 kRows = 32, kRow = 16;

/// The bytes of the rows that are loaded.
__host__ __device__ u32 byte_at(u32 row, u32 column)
{
    return (row * 37 + column * 11 + (row ^ column)) & 0xff;
}

__device__ u32 address_of(const unsigned char *row)
{
    return u32(__cvta_generic_to_shared(row));
}

/// Twelve words of each lane: four of two matrices of bytes, four of 4 bits, two of 6 bits, two of one of bytes.
__global__ void load(u32 *out)
{
    __shared__ alignas(16) unsigned char rows[kRows * kRow];
    const u32 lane = threadIdx.x;
    for (u32 i = 0; i < kRow; ++i)
        rows[lane * kRow + i] = byte_at(lane, i);
    __syncwarp();
    const u32 row = address_of(rows + lane * kRow);
    u32 *to = out + 12 * lane;
    asm volatile("ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(row) : "memory");
    asm volatile("ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b4x16_p64 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[4]), "=r"(to[5]), "=r"(to[6]), "=r"(to[7]) : "r"(row) : "memory");
    asm volatile("ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.b6x16_p32 {%0, %1}, [%2];"
                 : "=r"(to[8]), "=r"(to[9]) : "r"(row) : "memory");
    asm volatile("ldmatrix.sync.aligned.m16n16.x1.trans.shared::cta.b8 {%0, %1}, [%2];"
                 : "=r"(to[10]), "=r"(to[11]) : "r"(row) : "memory");
}

__global__ void store(unsigned char *out)
{
    __shared__ alignas(16) unsigned char rows[kRows * kRow];
    const u32 lane = threadIdx.x;
    u32 words[4];
    for (u32 i = 0; i < 4; ++i)
        words[i] = lane | (i * 64 + lane) << 8 | (lane ^ 0x55) << 16 | (255 - lane - i) << 24;
    asm volatile("stmatrix.sync.aligned.m16n8.x4.trans.shared.b8 [%0], {%1, %2, %3, %4};" ::"r"(
                     address_of(rows + lane * kRow)),
                 "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3])
                 : "memory");
    __syncwarp();
    for (u32 i = 0; i < kRow; ++i)
        out[lane * kRow + i] = rows[lane * kRow + i];
}

u32 packed(u32 row, u32 bits, u32 element)
{
    u32 value = 0;
    for (u32 bit = 0; bit < bits; ++bit) {
        const u32 place = element * bits + bit;
        value |= (byte_at(row, place / 8) >> place % 8 & 1) << bit;
    }
    return value;
}

u32 wanted_word(u32 lane, u32 word)
{
    const u32 g = lane / 4, t = lane % 4;
    u32 value = 0;
    for (u32 i = 0; i < 4; ++i) {
        u32 byte = 0;
        if (word < 4 || word >= 10)
            byte = byte_at(16 * (word % 10 / 2) + 4 * t + i, g + 8 * (word % 2));
        else
            byte = packed(8 * (word < 8 ? word - 4 : word - 8) + g, word < 8 ? 4 : 6, 4 * t + i);
        value |= byte << (8 * i);
    }
    return value;
}

int main()
{
    std::vector<u32> words;
    for (u32 lane = 0; lane < 32; ++lane)
        for (u32 word = 0; word < 12; ++word)
            words.push_back(wanted_word(lane, word));
    u32 *loaded = device_zeros<u32>(words.size());
    load<<<1, 32>>>(loaded);
    bool passed = same("loaded", host_copy(loaded, words.size()), words);

    std::vector<unsigned char> bytes(kRows * kRow);
    for (u32 lane = 0; lane < 32; ++lane)
        for (u32 i = 0; i < 4; ++i) {
            const u32 of_lane[] = {lane, i * 64 + lane, lane ^ 0x55, 255 - lane - i};
            for (u32 byte = 0; byte < 4; ++byte)
                bytes[(8 * i + 2 * (lane % 4) + byte % 2) * kRow + lane / 4 + 8 * (byte / 2)] = of_lane[byte];
        }
    unsigned char *stored = device_zeros<unsigned char>(bytes.size());
    store<<<1, 32>>>(stored);
    passed = same("stored", host_copy(stored, bytes.size()), bytes) && passed;
    CHECK(cudaFree(loaded));
    CHECK(cudaFree(stored));
    return verdict(passed);
}

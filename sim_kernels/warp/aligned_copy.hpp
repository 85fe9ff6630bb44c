// SPDX-License-Identifier: Apache-2.0
// Copies packets of 16 bytes that begin anywhere: the lanes of a warp vote on how far all their packets are aligned,
// and the warp copies by 16 bytes, by 4 or byte by byte without diverging. Source: CUDA C++ Programming Guide, "Warp
// Vote Functions" and "Size and Alignment Requirement".
#pragma once

#include <warpfiber/warpfiber.hpp>

#include <cstdint>

namespace gallery {

constexpr unsigned kPacketBytes = 16;

/// How many warps took which way: 0 by 16 bytes, 1 by 4, 2 byte by byte.
constexpr unsigned kCopyWays = 3;

template <class Unit>
__device__ void copy_packet(const unsigned char* from, unsigned char* to) {
  for (unsigned i = 0; i < kPacketBytes / sizeof(Unit); ++i) {
    reinterpret_cast<Unit*>(to)[i] = reinterpret_cast<const Unit*>(from)[i];
  }
}

/// to[16 i ...] = from[offsets[i] ...]; both arrays are aligned to 16 bytes.
static __global__ void aligned_copy(const unsigned char* from, const unsigned* offsets, unsigned count,
                                    unsigned char* to, unsigned* ways) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned takers = __ballot_sync(0xffffffffU, i < count);
  if (i >= count) return;
  const unsigned char* source = from + offsets[i];
  unsigned char* target = to + i * kPacketBytes;
  const auto address = reinterpret_cast<std::uintptr_t>(source);
  unsigned way = 2;
  if (__all_sync(takers, address % sizeof(uint4) == 0)) {
    copy_packet<uint4>(source, target);
    way = 0;
  } else if (__all_sync(takers, address % sizeof(unsigned) == 0)) {
    copy_packet<unsigned>(source, target);
    way = 1;
  } else {
    copy_packet<unsigned char>(source, target);
  }
  if (static_cast<int>(threadIdx.x % 32) == __ffs(static_cast<int>(takers)) - 1) atomicAdd(&ways[way], 1U);
}

}  // namespace gallery

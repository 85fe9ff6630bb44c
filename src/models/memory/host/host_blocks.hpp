// SPDX-License-Identifier: Apache-2.0
// Which allocations of the host's own heap live, in a program that notes each of them (abi/hooks/host_allocations.cpp):
// copies are held against them. A bit for each 16 bytes of address says whether an allocation begins there, and its
// size lies behind it. Nothing here allocates or locks, because malloc() calls it. Any thread may call.
#pragma once

#include <cstddef>
#include <optional>

namespace warpfiber::memory {

/// An allocation, as large as the program asked for.
struct HostBlock {
  const char* base = nullptr;
  std::size_t bytes = 0;
};

/// What an allocation has to have besides `bytes` to be noted.
inline constexpr std::size_t kNoteBytes = sizeof(std::size_t);

/// `base` is an allocation of `bytes`, with `usable` bytes in all, of which the last kNoteBytes are not the program's.
void note_host_block(void* base, std::size_t bytes, std::size_t usable);
/// It is about to be freed. False where it was not noted.
bool forget_host_block(const void* base);
/// The bytes that the program asked for; none where the allocation was not noted.
std::optional<std::size_t> size_of_host_block(const void* base, std::size_t usable);

/// The noted allocation that `address` is in, or right behind. `usable` returns the bytes of an allocation in all.
std::optional<HostBlock> host_block_around(const void* address, std::size_t (*usable)(void*));

}  // namespace warpfiber::memory

// SPDX-License-Identifier: Apache-2.0
// A table of two levels: pages of bits are mapped where allocations begin in their 256 MiB, and stay.
#include "memory/host/host_blocks.hpp"

#include <sys/mman.h>

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>

#include "memory/memory_state.hpp"

namespace warpfiber::memory {
namespace {

constexpr unsigned kUnitShift = 4;   // malloc() aligns to 16
constexpr unsigned kLeafShift = 28;  // of the addresses that one page of bits stands for
constexpr unsigned kAddressBits = 47;
constexpr std::size_t kWordBits = 64;
constexpr std::size_t kLeafWords = (std::size_t{1} << (kLeafShift - kUnitShift)) / kWordBits;
constexpr std::size_t kLeaves = std::size_t{1} << (kAddressBits - kLeafShift);

using Word = std::atomic<std::uint64_t>;

}  // namespace

struct HostBlocks {
  std::atomic<Word*> leaves[kLeaves];
};

namespace {

/// Zeros; null where the host has none.
template <class T>
T* map_zeros(std::size_t count) {
  void* const mapped =
      ::mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return mapped == MAP_FAILED ? nullptr : static_cast<T*>(mapped);
}

/// What `kept` holds, which is made of `count` zeros where it holds nothing.
template <class T>
T* get_or_map(std::atomic<T*>& kept, std::size_t count) {
  T* known = kept.load(std::memory_order_acquire);
  if (known != nullptr) return known;
  T* const made = map_zeros<T>(count);
  if (made == nullptr || kept.compare_exchange_strong(known, made, std::memory_order_acq_rel)) return made;
  ::munmap(static_cast<void*>(made), count * sizeof(T));
  return known;
}

struct BitPlace {
  std::size_t leaf;
  std::size_t word;
  unsigned bit;
};

BitPlace place_of(std::uintptr_t address) {
  const std::uintptr_t unit = address >> kUnitShift;
  return {static_cast<std::size_t>(address >> kLeafShift), static_cast<std::size_t>(unit / kWordBits % kLeafWords),
          static_cast<unsigned>(unit % kWordBits)};
}

Word* leaf_at(std::size_t number) {
  const HostBlocks* const all = MemoryState::of_process().host_blocks.load(std::memory_order_acquire);
  return all != nullptr && number < kLeaves ? all->leaves[number].load(std::memory_order_acquire) : nullptr;
}

Word* make_leaf(std::size_t number) {
  HostBlocks* const all = get_or_map(MemoryState::of_process().host_blocks, 1);
  return all != nullptr && number < kLeaves ? get_or_map(all->leaves[number], kLeafWords) : nullptr;
}

std::size_t* note_of(const void* base, std::size_t usable) {
  auto* const end = static_cast<char*>(const_cast<void*>(base)) + usable;
  return reinterpret_cast<std::size_t*>(end - kNoteBytes);
}

/// The last unit up to `address` at which an allocation begins; 0: none in this leaf and the ones before it that exist.
std::uintptr_t begin_before(std::uintptr_t address) {
  BitPlace at = place_of(address);
  for (Word* leaf = leaf_at(at.leaf); leaf != nullptr; leaf = leaf_at(--at.leaf)) {
    std::uint64_t mask = ~std::uint64_t{0} >> (kWordBits - 1 - at.bit);
    for (std::size_t word = at.word + 1; word-- > 0; mask = ~std::uint64_t{0}) {
      const std::uint64_t bits = leaf[word].load(std::memory_order_relaxed) & mask;
      if (bits == 0) continue;
      const auto bit = static_cast<std::uintptr_t>(std::bit_width(bits) - 1);
      return (at.leaf << kLeafShift) | ((word * kWordBits + bit) << kUnitShift);
    }
    if (at.leaf == 0) break;
    at.word = kLeafWords - 1;
    at.bit = kWordBits - 1;
  }
  return 0;
}

}  // namespace

void note_host_block(void* base, std::size_t bytes, std::size_t usable) {
  if (base == nullptr || usable < bytes + kNoteBytes) return;
  const BitPlace at = place_of(reinterpret_cast<std::uintptr_t>(base));
  Word* leaf = leaf_at(at.leaf);
  if (leaf == nullptr) leaf = make_leaf(at.leaf);
  if (leaf == nullptr) return;
  std::memcpy(note_of(base, usable), &bytes, sizeof bytes);
  leaf[at.word].fetch_or(std::uint64_t{1} << at.bit, std::memory_order_relaxed);
}

bool forget_host_block(const void* base) {
  const BitPlace at = place_of(reinterpret_cast<std::uintptr_t>(base));
  Word* const leaf = leaf_at(at.leaf);
  if (leaf == nullptr) return false;
  const std::uint64_t bit = std::uint64_t{1} << at.bit;
  return (leaf[at.word].fetch_and(~bit, std::memory_order_relaxed) & bit) != 0;
}

std::optional<std::size_t> size_of_host_block(const void* base, std::size_t usable) {
  const BitPlace at = place_of(reinterpret_cast<std::uintptr_t>(base));
  Word* const leaf = leaf_at(at.leaf);
  const bool is_noted = leaf != nullptr && (leaf[at.word].load(std::memory_order_relaxed) >> at.bit & 1) != 0;
  if (!is_noted || usable < kNoteBytes) return std::nullopt;
  std::size_t bytes = 0;
  std::memcpy(&bytes, note_of(base, usable), sizeof bytes);
  // The program may have written over it.
  constexpr std::size_t kMostSlack = 4096;
  const bool is_sound = bytes <= usable - kNoteBytes && usable - bytes < kMostSlack;
  return is_sound ? std::optional(bytes) : std::nullopt;
}

std::optional<HostBlock> host_block_around(const void* address, std::size_t (*usable)(void*)) {
  const std::uintptr_t begin = begin_before(reinterpret_cast<std::uintptr_t>(address));
  if (begin == 0) return std::nullopt;
  auto* const base = reinterpret_cast<char*>(begin);
  const auto bytes = size_of_host_block(base, usable(base));
  if (!bytes.has_value() || static_cast<const char*>(address) > base + *bytes) return std::nullopt;
  return HostBlock{base, *bytes};
}

}  // namespace warpfiber::memory

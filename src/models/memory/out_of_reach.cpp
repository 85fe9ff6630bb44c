// SPDX-License-Identifier: Apache-2.0
//
// One bit of the address is turned. Linux puts programs, their heaps, their mappings and stacks near a few places of
// the address space, which lie further apart than that bit's worth.
#include "memory/out_of_reach.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

#include "memory/memory_state.hpp"

namespace warpfiber::memory {
namespace {

constexpr std::uintptr_t kBit = std::uintptr_t{1} << 46;

}  // namespace

bool is_mapped(const void* address) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  unsigned char resident = 0;
  auto* begin = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(address) / page * page);
  return ::mincore(begin, page, &resident) == 0;
}

const void* turned(const void* address) {
  return reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(address) ^ kBit);
}

const void* out_of_reach(const void* address) {
  if (!is_mapped(address) || is_mapped(turned(address))) return address;
  MemoryState::of_process().has_out_of_reach.store(true, std::memory_order_relaxed);
  return turned(address);
}

const void* meant_by(const void* faulting) {
  const bool exists = MemoryState::of_process().has_out_of_reach.load(std::memory_order_relaxed);
  if (!exists || is_mapped(faulting)) return nullptr;
  const void* meant = turned(faulting);
  return is_mapped(meant) ? meant : nullptr;
}

}  // namespace warpfiber::memory

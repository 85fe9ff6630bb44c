// SPDX-License-Identifier: Apache-2.0
// One bit of the address is turned. Linux puts programs, their heaps, their mappings and stacks near a few places of
// the address space, which lie further apart than that bit's worth.
#include "memory/host/host_addresses.hpp"

#include <warpfiber/detail/current_thread.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <map>

#include "base/arch/processor.hpp"
#include "base/locks/annotated_mutex.hpp"
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

// Addresses are those of base/arch/processor.hpp, in the order in which functions are asked for; where there is
// no more, or a kernel could call it, a function's own address.

struct HostFunctions {
  base::Mutex mutex;
  std::map<const void*, const void*> addresses WARPFIBER_GUARDED_BY(mutex);  // by functions
  std::map<const void*, const void*> of_device WARPFIBER_GUARDED_BY(mutex);  // functions by themselves
  std::size_t count WARPFIBER_GUARDED_BY(mutex) = 0;
};

namespace {

const void* make_address(const void* function, HostFunctions& known) WARPFIBER_REQUIRES(known.mutex) {
  const base::FunctionEntries entries = base::function_entries();
  if (known.count == entries.count) return function;
  const char* address = entries.begin + known.count * entries.bytes;
  if (out_of_reach(address) == address) return function;
  entries.functions[known.count++] = function;
  return address;
}

}  // namespace

const void* const& host_address_of(const void* function) {
  HostFunctions& known = MemoryState::of_process().host_functions.get();
  const bool is_device = function == nullptr || ::warpfiber::detail::current_thread.block != nullptr;
  const base::Lock lock(known.mutex);
  // Of the device's address the reference is kept as well.
  auto& kept = is_device ? known.of_device : known.addresses;
  const auto [entry, fresh] = kept.try_emplace(function);
  if (fresh) entry->second = is_device ? function : make_address(function, known);
  return entry->second;
}

const void* function_meant_by(const void* host_address) {
  const base::FunctionEntries entries = base::function_entries();
  const auto offset = reinterpret_cast<std::uintptr_t>(host_address) - reinterpret_cast<std::uintptr_t>(entries.begin);
  return offset < entries.count * entries.bytes ? entries.functions[offset / entries.bytes] : nullptr;
}

}  // namespace warpfiber::memory

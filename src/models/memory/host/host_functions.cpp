// SPDX-License-Identifier: Apache-2.0
//
// Addresses are those of base/arch/function_entries.hpp, in the order in which functions are asked for; where there is
// no more, or a kernel could call it, a function's own address.
#include "memory/host/host_functions.hpp"

#include <warpfiber/detail/current_thread.hpp>

#include <cstddef>
#include <cstdint>
#include <map>

#include "base/arch/function_entries.hpp"
#include "base/locks/annotated_mutex.hpp"
#include "memory/memory_state.hpp"
#include "memory/out_of_reach.hpp"

namespace warpfiber::memory {

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
